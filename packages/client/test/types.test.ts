import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { manyServices } from './many-services.ts';

const here = import.meta.dirname;
const compiler = join(here, '../../../internal/typecheck/node_modules/typescript/bin/tsc');
// Beside the sources, so that packages are found.
const folder = mkdtempSync(join(here, 'fixture-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Checked {
  readonly errors: string;
  readonly instantiations: number;
  readonly seconds: number;
}

/** Packages are taken as they are built and published: their sources are checked by themselves, and would be checked again by each program here. */
function check(name: string, files: readonly string[], options: object = {}): Checked {
  const compilerOptions = { customConditions: [], ...options };
  const config = { extends: '../../tsconfig.json', compilerOptions, include: [], files };
  writeFileSync(join(folder, `tsconfig.${name}.json`), JSON.stringify(config));
  const { stdout } = spawnSync(
    process.execPath,
    // With several threads each has a checker of its own, and makes again what the others have made.
    [compiler, '-p', join(folder, `tsconfig.${name}.json`), '--noEmit', '--extendedDiagnostics', '--singleThreaded'],
    {
      encoding: 'utf8',
    },
  );
  const numberOf = (label: string): number => Number(new RegExp(`${label}:\\s+([\\d.]+)`, 'i').exec(stdout)?.[1]);
  const errors = stdout
    .split('\n')
    .filter((line) => line.includes('error TS'))
    .join('\n');
  return { errors, instantiations: numberOf('instantiations'), seconds: numberOf('Check time') };
}

describe('types of a client', () => {
  it.each([true, false])('compile, or do not, as they are meant to: exactOptionalPropertyTypes %s', (exactOptionalPropertyTypes) => {
    expect(check(`exact-${exactOptionalPropertyTypes}`, ['../../test-d/client.test-d.ts'], { exactOptionalPropertyTypes }).errors).toBe('');
    const source = readFileSync(join(here, '../test-d/client.test-d.ts'), 'utf8');
    expect(source.match(/@ts-expect-error/g)?.length).toBeGreaterThanOrEqual(60);
    expect(source.match(/\bok[<(]/g)?.length).toBeGreaterThanOrEqual(60);
  });

  it('need none of a page: on a server, with the types of Node alone, they are all there', () => {
    const source = `
import { createClient, rest, sse } from '@framework/client';
export const client = createClient(rest('http://localhost', { credentials: 'include' }), { events: sse('http://localhost', { credentials: 'omit' }) });
// @ts-expect-error misspelt
rest('http://localhost', { credentials: 'inclued' });
// @ts-expect-error misspelt
sse('http://localhost', { credentials: 'inclued' });
`;
    writeFileSync(join(folder, 'on-a-server.ts'), source);
    const options = { lib: ['ES2023'], types: ['node'], skipLibCheck: false };
    expect(check('on-a-server', ['on-a-server.ts'], options).errors).toBe('');
  });

  it('cost an application of 200 services fewer than 350 instantiations for each', () => {
    const count = 200;
    const { server, bare, client } = manyServices(count);
    const calls = client.split('\n');
    const firsts = calls.filter((line) => !line.includes('client.service') || line.includes(').find('));
    const sources = { server, bare, one: firsts.join('\n'), client };
    for (const [name, source] of Object.entries(sources)) writeFileSync(join(folder, `${name}.ts`), source);
    const [without, one, three] = ['bare', 'one', 'client'].map((name) => check(name, [`${name}.ts`]));
    for (const checked of [without!, one!, three!]) expect(checked.errors).toBe('');
    const each = ({ instantiations }: Checked): number => Math.round((instantiations - without!.instantiations) / count);
    console.log(
      `instantiations for each of ${count} services: ${each(one!)} with one call, ${each(three!)} with three; ` +
        `seconds: ${without!.seconds} without, ${one!.seconds} with one call, ${three!.seconds} with three`,
    );
    expect(each(one!)).toBeLessThan(350);
    expect(each(three!)).toBeLessThan(700);
  });
});
