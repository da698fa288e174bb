import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');
const scripts = join(root, 'scripts/mutation');
const folder = mkdtempSync(join(tmpdir(), 'mutation-runner-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Each test of some files, run as `pnpm mutate` does before it tries changes, with what it failed with. */
function firstRun(files: Readonly<Record<string, string>>): unknown {
  mkdirSync(join(folder, 'test'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'test', name), text);
  const program = `
    import { strykerPlugins } from ${JSON.stringify(pathToFileURL(join(scripts, 'circus-runner.mjs')).href)};
    const left = [];
    const runner = new strykerPlugins[0].injectableClass({ warn: (text) => left.push(text) });
    await runner.init();
    const { tests } = await runner.dryRun({ coverageAnalysis: 'off' });
    const seen = tests.map(({ name, failureMessage = '' }) => [name.split(' ').slice(2).join(' '), failureMessage.split('\\n')[0]]);
    console.log(JSON.stringify({ seen: Object.fromEntries(seen), left }));
    process.exit();`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', pathToFileURL(join(scripts, 'register.mjs')).href, '--input-type=module', '-e', program],
    { cwd: root, encoding: 'utf8', env: { ...process.env, MUTATION_TESTS: relative(join(root, 'packages'), folder) } },
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

it('mutation tests run tests as Jest does: what a file spies on is its own, and rejections may be taken a turn later', () => {
  const spies = `
    import { afterEach, expect, it, jest } from '@jest/globals';
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    afterEach(() => void warned.mockClear());
    for (const name of ['one', 'two'])
      it(name, () => {
        process.emitWarning(name);
        expect(warned.mock.calls).toEqual([[name]]);
      });
    it('a spy of its own', () => {
      const asked = jest.spyOn(Math, 'hypot').mockReturnValue(7);
      expect(Math.hypot(1)).toBe(7);
      expect(asked.mock.calls).toHaveLength(1);
    });`;
  const others = `
    import { expect, it } from '@jest/globals';
    const turn = () => new Promise(setImmediate);
    it('nothing of another file', () => {
      expect([process.emitWarning, Math.hypot].map((of) => 'mock' in of)).toEqual([false, false]);
    });
    it('taken later', async () => {
      const late = Promise.reject(new Error('late'));
      await turn();
      await expect(late).rejects.toThrow('late');
    });
    it('taken by nobody', async () => {
      void Promise.reject(new Error('left'));
      await turn();
    });`;
  expect(firstRun({ 'a.test.ts': spies, 'b.test.ts': others })).toEqual({
    seen: { one: '', two: '', 'a spy of its own': '', 'nothing of another file': '', 'taken later': '', 'taken by nobody': 'Error: left' },
    left: [],
  });
});
