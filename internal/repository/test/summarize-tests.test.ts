import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'summary-'));
  const results = join(folder, 'packages/numbers/.test-results');
  mkdirSync(results, { recursive: true });
  writeFileSync(join(folder, 'packages/numbers/jest.config.js'), '');
  const numbers = { name: 'numbers', passed: 3, failed: 1, broken: [], notes: ['left out: one'], tests: [] };
  writeFileSync(join(results, 'default.json'), JSON.stringify(numbers));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const script = JSON.stringify(join(root, 'scripts/summarize-tests.mjs'));
const printed = (...checks: string[]): string =>
  spawnSync(
    process.execPath,
    ['--input-type=module', '-e', `(await import(${script})).summarize(${JSON.stringify(folder)}, ${JSON.stringify(checks)})`],
    { encoding: 'utf8' },
  ).stdout;

it('the last line adds up what the tests of all packages came to', () => {
  expect(printed()).toBe('FAIL numbers: 3 passed, 1 failed\n     left out: one\n\n3 passed, 1 failed\n');
});

it('a check that has failed is named, and counts as one that failed', () => {
  expect(printed('check:api', 'lint')).toMatch(/FAIL check:api\nFAIL lint\n\n3 passed, 3 failed\n$/);
});

it('tests and files that have failed are named with what they failed with', () => {
  const suites = join(folder, 'packages/suites');
  mkdirSync(suites);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const reporter = [join(root, 'scripts/count-reporter.mjs'), { root: folder }];
  writeFileSync(join(suites, 'package.json'), '{"name":"suites","type":"module"}');
  writeFileSync(join(suites, 'jest.config.js'), `export default { reporters: [${JSON.stringify(reporter)}] };`);
  writeFileSync(join(suites, 'adds.test.js'), "it('adds', () => { throw new Error('came to 3'); });\nit('counts', () => {});");
  writeFileSync(join(suites, 'broken.test.js'), "throw new Error('is broken');");
  const jest = [join(root, 'node_modules/jest/bin/jest.js')];
  spawnSync(process.execPath, ['--experimental-vm-modules', ...jest], { cwd: suites, env: { PATH: process.env.PATH } });
  expect(printed()).toContain(`FAIL suites: 1 passed, 2 failed\n     packages/suites/broken.test.js: can not be run\n`);
  expect(printed()).toMatch(/broken\.test\.js: can not be run\n(?: {7}.*\n)*? {7} +is broken\n/);
  expect(printed()).toMatch(/ {5}packages\/suites\/adds\.test\.js: adds\n {7}Error: came to 3\n {7} +at .*adds\.test\.js:1:/);
});
