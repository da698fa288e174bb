import { answerFinally, framework, type HookContext, type NextFunction } from '@framework/core';
import { describe, expect, it } from '@jest/globals';
import {
  Field,
  getDispatch,
  resolve,
  resolveAll,
  resolveData,
  resolveExternal,
  resolveQuery,
  resolveResult,
  serviceSchema,
  Type,
  virtual,
} from '../../src/index.ts';

interface Row {
  id?: number;
  name: string;
  secret?: string;
  upper?: string;
  label?: string;
}

interface Called {
  find(params?: object): Promise<unknown>;
  create(data: unknown, params?: object): Promise<unknown>;
  remove(id: unknown, params?: object): Promise<unknown>;
}

const upper = resolve<Row>({ upper: virtual(({ name }) => name.toUpperCase()) });
const outside = (query: object = {}): object => ({ provider: 'rest', query });

/** A service with hooks, what its method was called with, and what callers from outside would get. */
function service(hooks: object, members: object = {}): { called: Called; seen: unknown[]; dispatch: () => unknown } {
  const seen: unknown[] = [];
  let dispatch: unknown;
  const app = framework().use('rows', {
    find: async ({ query }: { query?: { $select?: string[] } }) => {
      seen.push(query);
      const row = { id: 1, name: 'a', secret: 's' };
      const names = query?.$select;
      return [names ? Object.fromEntries(Object.entries(row).filter(([name]) => name === 'id' || names.includes(name))) : row];
    },
    create: async (data: unknown) => (seen.push(data), data),
    remove: async () => (seen.push('removed'), { id: 1, name: 'a' }),
    ...members,
  });
  const note = async (context: HookContext, next: NextFunction): Promise<void> => {
    await next();
    dispatch = context.dispatch;
  };
  app.service('rows').hooks([note] as never);
  app.service('rows').hooks(hooks as never);
  return { called: app.service('rows') as unknown as Called, seen, dispatch: () => dispatch };
}

describe('a converter', () => {
  const converting = resolve<Row>({}, { converter: (row) => ({ ...(row as Row), label: 'added' }) });

  it.each([
    ['resolveResult', resolveResult(converting)],
    ['resolveExternal', resolveExternal(converting)],
  ])('of %s adds what is asked for, and nothing where other properties are', async (_name, hook) => {
    const { called, dispatch } = service({ around: { find: [hook] } });
    const rowsOf = async (query: object): Promise<unknown> => {
      const result = await called.find(outside(query));
      return dispatch() ?? result;
    };
    expect(await rowsOf({ $select: ['name'] })).toEqual([{ id: 1, name: 'a' }]);
    expect(await rowsOf({ $select: ['name', 'label'] })).toEqual([{ id: 1, name: 'a', label: 'added' }]);
    expect(await rowsOf({})).toEqual([{ id: 1, name: 'a', secret: 's', label: 'added' }]);
  });
});

describe('resolveResult', () => {
  it('reads the whole record where a property is asked for that is not stored, and gives what was asked for, with the id', async () => {
    const { called, seen } = service({ around: { find: [resolveResult(upper)] } });
    expect(await called.find({ query: { $select: ['upper'], $limit: 5 } })).toStrictEqual([{ upper: 'A', id: 1 }]);
    expect(await called.find({ query: { $select: ['upper', 'name', 'missing'] } })).toStrictEqual([{ upper: 'A', name: 'a', id: 1 }]);
    expect(await called.find({ query: { $select: ['name'] } })).toStrictEqual([{ id: 1, name: 'a' }]);
    expect(seen).toEqual([{ $limit: 5 }, {}, { $select: ['name'] }]);
  });

  it('reads the whole record where one of several such properties is asked for', async () => {
    const both = resolve<Row>({ upper: virtual(({ name }) => name.toUpperCase()), label: virtual(({ secret }) => `<${String(secret)}>`) });
    const { called, seen } = service({ around: { find: [resolveResult(both)] } });
    expect(await called.find({ query: { $select: ['label'] } })).toStrictEqual([{ label: '<s>', id: 1 }]);
    expect(seen).toEqual([{}]);
  });

  it('keeps the id by the name that the service has for it', async () => {
    const rows = { id: '_id', find: async () => [{ _id: 7, id: 1, name: 'a' }] };
    const { called } = service({ around: { find: [resolveResult(upper)] } }, rows);
    expect(await called.find({ query: { $select: ['upper'] } })).toStrictEqual([{ upper: 'A', _id: 7 }]);
  });

  it('keeps the parts of objects that were asked for beside a property that is not stored', async () => {
    const rows = {
      find: async () => [{ id: 1, name: 'a', address: { city: 'x', street: 'y' }, parts: [{ no: 1, of: 2 }, 'text'], other: 5 }],
    };
    const { called } = service({ around: { find: [resolveResult(upper)] } }, rows);
    expect(await called.find({ query: { $select: ['upper', 'address.city', 'parts.no', 'missing.part'] } })).toStrictEqual([
      { upper: 'A', id: 1, address: { city: 'x' }, parts: [{ no: 1 }] },
    ]);
    expect(await called.find({ query: { $select: ['address.city', 'upper', 'address'] } })).toStrictEqual([
      { upper: 'A', address: { city: 'x', street: 'y' }, id: 1 },
    ]);
  });

  it('resolves a property of which a part is asked for', async () => {
    interface Carded {
      card?: { number: string; name: string };
      owner?: { name: string; age: number };
    }
    const masked = resolve<Carded>({
      card: async (card) => card && { ...card, number: '****' },
      owner: virtual(() => ({ name: 'Ann', age: 5 })),
    });
    const { called, seen } = service(
      { around: { find: [resolveResult(masked)] } },
      { find: async ({ query }: { query: object }) => (seen.push(query), [{ id: 1, card: { number: '4242', name: 'Ann' } }]) },
    );
    expect(await called.find({ query: { $select: ['card.number'] } })).toEqual([{ id: 1, card: { number: '****', name: 'Ann' } }]);
    expect(await called.find({ query: { $select: ['card.number', 'owner.name'] } })).toEqual([
      { id: 1, card: { number: '****' }, owner: { name: 'Ann' } },
    ]);
    expect(await called.find({ query: { $select: ['cards.number', 'car'] } })).toEqual([{ id: 1, card: { number: '4242', name: 'Ann' } }]);
    expect(seen).toEqual([{ $select: ['card.number'] }, {}, { $select: ['cards.number', 'car'] }]);
  });

  it('passes over names that are no texts, and a selection that is no list', async () => {
    const { called } = service({ around: { find: [resolveResult(upper)] } }, { find: async () => [{ 5: 'five', name: 'a' }] });
    expect(await called.find({ query: { $select: ['upper', 5] } })).toStrictEqual([{ upper: 'A' }]);
    expect(await called.find({ query: { $select: 5 } })).toStrictEqual([{ 5: 'five', name: 'a', upper: 'A' }]);
  });

  it('takes one name alone as a list of one, as services do', async () => {
    const { called, seen } = service({ around: { find: [resolveResult(upper)] } });
    expect(await called.find({ query: { $select: 'upper' } })).toStrictEqual([{ upper: 'A', id: 1 }]);
    expect(seen).toEqual([{}]);
  });

  it('takes no more names beside a property that is not stored than services take without', async () => {
    const { called, seen } = service({ around: { find: [resolveResult(upper)] } });
    const names = (count: number): string[] => ['upper', ...Array.from({ length: count - 1 }, (_, index) => `name.${String(index)}`)];
    await called.find(outside({ $select: names(1000) }));
    await expect(called.find(outside({ $select: names(1001) }))).rejects.toMatchObject({ code: 400, data: { parameter: '$select' } });
    expect(seen).toEqual([{}]);
  });

  it('runs one resolver after the other', async () => {
    const twice = resolve<Row>({ label: virtual(({ upper: made }) => `${String(made)}${String(made)}`) });
    const { called } = service({ around: { find: [resolveResult(upper, twice)] } });
    expect(await called.find()).toEqual([{ id: 1, name: 'a', secret: 's', upper: 'A', label: 'AA' }]);
  });

  it('leaves ids, and whatever else is no record, in a list of results', async () => {
    const { called } = service({ around: { find: [resolveResult(upper)] } }, { find: async () => ['a', null, { name: 'a' }] });
    expect(await called.find()).toEqual(['a', null, { name: 'a', upper: 'A' }]);
    expect(await called.find({ query: { $select: ['upper'] } })).toEqual(['a', null, { upper: 'A' }]);
  });
});

describe('resolveExternal', () => {
  const hiding = resolve<Row>({ secret: () => undefined, label: virtual(({ name }) => `<${String(name)}>`) });

  it('makes what callers from outside get, and leaves the result', async () => {
    const { called, dispatch } = service({ around: { find: [resolveExternal(hiding)] } });
    expect(await called.find()).toEqual([{ id: 1, name: 'a', secret: 's' }]);
    expect(dispatch()).toEqual([{ id: 1, name: 'a', label: '<a>' }]);
  });

  it('hides what is stored, asked for or not, and works out only what was asked for', async () => {
    const whole = { find: async () => [{ id: 1, name: 'a', secret: 's' }] };
    const { called, dispatch } = service({ around: { find: [resolveExternal(hiding)] } }, whole);
    await called.find(outside({ $select: ['name'] }));
    expect(dispatch()).toEqual([{ id: 1, name: 'a' }]);
    await called.find(outside({ $select: ['name', 'label'] }));
    expect(dispatch()).toEqual([{ id: 1, name: 'a', label: '<a>' }]);
  });

  it('keeps what a document leaves out of its JSON, and hides what it has in it, asked for or not', async () => {
    class Document {
      password = 'p';
      toJSON(): object {
        return { id: 1, name: 'a', secret: 's' };
      }
    }
    const { called, dispatch } = service({ around: { find: [resolveExternal(hiding)] } }, { find: async () => [new Document()] });
    await called.find(outside());
    expect(dispatch()).toEqual([{ id: 1, name: 'a', label: '<undefined>' }]);
    await called.find(outside({ $select: ['name'] }));
    expect(dispatch()).toEqual([{ id: 1, name: 'a' }]);
  });

  it('works out only what was asked for, also where the record was read whole for another property', async () => {
    const { called, dispatch } = service({ around: { find: [resolveExternal(hiding), resolveResult(upper)] } });
    await called.find(outside({ $select: ['upper'] }));
    expect(dispatch()).toStrictEqual([{ upper: 'A', id: 1 }]);
    const all = service({ around: { find: [resolveAll({ result: upper, dispatch: hiding })] } });
    await all.called.find(outside({ $select: ['upper'] }));
    expect(all.dispatch()).toStrictEqual([{ upper: 'A', id: 1 }]);
  });

  it('does not work out what was not asked for, although something is stored under its name', async () => {
    const whole = { find: async () => [{ id: 1, name: 'a', label: 'stored' }] };
    const { called, dispatch } = service({ around: { find: [resolveExternal(hiding)] } }, whole);
    await called.find(outside({ $select: ['name'] }));
    expect(dispatch()).toEqual([{ id: 1, name: 'a', label: 'stored' }]);
  });

  it('leaves what is no record in a list, whatever is asked for', async () => {
    const { called, dispatch } = service({ around: { find: [resolveExternal(hiding)] } }, { find: async () => ['a', null, { name: 'b' }] });
    await called.find(outside({ $select: ['label'] }));
    expect(dispatch()).toEqual(['a', null, { name: 'b', label: '<b>' }]);
  });

  it('hides what is stored in pages of a service that gives them whatever it is asked for', async () => {
    const find = async (): Promise<object> => ({ total: 1, limit: 10, skip: 0, data: [{ id: 1, name: 'a', secret: 's' }] });
    const hide = resolve<Row>({ secret: async () => undefined });
    const { called, dispatch } = service({ around: { find: [resolveExternal(hide)] } }, { find });
    await called.find({ ...outside(), paginate: false });
    expect(dispatch()).toEqual({ total: 1, limit: 10, skip: 0, data: [{ id: 1, name: 'a' }] });
  });

  it('lets a record in which it changes nothing be shown wherever it is put', async () => {
    const { called } = service({ around: { find: [resolveExternal(resolve<Row>({}))] } });
    const records = await called.find();
    expect(getDispatch({ any: records })).toEqual({ any: [{ id: 1, name: 'a', secret: 's' }] });
  });

  it('takes what another hook has made for the outside', async () => {
    const { called, dispatch } = service({
      around: {
        find: [
          resolveExternal(hiding),
          async (context: HookContext, next: NextFunction) => {
            await next();
            context.dispatch = [{ name: 'b', secret: 't' }];
          },
        ],
      },
    });
    await called.find(outside());
    expect(dispatch()).toEqual([{ name: 'b', label: '<b>' }]);
  });

  it('shows records of other services as the caller may see them', async () => {
    const users = Type.Object({
      id: Type.Integer(),
      pay: Type.Optional(Field(Type.Integer(), { readable: ({ headers }) => headers?.['x-role'] === 'admin' })),
    });
    const app = framework().use('users', { get: async () => ({ id: 5, pay: 9 }) }, { schema: serviceSchema({ record: users }) });
    const user = () => (app.service('users') as unknown as { get(id: number): Promise<object> }).get(5);
    const { called, dispatch } = service({ around: { find: [resolveExternal(resolve<{ user?: object }>({ user: virtual(user) }))] } });
    await called.find({ provider: 'rest', headers: { 'x-role': 'admin' } });
    expect(dispatch()).toMatchObject([{ user: { id: 5, pay: 9 } }]);
    await called.find({ provider: 'rest', headers: {} });
    expect(dispatch()).toMatchObject([{ user: { id: 5 } }]);
    expect(JSON.stringify(dispatch())).not.toContain('pay');
  });
});

describe('writes to several records', () => {
  const broken = resolve<Row>({ upper: virtual(({ name }) => name.toUpperCase()) });
  const hooks = { around: { all: [resolveAll({ result: broken, dispatch: broken })] } };
  interface Writes {
    patch(id: null | number, data: object, params?: object): Promise<unknown>;
    remove(id: null | number, params?: object): Promise<unknown>;
  }
  const writing = (result: unknown, options: object): { writes: Writes; dispatch: () => unknown } => {
    const give = async (): Promise<unknown> => result;
    const { called, dispatch } = service(hooks, { options, patch: give, remove: give });
    return { writes: called as unknown as Writes, dispatch };
  };

  it.each([
    ['the number', 'count', { count: 2 }],
    ['the ids', 'ids', [{ id: 1 }, { id: 2 }]],
  ])('that give %s of records have nothing to resolve', async (_what, returning, result) => {
    const { writes, dispatch } = writing(result, { returning });
    for (const call of [() => writes.patch(null, {}), () => writes.remove(null)]) {
      expect(await call()).toEqual(result);
      expect(dispatch()).toBeUndefined();
    }
    const records = writing(result, {});
    expect(await records.writes.remove(null, { adapter: { returning } })).toEqual(result);
  });

  it('that give records have them resolved, as writes to one have', async () => {
    const { writes, dispatch } = writing([{ id: 1, name: 'a' }], { returning: 'records' });
    expect(await writes.patch(null, {})).toEqual([{ id: 1, name: 'a', upper: 'A' }]);
    expect(dispatch()).toEqual([{ id: 1, name: 'a', upper: 'A' }]);
    const one = writing({ id: 1, name: 'a' }, { returning: 'count' });
    expect(await one.writes.remove(1)).toEqual({ id: 1, name: 'a', upper: 'A' });
    for (const returning of ['count', 'ids']) {
      // What a hook has put in the place of it may hold what a resolver hides.
      const replaced = writing([{ id: 1, name: 'a' }], { returning });
      expect(await replaced.writes.remove(null)).toEqual([{ id: 1, name: 'a', upper: 'A' }]);
      expect(replaced.dispatch()).toEqual([{ id: 1, name: 'a', upper: 'A' }]);
    }
    const asked = writing([{ id: 1, name: 'a' }], { returning: 'count' });
    expect(await asked.writes.remove(null, { adapter: { returning: 'records' } })).toEqual([{ id: 1, name: 'a', upper: 'A' }]);
  });

  it('that give what looks like numbers or ids have it resolved where it is a record', async () => {
    interface Counted {
      count?: number;
      name?: string;
      seen?: boolean;
    }
    const seen = resolve<Counted>({ seen: virtual(() => true) });
    const giving = (result: unknown, members: object): Writes =>
      service(
        { around: { all: [resolveResult(seen)] } },
        { find: async () => result, patch: async () => result, remove: async () => result, ...members },
      ).called as unknown as Writes;
    const counting = { options: { returning: 'count' } };
    for (const call of [
      giving({ count: 5 }, counting).patch(1, {}),
      giving({ count: 5 }, counting).remove(1),
      giving({ count: 5 }, {}).remove(null),
      giving({ count: 5 }, { options: {} }).patch(null, {}),
    ])
      expect(await call).toEqual({ count: 5, seen: true });
    expect(await (giving([{ count: 5 }], counting) as unknown as Called).find()).toEqual([{ count: 5, seen: true }]);
    for (const options of [undefined, {}, { returning: 'records' }, { returning: 'count' }])
      expect(await giving([{ id: 1 }], { options }).remove(null)).toEqual([{ id: 1, seen: true }]);
    const ids = { options: { returning: 'ids' } };
    expect(await giving([{ id: 1 }, { id: 2, name: 'b' }], ids).remove(null)).toEqual([
      { id: 1, seen: true },
      { id: 2, name: 'b', seen: true },
    ]);
    for (const result of [[{ _id: 1 }], [{ id: 1 }], []]) expect(await giving(result, ids).patch(null, {})).toEqual(result);
    expect(await giving([{ number: 1 }], { ...ids, id: 'number' }).patch(null, {})).toEqual([{ number: 1 }]);
    for (const options of [ids, counting])
      for (const result of [null, 'text', [null]]) expect(await giving(result, options).remove(null)).toEqual(result);
  });

  it('show their number to callers from outside', async () => {
    const app = framework();
    const schema = serviceSchema({
      record: Type.Object({ id: Type.Integer(), name: Type.String() }),
      resolvers: { result: broken, dispatch: broken } as never,
    });
    app.use('rows', { options: { returning: 'count' }, remove: async () => ({ count: 2 }) } as never, { schema: schema as never });
    expect(await (app.service('rows' as never) as unknown as Writes).remove(null, { provider: 'rest' })).toEqual({ count: 2 });
  });
});

describe('an answer that was made before', () => {
  it('is left as it is', async () => {
    const answered = { kept: true };
    const answer = (context: HookContext): void => {
      answerFinally(context, answered);
    };
    for (const hook of [resolveResult(upper), resolveExternal(upper), resolveAll({ result: upper, dispatch: upper })]) {
      const { called, dispatch } = service({ around: { find: [hook] }, before: { find: [answer] } });
      expect(await called.find()).toBe(answered);
      expect(dispatch()).toBeUndefined();
    }
  });
});

describe('resolveQuery', () => {
  it('changes the query of the caller, and makes one where there is none', async () => {
    const own = resolve<{ owner?: string }>({ owner: () => 'me' });
    const { called, seen } = service({ before: { find: [resolveQuery(own)] } });
    await called.find({ query: { name: 'a', owner: 'you' } });
    await called.find();
    expect(seen).toEqual([{ name: 'a', owner: 'me' }, { owner: 'me' }]);
    const all = service({ around: { find: [resolveAll({ query: own })] } });
    await all.called.find({ query: { name: 'a', owner: 'you' } });
    await all.called.find();
    expect(all.seen).toEqual([{ name: 'a', owner: 'me' }, { owner: 'me' }]);
  });
});

describe('resolvers of data', () => {
  const made = resolve<{ at?: number }>({ at: () => 1 });

  it('work on the data of a call, each entry of a list, and make none where there is none', async () => {
    for (const hooks of [
      { before: { all: [resolveData(made)] } },
      { around: { all: [resolveAll({ data: { create: made, remove: made } as never })] } },
    ]) {
      const { called, seen } = service(hooks);
      await called.create({ a: 1 });
      await called.create([{ a: 1 }, { a: 2 }]);
      await called.remove(1);
      expect(seen).toEqual([
        { a: 1, at: 1 },
        [
          { a: 1, at: 1 },
          { a: 2, at: 1 },
        ],
        'removed',
      ]);
    }
  });

  it('are not given to a method that has none', async () => {
    const seen: unknown[] = [];
    const told = resolve<{ at?: number }>({ at: (_value, _data, context) => void seen.push((context as HookContext).method) });
    const { called } = service({ before: { all: [resolveData(told)] } });
    await called.remove(1);
    await called.find();
    expect(seen).toEqual([]);
    await called.create({});
    expect(seen).toEqual(['create']);
  });

  it('convert nothing where a method has no data', async () => {
    const seen: unknown[] = [];
    const converting = resolve<Row>({}, { converter: (data) => (seen.push(data), data as Row) });
    for (const hooks of [
      { before: { all: [resolveData(converting)] } },
      { around: { all: [resolveAll({ data: { create: converting, remove: converting } as never })] } },
    ]) {
      const { called } = service(hooks);
      await called.remove(1);
      await called.create({ name: 'a' });
    }
    expect(seen).toEqual([{ name: 'a' }, { name: 'a' }]);
  });
});

describe('hooks that have to run around', () => {
  it.each([
    ['resolveResult', resolveResult(upper)],
    ['resolveExternal', resolveExternal(upper)],
  ])('%s says so where it does not', async (name, hook) => {
    const next = async (): Promise<void> => undefined;
    const message = `The ${name} hook must be used as an around hook`;
    await expect(hook({ type: 'before' } as HookContext, next)).rejects.toThrow(new Error(message));
    await expect(hook({ type: 'around' } as HookContext)).rejects.toThrow(new Error(message));
  });

  it('go on by themselves only there: a hook before the method leaves that to others', async () => {
    let went = 0;
    const next = async (): Promise<void> => void (went += 1);
    const hook = resolveQuery(resolve<Row>({}));
    await hook({ type: 'before', params: {} } as HookContext, next);
    await hook({ type: 'around', params: {} } as HookContext);
    expect(went).toBe(0);
    await hook({ type: 'around', params: {} } as HookContext, next);
    expect(went).toBe(1);
  });

  it('resolveAll says so where it does not', async () => {
    const nothing = { result: resolve({}) };
    await expect(resolveAll(nothing)({ type: 'before' } as HookContext)).rejects.toThrow(
      new Error('The resolveAll hook must be used as an around hook'),
    );
    const { called } = service({ around: { find: [resolveAll(nothing)] } });
    expect(await called.find()).toEqual([{ id: 1, name: 'a', secret: 's' }]);
  });
});
