import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
