import { inspect } from 'node:util';
import { DocDbService } from '@framework/adapter-docdb';
import { MemoryService } from '@framework/adapter-memory';
import { framework, type HookContext, type ServiceOptions } from '@framework/core';
import { Hidden, serviceSchema, Type } from '@framework/schema';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import express, { errorHandler, json, rest, type Application } from '@framework/transport-express';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { listen, send, sendJson, type Running } from './harness.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.close());

const running: Running[] = [];
afterEach(async () => {
  for (const { stop } of running.splice(0)) await stop();
});

const plain = Type.Object({
  id: Type.String(),
  name: Type.String(),
  tenant: Type.Optional(Type.String()),
  rank: Type.Optional(Type.Integer()),
  owner: Type.Optional(Type.Object({ name: Type.String(), tenant: Type.Optional(Type.String()) })),
});
const hiding = Type.Object({
  id: Type.String(),
  name: Type.String(),
  tenant: Type.Optional(Hidden(Type.String())),
  rank: Type.Optional(Hidden(Type.Integer())),
  owner: Type.Optional(Type.Object({ name: Type.String(), tenant: Type.Optional(Hidden(Type.String())) })),
});

const hidden = ['tenant', 'rank', 'owner.tenant'];
const ADAPTERS = ['memory', 'docdb'] as const;
const HIDERS: [string, readonly string[], () => ServiceOptions][] = [
  ['the option of the adapter', hidden, () => ({})],
  ['that option beside a schema', hidden, () => ({ schema: serviceSchema({ record: plain }) })],
  ['the schema', [], () => ({ schema: serviceSchema({ record: hiding }) })],
];

/** An application whose hook lets each caller have the records of one tenant, in an order that nobody sees. */
async function start(adapter: (typeof ADAPTERS)[number], own: readonly string[], options: ServiceOptions): Promise<Running> {
  const app = express(framework()) as Application;
  app.use(json());
  app.configure(rest());
  const settings = { id: 'id', multi: true, paginate: { default: 9, max: 9 }, cursors: true, hidden: own };
  const collection = database.db.collection('items');
  await collection.deleteMany({});
  const methods = ['find', 'get', 'create', 'patch', 'remove', 'search'];
  const service = adapter === 'memory' ? new MemoryService(settings) : new DocDbService({ Model: collection, ...settings });
  Object.assign(service, { search: (query: object, params: object) => service._find({ ...params, query: { ...query } }) });
  app.use('items', service, { ...options, methods });
  app.service('items').hooks({
    before: {
      all: [
        (context: HookContext) => {
          const { params } = context;
          if (params.provider === undefined) return;
          const order = context.method === 'find' ? { $sort: { rank: -1, name: 1 } } : {};
          context.params = { ...params, query: { ...order, ...params.query, $and: [{ tenant: 'a' }, { 'owner.tenant': 'a' }] } };
        },
      ],
    },
  });
  app.use(errorHandler({ logger: false }));
  const started = await listen(app);
  running.push(started);
  await app.service('items').create([
    { id: '1', name: 'one', tenant: 'a', rank: 1, owner: { name: 'Ann', tenant: 'a' } },
    { id: '2', name: 'two', tenant: 'b', rank: 2, owner: { name: 'Bob', tenant: 'b' } },
    { id: '3', name: 'three', tenant: 'a', rank: 3, owner: { name: 'Cy', tenant: 'a' } },
    { id: '4', name: 'four', tenant: 'a', rank: 4, owner: { name: 'Di', tenant: 'b' } },
  ]);
  return started;
}

describe.each(ADAPTERS)('conditions of before hooks on what callers do not see, with %s', (adapter) => {
  describe.each(HIDERS)('by %s', (_title, own, options) => {
    it('hold for each method', async () => {
      const { url } = await start(adapter, own, options());
      const names = async (path: string): Promise<unknown> => {
        const { status, text } = await send(url, path);
        expect([status, text]).toEqual([200, expect.not.stringMatching(/tenant|rank/)]);
        return (JSON.parse(text) as { readonly data: { readonly name: string }[] }).data.map(({ name }) => name);
      };
      expect(await names('/items')).toEqual(['three', 'one']);
      expect(await names('/items?$sort[name]=1')).toEqual(['one', 'three']);
      expect(await names('/items?name=four')).toEqual([]);
      expect((await send(url, '/items/1')).status).toBe(200);
      for (const id of [2, 4]) {
        expect((await send(url, `/items/${String(id)}`)).status).toBe(404);
        expect((await sendJson(url, 'PATCH', `/items/${String(id)}`, { name: 'mine' })).status).toBe(404);
        expect((await send(url, `/items/${String(id)}`, { method: 'DELETE' })).status).toBe(404);
      }
      expect((await sendJson(url, 'PATCH', '/items/3', { name: 'mine' })).status).toBe(200);
      expect((await send(url, '/items/1', { method: 'DELETE' })).status).toBe(200);
      expect(await names('/items')).toEqual(['mine']);
    });

    it('S7 are none of callers', async () => {
      const { url } = await start(adapter, own, options());
      for (const query of [
        'tenant=a',
        'rank[$gt]=1',
        'owner.tenant=a',
        '$sort[rank]=1',
        '$select[]=tenant',
        '$or[0][tenant]=a',
        'owner[tenant]=a',
      ])
        expect([query, (await send(url, `/items?${query}`)).status]).toEqual([query, 400]);
    });
  });

  it.each(HIDERS)('S7 are none of the data of a method of its own, which asks for them, by %s', async (_title, own, options) => {
    const { url } = await start(adapter, own, options());
    const search = async (data: object): Promise<number> =>
      (await sendJson(url, 'POST', '/items', data, { 'X-Service-Method': 'search' })).status;
    expect(await search({ name: 'one' })).toBe(200);
    expect(await search({ 'owner.tenant': 'a' })).toBe(400);
    // The adapter knows its own option by itself.
    if (own.length > 0) for (const data of [{ tenant: 'a' }, { $sort: { rank: 1 } }]) expect(await search(data)).toBe(400);
  });
});

it.each(HIDERS)(
  'S25 hooks that print the parameters of a call print no settings of the application, with what is hidden by %s',
  async (_title, own, options) => {
    const app = framework();
    app.use('items', new MemoryService({ id: 'id', hidden: own }), options());
    app.set('kept', 'stored');
    const printed: string[] = [];
    app.service('items').hooks({
      before: {
        all: [
          ({ params }: HookContext) => {
            printed.push(inspect(params, { depth: 20, showHidden: true }));
          },
        ],
      },
    });
    await app.service('items').create({ id: '1', name: 'stored', tenant: 'stored' });
    for (const query of [{}, { name: 'stored' }]) await app.service('items').find({ provider: 'rest', query });
    await app.service('items').get('1', { provider: 'rest' });
    expect(printed.map((text) => text.includes('stored'))).toEqual([false, false, true, false]);
  },
);
