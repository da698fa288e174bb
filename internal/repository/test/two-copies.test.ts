import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const packages = join(import.meta.dirname, '../../../packages');
const OURS = ['errors', 'query', 'core', 'schema', 'transport-express'];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'copies-'));
  for (const copy of ['one', 'two']) for (const name of OURS) install(copy, name);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** As it is published: its built files. What it depends on is that of the workspace, except for our own packages. */
function install(copy: string, name: string): void {
  const target = join(folder, copy, 'node_modules/@framework', name);
  mkdirSync(target, { recursive: true });
  cpSync(join(packages, name, 'dist'), join(target, 'dist'), { recursive: true });
  cpSync(join(packages, name, 'package.json'), join(target, 'package.json'));
  const { dependencies = {}, peerDependencies = {} } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as Record<
    string,
    object
  >;
  for (const other of Object.keys({ ...dependencies, ...peerDependencies }).filter((each) => !each.startsWith('@framework/'))) {
    const link = join(folder, copy, 'node_modules', other);
    if (existsSync(link)) continue;
    mkdirSync(join(link, '..'), { recursive: true });
    symlinkSync(join(packages, name, 'node_modules', other), link);
  }
}

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

  it('of the core are refused with a sentence that names them', () => {
    expect(
      run(`try { two['transport-express'].express(one.core.framework()); print('taken'); } catch (error) { print(error.message); }`),
    ).toMatch(/^Two copies of @framework\/core are installed/);
  });
});
