import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');

/** Each says how it was found, and then does everything that the other must not see. Whichever comes first, the other is told of it. */
const FILE = `import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, it } from '@jest/globals';
import { loaded } from '../packages/one/src/index.js';
import { beside } from './beside.js';

const found = {
  fetched: String(fetch),
  added: 'added' in globalThis,
  crypto: typeof crypto,
  variable: process.env.ADDED ?? '',
  listeners: process.listenerCount('added'),
  frames: Error.stackTraceLimit,
  stored: typeof structuredClone,
};
globalThis.added = true;
globalThis.fetch = () => undefined;
delete globalThis.structuredClone;
Object.defineProperty(globalThis, 'crypto', { value: 1 });
process.env.ADDED = 'yes';
process.on('added', () => undefined);
Error.stackTraceLimit = 1;
expect.extend({ toBeAnything: () => ({ pass: true, message: () => '' }) });
loaded.times += 1;
beside.times += 1;

let before = 0;
beforeAll(() => { before += 1; });
it('knows its own hooks only', () => expect(before).toBe(1));
it('is told', async () => {
  const { late } = await import('../packages/one/src/late.js');
  late.times += 1;
  writeFileSync(import.meta.filename + '.json', JSON.stringify({ ...found, loaded: loaded.times, beside: beside.times, late: late.times }));
  expect(found.crypto).toBe('object');
});
`;

let folder: string;
let reports: Record<string, unknown>[];
let printed: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shared-modules-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const name of ['test', 'packages/one/src']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name":"sharing","type":"module"}');
  writeFileSync(join(folder, 'packages/one/src/index.js'), 'export const loaded = { times: 0 };');
  writeFileSync(join(folder, 'packages/one/src/late.js'), 'export const late = { times: 0 };');
  writeFileSync(join(folder, 'test/beside.js'), 'export const beside = { times: 0 };');
  for (const name of ['a', 'b']) writeFileSync(join(folder, `test/${name}.test.js`), FILE);
  const preset = JSON.stringify(join(root, 'jest.preset.js'));
  writeFileSync(
    join(folder, 'jest.config.js'),
    `import { testEnvironment, testEnvironmentOptions, runtime } from './preset.js';
     export default { testEnvironment, testEnvironmentOptions, runtime, transform: {} };`,
  );
  writeFileSync(
    join(folder, 'preset.js'),
    `import preset from ${preset};\nexport const { testEnvironment, testEnvironmentOptions, runtime } = preset;`,
  );
  const { stderr } = spawnSync(
    process.execPath,
    ['--experimental-vm-modules', '--no-warnings=ExperimentalWarning', join(root, 'node_modules/jest/bin/jest.js'), '--runInBand'],
    { cwd: folder, encoding: 'utf8', env: { PATH: process.env.PATH } },
  );
  printed = stderr;
  reports = ['a', 'b'].map(
    (name) => JSON.parse(readFileSync(join(folder, `test/${name}.test.js.json`), 'utf8')) as Record<string, unknown>,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a file of tests finds globals, the environment and listeners as if no other had run', () => {
  const [one, other] = reports.map(({ loaded: _loaded, late: _late, ...found }) => found);
  expect(one).toEqual(other);
  expect(one).toMatchObject({ added: false, variable: '', listeners: 0, stored: 'function', frames: 100, beside: 1 });
});

it('files of tests share what packages have loaded, also what is loaded later', () => {
  expect(reports.map(({ loaded }) => loaded).toSorted()).toEqual([1, 2]);
  expect(reports.map(({ late }) => late).toSorted()).toEqual([1, 2]);
});

it('each file of tests has its own hooks and its own results', () => {
  expect(printed).toMatch(/Tests: +4 passed, 4 total/);
});
