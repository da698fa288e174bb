import { MemoryService } from '@framework/adapter-memory';
import { framework, type Application, type HookContext } from '@framework/core';
import { Hidden, resolve, serviceSchema, Type } from '@framework/schema';
import { describe, expect, it } from '@jest/globals';

interface Record {
  readonly id: number;
  readonly name: string;
  readonly pin?: string;
  readonly auth?: { readonly token?: string; readonly by: string };
}

const stored: Record = { id: 1, name: 'Ann', pin: 'PIN', auth: { token: 'PIN', by: 'x' } };
const visible = { id: 1, name: 'Ann', auth: { by: 'x' } };

const record = Type.Object({
  id: Type.Number(),
  name: Type.String(),
  pin: Type.Optional(Hidden(Type.String())),
  auth: Type.Optional(Type.Object({ by: Type.String(), token: Type.Optional(Hidden(Type.String())) })),
});
const schema = serviceSchema({ record });
// Gives a new record for each that it gets.
const resolved = serviceSchema({ record, resolvers: { result: resolve<Record, HookContext>({}) } });

/** What an after hook makes of what the method gave, and what others get of that. */
const WAYS: readonly [title: string, wrap: (given: never) => unknown, expected: unknown][] = [
  ['an object around it', (record: Record) => ({ item: record, count: 1 }), { item: visible, count: 1 }],
  ['a page of its own', (record: Record) => ({ total: 1, data: [record] }), { total: 1, data: [visible] }],
  ['a list in an object', (record: Record) => ({ a: { b: [record, record] } }), { a: { b: [visible, visible] } }],
  ['a part of it', (record: Record) => record.auth, { by: 'x' }],
  ['an object around a part', (record: Record) => ({ auth: record.auth, pin: 1 }), { auth: { by: 'x' } }],
];

type App = Application<{ people: MemoryService<Record>; outer: { get(id: number, params?: object): Promise<unknown> } }>;

function start(described: typeof schema | undefined, hook: (context: HookContext) => void): App {
  const app: App = framework();
  const service = new MemoryService<Record>({ store: [stored], multi: true, ...(described ? {} : { hidden: ['pin', 'auth.token'] }) });
  if (described) app.use('people', service, { schema: described });
  else app.use('people', service);
  app.use('outer', {
    get: async (id: number) => ({ wrapped: ((await app.service('people').get(id)) as unknown as { item: unknown }).item }),
  });
  app.service('people').hooks({ after: { all: [hook] } });
  return app;
}

const outside = { provider: 'rest' };

describe.each<[string, typeof schema | undefined]>([
  ['rules of a schema', schema],
  ['a resolver of results', resolved],
  ['the option hidden', undefined],
])('a record that a hook puts into something else keeps its rules, by %s:', (_, described) => {
  it.each(WAYS)('%s', async (_title, wrap, expected) => {
    const app = start(described, (context) => {
      context.result = wrap(context.result as never);
    });
    const events: unknown[] = [];
    app.service('people').on('patched', (_record: unknown, context: HookContext) => void events.push(context.dispatch));
    expect(await app.service('people').get(1, outside)).toEqual(expected);
    expect(await app.service('people').patch(1, { name: 'Ann' }, outside)).toEqual(expected);
    await app.service('people').patch(1, { name: 'Ann' });
    expect(events).toEqual([expected, expected]);
  });

  it('what is sent in place of it', async () => {
    const app = start(described, (context) => {
      context.dispatch = { whole: context.result };
    });
    const sent: unknown[] = [];
    app.service('people').on('patched', (_record: unknown, context: HookContext) => void sent.push(context.dispatch));
    for (const params of [outside, {}]) await app.service('people').patch(1, { name: 'Ann' }, params);
    expect(sent).toEqual([{ whole: visible }, { whole: visible }]);
  });

  it('each of a list, also where the list is changed', async () => {
    const app = start(described, ({ result }) => {
      const list = result as unknown[];
      list.forEach((record, index) => (list[index] = { item: record }));
    });
    expect(await app.service('people').find(outside)).toEqual([{ item: visible }]);
  });

  it('in what another service makes of it', async () => {
    const app = start(described, (context) => {
      context.result = { item: context.result };
    });
    expect(await app.service('outer').get(1, outside)).toEqual({ wrapped: visible });
    expect(await app.service('people').get(1)).toMatchObject({ item: stored });
  });
});
