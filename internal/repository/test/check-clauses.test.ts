import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');
const TEST = 'packages/numbers/test/add.test.js';

/** Checkouts by the suites whose results they have: nothing changes those. */
const checkouts = new Map<string, string>();
afterAll(() => {
  for (const folder of checkouts.values()) rmSync(folder, { recursive: true, force: true });
});

function write(folder: string, file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

/** A checkout in which a real suite was run with the real reporter. */
function checkoutOf(suite: string): string {
  const known = checkouts.get(suite);
  if (known !== undefined) return known;
  const folder = mkdtempSync(join(tmpdir(), 'clauses-'));
  checkouts.set(suite, folder);
  write(folder, 'packages/numbers/package.json', '{"name":"numbers","type":"module"}');
  write(
    folder,
    'packages/numbers/jest.config.js',
    `export default { transform: {}, watchman: false, reporters: [[${JSON.stringify(join(root, 'scripts/count-reporter.mjs'))}, { root: ${JSON.stringify(folder)} }]] };`,
  );
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  write(folder, TEST, suite);
  const jest = [join(root, 'node_modules/jest/bin/jest.js')];
  spawnSync(process.execPath, ['--experimental-vm-modules', ...jest], {
    cwd: join(folder, 'packages/numbers'),
    env: { PATH: process.env.PATH },
  });
  return folder;
}

/** Runs a real suite, writes the map, and checks it. */
function check(suite: string, rows: readonly string[], ...options: string[]): { status: number | null; output: string } {
  const folder = checkoutOf(suite);
  write(folder, 'docs/spec/clauses.md', ['| sentence | text | file | title | why |', '|---|---|---|---|---|', ...rows, ''].join('\n'));
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/check-clauses.mjs'), '--root', folder, ...options], {
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

const suite = (body: string): string => `import { describe, expect, it } from '@jest/globals';\ndescribe('numbers', () => {\n${body}\n});`;
const ADDS = `it('add up', () => { expect(1 + 1).toBe(2); });`;
const ROW = `| 1#1 | Numbers add up | ${TEST} | numbers add up | |`;

describe('check-clauses', () => {
  it('accepts a row whose test passed', () => {
    const { status, output } = check(suite(ADDS), [ROW]);
    expect([status, output]).toEqual([0, expect.stringContaining('1 clauses: 1 proved by 1 tests, 0 open')]);
  });

  it.each([
    ['skipped', ADDS.replace('it(', 'it.skip('), "'numbers add up' of packages/numbers/test/add.test.js did not pass in this run: skipped"],
    ['marked as to do', `it.todo('add up'); it('others', () => { expect(1).toBe(1); });`, 'did not pass in this run: todo'],
    ['failing', ADDS.replace('toBe(2)', 'toBe(3)'), 'did not pass in this run: failed'],
    ['emptied', `it('add up', () => {});`, "'numbers add up' of packages/numbers/test/add.test.js asserts nothing"],
    ['renamed', ADDS.replace('add up', 'add up well'), "has the full title 'numbers add up'; is it 'numbers add up well'?"],
    [
      'removed',
      `it('else', () => { expect(1).toBe(1); });`,
      "no test of packages/numbers/test/add.test.js has the full title 'numbers add up'",
    ],
    ['not loaded', `throw new Error('broken');`, 'There are no test results'],
  ])('fails when the test of a row is %s', (_what, body, message) => {
    const { status, output } = check(suite(body), [ROW]);
    expect([status, output]).toEqual([1, expect.stringContaining(message)]);
  });

  it('fails when the file of a row was moved, and says where its test is', () => {
    const { status, output } = check(suite(ADDS), [ROW.replace('add.test', 'sum.test')]);
    expect([status, output]).toEqual([1, expect.stringContaining(`is not in packages/numbers/test/sum.test.js any more, but in ${TEST}`)]);
  });

  it('fails when two rows share a test, unless the second says why', () => {
    const second = `| 1#2 | And give numbers | ${TEST} | numbers add up | |`;
    expect(check(suite(ADDS), [ROW, second])).toMatchObject({ status: 1, output: expect.stringContaining('is the one of 1#1 already') });
    expect(check(suite(ADDS), [ROW, second.replace('| |', '| the sum is a number |')]).status).toBe(0);
  });

  it('counts open rows as open, and wants to know what is missing', () => {
    const open = '| 1#2 | Numbers divide | open | division is not there yet | |';
    expect(check(suite(ADDS), [ROW, open])).toMatchObject({
      status: 0,
      output: expect.stringMatching(/open: 1#2 Numbers divide: division is not there yet[\s\S]*1 proved by 1 tests, 1 open/),
    });
    expect(check(suite(ADDS), [ROW, open.replace('division is not there yet', '')]).status).toBe(1);
  });

  it('does not count the results of a part of the tests', () => {
    const folder = checkoutOf(suite(ADDS));
    const results = join(folder, 'packages/numbers/.test-results/default.json');
    const whole = readFileSync(results, 'utf8');
    spawnSync(process.execPath, ['--experimental-vm-modules', join(root, 'node_modules/jest/bin/jest.js'), '-t', 'nothing'], {
      cwd: join(folder, 'packages/numbers'),
    });
    expect(readFileSync(results, 'utf8')).toBe(whole);
  });

  it('proposes the full title for a part of one, and writes it', () => {
    const part = ROW.replace('| numbers add up |', '| add up |');
    const { output } = check(suite(ADDS), [part], '--suggest', '--write');
    expect(output).toContain(`1#1: 'add up' is 'numbers add up' of ${TEST}`);
    expect(readFileSync(join(checkoutOf(suite(ADDS)), 'docs/spec/clauses.md'), 'utf8')).toContain(ROW);
  });
});
