import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');

/** Packages that `pnpm mutate` names, and those whose tests it runs beside. */
const TRIED = ['errors', 'query', 'core', 'schema', 'authentication', 'adapter-docdb', 'adapter-memory', 'transport-express'];

it('mutation tests give tests all of Jest that they call', () => {
  const print = 'import(process.argv[1]).then(({ jest }) => console.log(JSON.stringify(Object.keys(jest))))';
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', print, join(root, 'scripts/mutation/globals.mjs')], { encoding: 'utf8' });
  expect(stderr).toBe('');
  const given = new Set(JSON.parse(stdout) as string[]);
  const called = TRIED.flatMap((name) => {
    const folder = join(root, 'packages', name, 'test');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    return files.flatMap((file) => readFileSync(join(folder, file), 'utf8').match(/\bjest\.[a-z]\w*(?=\()/g) ?? []);
  });
  expect(called.length).toBeGreaterThan(20);
  expect([...new Set(called)].filter((call) => !given.has(call.slice('jest.'.length)))).toEqual([]);
});
