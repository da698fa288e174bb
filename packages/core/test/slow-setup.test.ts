import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { framework } from '../src/index.ts';

let warnings: { readonly mock: { readonly calls: readonly unknown[][] } };
const timers = new Map<object, { readonly ring: () => void; readonly delay: number }>();
beforeEach(() => {
  timers.clear();
  warnings = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((ring: () => void, delay: number) => {
    const timer = { unref: () => timers.set(timer, { ring, delay }) };
    return timer;
  }) as never);
  jest.spyOn(globalThis, 'clearTimeout').mockImplementation(((timer: object) => void timers.delete(timer)) as never);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** Lets the time of everything that is waited for pass. */
function wait(): void {
  for (const { ring, delay } of timers.values()) {
    expect(delay).toBe(10_000);
    ring();
  }
}

const told = (what: string): unknown[] => [
  `${what} has not ended after 10 seconds: the application is not set up, and calls from outside wait`,
  { code: 'SETUP_SLOW' },
];

/** Something that ends when it is told to, and says when it has begun. */
function step(): { readonly begun: Promise<void>; readonly run: () => Promise<void>; readonly end: () => void } {
  let [begin, end] = [(): void => undefined, (): void => undefined];
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const ended = new Promise<void>((resolve) => (end = resolve));
  const run = (): Promise<void> => {
    begin();
    return ended;
  };
  return { begun, run, end: () => end() };
}

it('a setup that takes ten seconds is told with what is waited for, in its turn', async () => {
  const [first, second, third] = [step(), step(), step()];
  const app = framework();
  app.use('notes', { find: async () => [], setup: second.run });
  const connect = async (_context: unknown, next: () => Promise<void>): Promise<void> => {
    await first.run();
    await next();
    await third.run();
  };
  app.hooks({ setup: [connect] });
  const done = app.setup();
  await first.begun;
  wait();
  expect(warnings.mock.calls).toEqual([told("The setup hook 'connect'")]);
  first.end();
  await second.begun;
  wait();
  expect(warnings.mock.calls.slice(1)).toEqual([told("The setup of service 'notes'")]);
  second.end();
  await third.begun;
  third.end();
  await done;
  expect(timers.size).toBe(0);
});

it('a hook without a name is told so', async () => {
  const waited = step();
  const app = framework();
  app.hooks({ setup: [(_context: unknown, next: () => Promise<void>) => waited.run().then(next)] });
  const done = app.setup();
  await waited.begun;
  wait();
  expect(warnings.mock.calls).toEqual([told('A setup hook')]);
  waited.end();
  await done;
});

it('the setup of a service that comes late is told too, and one that fails is not told besides', async () => {
  const late = step();
  const app = framework();
  await app.setup();
  app.use('late', { find: async () => [], setup: late.run });
  const found = app.service('late').find();
  await late.begun;
  wait();
  expect(warnings.mock.calls).toEqual([told("The setup of service 'late'")]);
  late.end();
  await expect(found).resolves.toEqual([]);
  const other = framework();
  other.use('failing', { find: async () => [], setup: () => Promise.reject(new Error('no database')) });
  await expect(other.setup()).rejects.toThrow('no database');
  expect(timers.size).toBe(0);
  expect(warnings.mock.calls).toHaveLength(1);
});
