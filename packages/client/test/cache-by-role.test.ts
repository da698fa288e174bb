import { afterEach, describe, expect, it } from '@jest/globals';
import { QueryClient, QueryObserver } from '@tanstack/query-core';
import { createClient, rest, sse } from '../src/index.ts';
import { findOptions, getOptions, liveQuery } from '../src/query/index.ts';
import { LOGIN, start, type TestApp } from './application.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A cache of who may see salaries and streets, which no event has, and the service as the server has it. */
async function setUp() {
  const { app, url, stop } = await start();
  const client = createClient<TestApp>(rest(url), { events: sse(url) });
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  ends.push(stop, () => {
    client.close();
    cache.clear();
  });
  await client.authenticate(LOGIN);
  const staff = client.service('staff');
  const connected = new Promise<void>((resolve) => client.on('connect', resolve));
  ends.push(liveQuery(client, cache, { services: { staff }, gather: 1 }));
  let told = 0;
  for (const event of ['created', 'updated', 'patched', 'removed'] as const) staff.on(event, () => told++);
  await connected;
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  return {
    app,
    /** Shows what a page shows, until the end of the test. */
    async show(query: object = {}) {
      const options = findOptions('staff', staff, { query });
      ends.push(new QueryObserver(cache, options).subscribe(() => undefined));
      await until(() => cache.getQueryData(options.queryKey) !== undefined);
      return (): unknown => cache.getQueryData(options.queryKey);
    },
    async showOne(id: number) {
      const options = getOptions('staff', staff, id);
      ends.push(new QueryObserver(cache, options).subscribe(() => undefined));
      await until(() => cache.getQueryData(options.queryKey) !== undefined);
      return (): unknown => cache.getQueryData(options.queryKey);
    },
    /** Writes on the server, and waits for what the events make of the cache. */
    async write(run: () => Promise<unknown>): Promise<void> {
      const before = told;
      await run();
      await until(() => told > before);
      await new Promise((resolve) => setTimeout(resolve, 5));
      await until(() => cache.isFetching() === 0);
    },
  };
}

it('keeps what events do not have of a changed record in a list', async () => {
  const { app, show, write } = await setUp();
  await app.service('staff').create({ name: 'Bob', salary: 5 });
  const shown = await show();
  await write(() => app.service('staff').patch(1, { name: 'Rob' }));
  expect(shown()).toEqual([{ id: 1, name: 'Rob', salary: 5 }]);
});

it('shows a change of what events do not have', async () => {
  const { app, show, write } = await setUp();
  await app.service('staff').create({ name: 'Bob', salary: 5 });
  const shown = await show();
  await write(() => app.service('staff').patch(1, { salary: 6 }));
  expect(shown()).toEqual([{ id: 1, name: 'Bob', salary: 6 }]);
});

it('shows what events do not have when the record gets it', async () => {
  const { app, show, write } = await setUp();
  await app.service('staff').create({ name: 'Bob' });
  const shown = await show();
  await write(() => app.service('staff').patch(1, { salary: 6 }));
  expect(shown()).toEqual([{ id: 1, name: 'Bob', salary: 6 }]);
});

it('shows what events do not have when a record gets it that others have, with another change', async () => {
  const { app, show, write } = await setUp();
  await app.service('staff').create([{ name: 'Ann', salary: 9 }, { name: 'Bob' }]);
  const shown = await show();
  await write(() => app.service('staff').patch(2, { name: 'Rob', salary: 6 }));
  expect(shown()).toEqual([
    { id: 1, name: 'Ann', salary: 9 },
    { id: 2, name: 'Rob', salary: 6 },
  ]);
});

it('shows all of a record that is created beside others', async () => {
  const { app, show, write } = await setUp();
  await app.service('staff').create({ name: 'Ann', salary: 9 });
  const shown = await show({ $sort: { id: 1 } });
  await write(() => app.service('staff').create({ name: 'Bob', salary: 5 }));
  expect(shown()).toEqual([
    { id: 1, name: 'Ann', salary: 9 },
    { id: 2, name: 'Bob', salary: 5 },
  ]);
});

it('shows all of a record that comes into an empty list', async () => {
  const { app, show, write } = await setUp();
  const shown = await show();
  await write(() => app.service('staff').create({ name: 'Bob', salary: 5 }));
  expect(shown()).toEqual([{ id: 1, name: 'Bob', salary: 5 }]);
});

it('keeps what events do not have within a property', async () => {
  const { app, show, write } = await setUp();
  await app.service('staff').create({ name: 'Bob', home: { city: 'Bonn', street: 'Am Hof' } });
  const shown = await show();
  await write(() => app.service('staff').patch(1, { name: 'Rob' }));
  expect(shown()).toEqual([{ id: 1, name: 'Rob', home: { city: 'Bonn', street: 'Am Hof' } }]);
});

it('keeps what events do not have of a single record', async () => {
  const { app, showOne, write } = await setUp();
  await app.service('staff').create({ name: 'Bob', salary: 5 });
  const shown = await showOne(1);
  await write(() => app.service('staff').patch(1, { name: 'Rob', salary: 6 }));
  expect(shown()).toEqual({ id: 1, name: 'Rob', salary: 6 });
});

it('shows what events do not have when a single record gets it', async () => {
  const { app, showOne, write } = await setUp();
  await app.service('staff').create({ name: 'Bob' });
  const shown = await showOne(1);
  await write(() => app.service('staff').patch(1, { salary: 6 }));
  expect(shown()).toEqual({ id: 1, name: 'Bob', salary: 6 });
});

describe('a condition on what events do not have of a property', () => {
  it.each([{ $ne: null }, { $nin: [null] }, { $in: ['Am Hof', null], $ne: null }])(
    'leaves a record that changes in its list: %j',
    async (street) => {
      const { app, show, write } = await setUp();
      await write(() => app.service('staff').create({ name: 'Bob', home: { city: 'Bonn', street: 'Am Hof' } }));
      const shown = await show({ 'home.street': street });
      await write(() => app.service('staff').patch(1, { name: 'Rob' }));
      expect(shown()).toEqual([{ id: 1, name: 'Rob', home: { city: 'Bonn', street: 'Am Hof' } }]);
    },
  );
});
