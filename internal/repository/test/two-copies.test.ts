import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { installBuilt } from './install-built.ts';

const OURS = ['errors', 'query', 'core', 'schema', 'transport-express'];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'copies-'));
  for (const copy of ['one', 'two']) {
    const modules = join(folder, copy, 'node_modules');
    for (const name of OURS) installBuilt(name, join(modules, '@framework', name), modules);
  }
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a program that imports both copies, by their path, of those packages that it names. */
function run(program: string): unknown {
  const load = (copy: string, name: string): string =>
    `await import(${JSON.stringify(join(folder, copy, 'node_modules/@framework', name, 'dist/index.js'))})`;
  const used = OURS.filter((name) => program.includes(`.${name}.`) || program.includes(`['${name}']`));
  const copies = ['one', 'two'].map((copy) => `const ${copy} = { ${used.map((name) => `'${name}': ${load(copy, name)}`).join(', ')} };`);
  writeFileSync(
    join(folder, 'program.mjs'),
    `${copies.join('\n')}\nconst print = (value) => console.log(JSON.stringify(value));\n${program}`,
  );
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--no-warnings', join(folder, 'program.mjs')], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

describe('two copies of a package', () => {
  it('are two copies', () => {
    expect(run(`print(one.query.parseQuery === two.query.parseQuery || one.core.framework === two.core.framework);`)).toBe(false);
  });

  it('take errors of each other for errors of the family', () => {
    expect(
      run(
        `print([two.errors.isFrameworkError(new one.errors.NotFound('no')), new one.errors.NotFound('no') instanceof two.errors.NotFound]);`,
      ),
    ).toEqual([true, expect.any(Boolean)]);
  });

  it('take queries that the other has parsed, as they are', () => {
    expect(
      run(`const parsed = one.query.parseQuery({ a: 1, $limit: 2 }, { paginate: { default: 5, max: 9 } });
      print([two.query.isParsedQuery(parsed), two.query.isParsedQuery({ ...JSON.parse(JSON.stringify(parsed)) })]);`),
    ).toEqual([true, false]);
  });

  it('know what the schemas of the other declare', () => {
    expect(
      run(`const service = {};
      const params = one.query.declaring({}, service, { paths: ['a.b'] });
      print([two.query.declarationsOf(params, service).paths, two.query.declarationsOf(params, {}).paths ?? null]);`),
    ).toEqual([['a.b'], null]);
  });

  it('know the virtual properties of each other', () => {
    expect(
      run(`const resolver = two.schema.resolve({ full: one.schema.virtual(async () => 'worked out') });
      print(resolver.virtualNames);`),
    ).toEqual(['full']);
  });

  it('of the core are told when hooks of schemas are registered that ask it for something, and not by the first call', () => {
    expect(
      run(`const resolver = two.schema.resolve({ name: async (value) => value });
      const told = [two.schema.resolveResult(resolver), two.schema.resolveExternal(resolver), two.schema.resolveAll({ result: resolver })].map((hook) => {
        const app = one.core.framework().use('things', { find: async () => [] });
        try { app.service('things').hooks({ around: { all: [hook] } }); return 'taken'; } catch (error) { return error.message.slice(0, 35); }
      });
      print(told);`),
    ).toEqual(Array.from({ length: 3 }, () => 'Two copies of @framework/core are i'));
  });

  it('of the core are refused with a sentence that names them', () => {
    expect(
      run(`try { two['transport-express'].express(one.core.framework()); print('taken'); } catch (error) { print(error.message); }`),
    ).toMatch(/^Two copies of @framework\/core are installed/);
  });
});
