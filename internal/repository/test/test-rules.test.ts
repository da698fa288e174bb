import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'rules-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
const config = join(folder, 'rules.json');
writeFileSync(
  config,
  JSON.stringify({
    jsPlugins: [join(root, 'scripts/test-rules.mjs')],
    categories: { correctness: 'off' },
    rules: { 'tests/no-wall-clock': 'error', 'tests/no-own-random': 'error' },
  }),
);

/** What the rules say of a test. */
function problems(code: string): string[] {
  writeFileSync(join(folder, 'a.test.js'), code);
  const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/oxlint/bin/oxlint'), '-c', config, '-f', 'json', folder], {
    encoding: 'utf8',
  });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly { readonly code: string; readonly message: string }[] };
  return diagnostics.map(({ code: rule, message }) => `${rule}: ${message}`);
}

describe('rules for tests', () => {
  it.each([
    ['in its place', 'const start = performance.now(); work(); expect(performance.now() - start).toBeLessThan(200);'],
    ['by a variable', 'const start = Date.now(); work(); const took = Date.now() - start; expect(took < 200).toBe(true);'],
    [
      'by several',
      'const start = process.hrtime.bigint(); const end = process.hrtime.bigint(); const t = end - start; expect(t / 2n).toBe(1n);',
    ],
    ['in a list', 'const start = Date.now(); const end = Date.now(); expect([1, Math.round(end - start)]).toEqual([1, 2]);'],
    ['by the form that subtracts itself', 'const start = process.hrtime(); expect(process.hrtime(start)[0]).toBe(0);'],
    ['as the other side', 'const start = performance.now(); expect(200).not.toBeLessThan(performance.now() - start);'],
  ])('refuse a time that was measured and is asserted %s', (_where, code) => {
    expect(problems(code)).toEqual([expect.stringMatching(/^tests\(no-wall-clock\): .*count, or compare/)]);
  });

  it.each([
    ['a date that is given', 'const now = Date.now(); expect(serve({ now })).toEqual(now);'],
    ['a date that is set ahead', 'const ahead = Date.now() + 60_000; expect(check(ahead)).toBe(false);'],
    [
      'a wait with an end',
      'const end = Date.now() + 1000; while (!done()) if (Date.now() > end) throw new Error(); expect(done()).toBe(true);',
    ],
    ['a difference of counts', 'const before = count(); work(); expect(count() - before).toBe(1);'],
    ['how long something may take by its own answer', 'expect(answer.readyAt - Date.now()).toBeGreaterThan(1);'],
  ])('take %s', (_what, code) => {
    expect(problems(code)).toEqual([]);
  });

  it.each([
    ['without a seed', 'const value = Math.random();', 'Math.random has no seed'],
    ['of its own', 'state = (state * 1103515245 + 12345) % 2 ** 31;', '1103515245 belongs to a generator of its own'],
  ])('refuse random numbers %s', (_what, code, message) => {
    expect(problems(code)).toEqual([expect.stringContaining(message)]);
  });
});
