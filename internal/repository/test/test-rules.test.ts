import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

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

const TIMES: readonly (readonly [string, string])[] = [
  ['in its place', 'const start = performance.now(); work(); expect(performance.now() - start).toBeLessThan(200);'],
  ['by a variable', 'const start = Date.now(); work(); const took = Date.now() - start; expect(took < 200).toBe(true);'],
  [
    'by several',
    'const start = process.hrtime.bigint(); const end = process.hrtime.bigint(); const t = end - start; expect(t / 2n).toBe(1n);',
  ],
  ['in a list', 'const start = Date.now(); const end = Date.now(); expect([1, Math.round(end - start)]).toEqual([1, 2]);'],
  ['by the form that subtracts itself', 'const start = process.hrtime(); expect(process.hrtime(start)[0]).toBe(0);'],
  ['as the other side', 'const start = performance.now(); expect(200).not.toBeLessThan(performance.now() - start);'],
];
const TAKEN: readonly (readonly [string, string])[] = [
  ['a date that is given', 'const now = Date.now(); expect(serve({ now })).toEqual(now);'],
  ['a date that is set ahead', 'const ahead = Date.now() + 60_000; expect(check(ahead)).toBe(false);'],
  [
    'a wait with an end',
    'const end = Date.now() + 1000; while (!done()) if (Date.now() > end) throw new Error(); expect(done()).toBe(true);',
  ],
  ['a difference of counts', 'const before = count(); work(); expect(count() - before).toBe(1);'],
  ['how long something may take by its own answer', 'expect(answer.readyAt - Date.now()).toBeGreaterThan(1);'],
];
const RANDOM: readonly (readonly [string, string, string])[] = [
  ['without a seed', 'const value = Math.random();', 'Math.random has no seed'],
  ['of its own', 'state = (state * 1103515245 + 12345) % 2 ** 31;', '1103515245 belongs to a generator of its own'],
];

/** What the rules say of each test, by its code: all of them are linted by one process. */
const said = new Map<string, string[]>();
beforeAll(() => {
  const codes = [...TIMES, ...TAKEN, ...RANDOM].map(([, code]) => code);
  for (const [index, code] of codes.entries()) {
    said.set(code, []);
    writeFileSync(join(folder, `${String(index)}.test.js`), code);
  }
  const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/oxlint/bin/oxlint'), '-c', config, '-f', 'json', folder], {
    encoding: 'utf8',
  });
  const { diagnostics, number_of_files } = JSON.parse(stdout) as Report;
  if (number_of_files !== codes.length) throw new Error(`${String(number_of_files)} of ${String(codes.length)} tests were linted`);
  for (const { code: rule, message, filename } of diagnostics)
    said.get(String(codes[Number.parseInt(basename(filename), 10)]))?.push(`${rule}: ${message}`);
});

interface Report {
  readonly number_of_files: number;
  readonly diagnostics: readonly { readonly code: string; readonly message: string; readonly filename: string }[];
}

describe('rules for tests', () => {
  it.each(TIMES)('refuse a time that was measured and is asserted %s', (_where, code) => {
    expect(said.get(code)).toEqual([expect.stringMatching(/^tests\(no-wall-clock\): .*count, or compare/)]);
  });

  it.each(TAKEN)('take %s', (_what, code) => {
    expect(said.get(code)).toEqual([]);
  });

  it.each(RANDOM)('refuse random numbers %s', (_what, code, message) => {
    expect(said.get(code)).toEqual([expect.stringContaining(message)]);
  });
});
