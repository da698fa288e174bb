import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { framework } from '../../src/index.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const unowned: unknown[] = [];
const note = (reason: unknown): void => void unowned.push(reason);
beforeEach(() => {
  unowned.length = 0;
  process.on('unhandledRejection', note);
});
afterEach(() => {
  process.off('unhandledRejection', note);
});

const FAILING: [string, () => unknown][] = [
  [
    'throws',
    () => {
      throw new Error('of the report');
    },
  ],
  ['rejects', () => Promise.reject(new Error('of the report'))],
];

describe.each(FAILING)('a listener of listenerError that %s', (_title, fail) => {
  it.each(FAILING)(
    'neither fails the call, nor keeps others from being told, nor ends the process, where one of the event %s',
    async (_how, failure) => {
      const warnings: unknown[] = [];
      const warn = jest.spyOn(process, 'emitWarning').mockImplementation((text, options) => void warnings.push([text, options]));
      const app = framework().use('x', { create: async (data: unknown) => data });
      const heard: unknown[] = [];
      app.on('listenerError', fail);
      app.on('listenerError', (error: Error) => heard.push(error.message));
      app.service('x').on('created', failure);
      app.service('x').on('created', (record: unknown) => heard.push(record));
      expect(await app.service('x').create(1)).toBe(1);
      await settled();
      warn.mockRestore();
      expect(heard.sort()).toEqual([1, 'of the report']);
      expect(warnings).toEqual([
        ["A listener of 'listenerError' failed", { detail: expect.stringMatching(/^Error: of the report\n +at /) }],
      ]);
      expect(unowned).toEqual([]);
    },
  );
});

it('a warning of an error of a listener says whose it is, and where it comes from', async () => {
  // Node.js prints it: a listener to warnings would see less than people do.
  const script = fileURLToPath(new URL('../fixtures/failing-listener.mjs', import.meta.url));
  const { stderr } = await promisify(execFile)(process.execPath, [script]);
  expect(stderr).toContain("Warning: A listener of 'x created' failed\nError: of the report\n");
  expect(stderr).toContain('failing-listener.mjs:6:9');
});
