import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');
const SOURCE = 'packages/one/src/index.ts';
const TEST = 'internal/two/test/deep/some.test.ts';
const [OTHER_TEST, DECLARATIONS] = ['examples/three/test/other.test.ts', 'packages/one/src/index.d.ts'];
let folder: string;
const path = (name: string): string => join(folder, name);

/** Compiles sources as Jest has them compiled, by the transformer beside this. */
const PROGRAM = `import { readFileSync } from 'node:fs';
import transformer from './scripts/jest-transformer.mjs';
const [way, ...paths] = process.argv.slice(2);
const config = { cwd: import.meta.dirname, rootDir: import.meta.dirname, globals: {}, transform: [], testMatch: [], testRegex: [] };
const options = { instrument: false, supportsStaticESM: true, cacheFS: new Map(), config, transformerConfig: {} };
const { [way]: compile } = transformer.createTransformer();
const codes = [];
for (const path of paths) codes.push((await compile(readFileSync(path, 'utf8'), path, options)).code);
console.log(JSON.stringify(codes));
`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'compile-tests-'));
  for (const name of ['compile-tests.mjs', 'jest-transformer.mjs', 'pnpm.mjs']) take(join('scripts', name));
  for (const name of ['tsconfig.jest.json', 'tsconfig.base.json', 'package.json']) take(name);
  mkdirSync(path('node_modules'));
  for (const name of ['ts-jest', 'typescript']) symlinkSync(join(root, 'node_modules', name), path(join('node_modules', name)));
  write('compile.mjs', PROGRAM);
  write(SOURCE, 'export const answer: number = 42;\n');
  write(TEST, "import { answer } from '../../../packages/one/src/index.ts';\nexport const told: string = String(answer);\n");
  write(OTHER_TEST, 'export class Box {\n  constructor(readonly value: unknown) {}\n}\n');
  write(DECLARATIONS, 'export declare const other: number;\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function take(name: string): void {
  mkdirSync(dirname(path(name)), { recursive: true });
  copyFileSync(join(root, name), path(name));
}
function write(name: string, text: string): void {
  mkdirSync(dirname(path(name)), { recursive: true });
  writeFileSync(path(name), text);
}
function run(...args: string[]): { readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env: { PATH: process.env.PATH } });
}
const compiled = (way: string, ...names: string[]): string[] => JSON.parse(run('compile.mjs', way, ...names.map(path)).stdout) as string[];
const kept = (): string[] => readdirSync(path('node_modules/.cache/compiled-tests'));

it('compiles what tests load once, as it is compiled one by one, and then nobody loads the compiler', () => {
  const all = [SOURCE, TEST, OTHER_TEST];
  const alone = compiled('processAsync', ...all);
  expect(alone[0]).toContain('export const answer = 42;');
  expect(run('scripts/compile-tests.mjs').stdout).toBe('3 files were compiled for the tests\n');
  expect(kept()).toHaveLength(3);

  rmSync(path('node_modules/ts-jest'));
  mkdirSync(path('node_modules/ts-jest'));
  copyFileSync(join(root, 'node_modules/ts-jest/package.json'), path('node_modules/ts-jest/package.json'));
  for (const way of ['processAsync', 'process']) expect(compiled(way, ...all)).toEqual(alone);
  write(TEST, 'export const told: string = "new";\n');
  expect(run('compile.mjs', 'processAsync', path(TEST)).stderr).toMatch(/Cannot find module '.*ts-jest/);

  rmSync(path('node_modules/ts-jest'), { recursive: true });
  symlinkSync(join(root, 'node_modules/ts-jest'), path('node_modules/ts-jest'));
  const before = kept();
  expect(run('scripts/compile-tests.mjs', '--once').stdout).toBe('');
  expect(run('scripts/compile-tests.mjs').stdout).toBe('1 files were compiled for the tests\n');
  expect(kept()).toHaveLength(3);
  expect(kept().filter((key) => before.includes(key))).toHaveLength(2);
});

it('leaves what is no TypeScript to whoever loads it', () => {
  write(OTHER_TEST, 'export const = 1;\n');
  const { stdout } = run('scripts/compile-tests.mjs');
  expect(stdout).toContain(`${path(OTHER_TEST)}: `);
  expect(stdout).toContain('0 files were compiled for the tests\n');
  expect(kept()).toHaveLength(2);
});
