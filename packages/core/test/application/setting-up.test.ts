import { expect, it } from '@jest/globals';
import { announceStart, framework, settingUp } from '../../src/index.ts';

/** Whether callers from outside wait for an application in this moment. */
const waits = (...apps: object[]): boolean[] => apps.map((app) => settingUp(app) !== undefined);

it('callers from outside wait for an application while it is set up for the first time', async () => {
  const app = framework();
  const seen: boolean[] = [];
  app.use('notes', { find: async () => [], setup: async () => void seen.push(...waits(app)) });
  expect(waits(app)).toEqual([false]);
  await app.setup();
  await app.setup({});
  expect([...seen, ...waits(app)]).toEqual([true, false]);
});

it('a start that sets up as a part of it is waited for to its end', async () => {
  const app = framework();
  let end = (): void => undefined;
  const start = new Promise<void>((resolve) => (end = resolve));
  announceStart(app, start);
  await app.setup();
  expect(waits(app)).toEqual([true]);
  end();
  await start;
  expect(waits(app)).toEqual([false]);
});

it('what has failed is told until it is tried again, and what is torn down is waited for again once that begins', async () => {
  const app = framework();
  let isAway = true;
  const seen: boolean[] = [];
  const setup = async (): Promise<void> => {
    seen.push(...waits(app));
    if (isAway) throw new Error('no database');
  };
  app.use('notes', { find: async () => [], setup });
  await expect(app.setup()).rejects.toThrow('no database');
  await expect(settingUp(app)).rejects.toThrow('no database');
  isAway = false;
  await app.setup();
  await app.teardown();
  expect(waits(app)).toEqual([false]);
  await app.setup();
  expect([...seen, ...waits(app)]).toEqual([true, true, true, false]);
});

it('an application that lies in another one is waited for from the start of that, until its own services are set up', async () => {
  const [outer, between, inner] = [framework(), framework(), framework()];
  const seen: boolean[][] = [];
  const look = { find: async () => [], setup: async () => void seen.push(waits(outer, between, inner)) };
  inner.use('notes', { ...look });
  between.use('inner', inner).use('beside', { ...look });
  outer
    .use('first', { ...look })
    .use('between', between)
    .use('last', { ...look });
  await outer.setup();
  const paths = ['first', 'inner/notes', 'between/beside', 'last'];
  expect(Object.fromEntries(paths.map((path, at) => [path, seen[at]]))).toEqual({
    first: [true, true, true],
    'inner/notes': [true, true, true],
    'between/beside': [true, true, false],
    last: [true, false, false],
  });
  expect(waits(outer, between, inner)).toEqual([false, false, false]);
});

it('nobody waits for what is no application', () => {
  announceStart({}, Promise.resolve());
  expect(waits({})).toEqual([false]);
});
