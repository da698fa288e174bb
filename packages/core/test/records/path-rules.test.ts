import { describe, expect, it } from '@jest/globals';
import { contributedRules, eachRecord, framework, getRules, PathRules, type HookContext, type Params } from '../../src/index.ts';

const outside = { provider: 'rest' };
const viewer = { params: outside };

/** A service as the tests call it. */
interface Called {
  find(params?: Params): Promise<unknown>;
  get(id: number, params?: Params): Promise<unknown>;
  patch(id: number, data: object, params?: Params): Promise<unknown>;
  report(data: object, params?: Params): Promise<unknown>;
  on(event: string, listener: (record: unknown, context: HookContext) => void): unknown;
}

describe('rules of records that nothing describes', () => {
  const rules = new PathRules().add({ hidden: ['members.secret', 'pin'], writeOnly: ['auth.password'], readOnly: ['role'] });
  const refused = (data: unknown): string[] => rules.refused(data, 'patch', viewer).map(({ path }) => path);

  it('go through lists, maps and names with dots, and leave what they do not change as it is', () => {
    const members = [{ secret: 1, name: 'a' }, [{ secret: 2 }], 'b'];
    expect(rules.redact({ members }, viewer)).toEqual({ members: [{ name: 'a' }, [{}], 'b'] });
    expect(rules.redact({ members: new Map([['secret', 1]]) }, viewer)).toEqual({ members: new Map() });
    expect(rules.redact({ 'auth.password': 1, auth: { password: 2, since: 3 } }, viewer)).toEqual({ auth: { since: 3 } });
    expect(rules.redact({ toJSON: () => ({ pin: 1, id: 2 }) }, viewer)).toEqual({ id: 2 });
    const open = { name: 'a', role: 'b' };
    expect(rules.redact(open, viewer)).toBe(open);
    expect(rules.redact({ pin: 1 }, 'internal')).toEqual({ pin: 1 });
  });

  it('say what may be asked and set', () => {
    expect(rules.property(['auth'], viewer)).toEqual({ readable: true, queryable: false, writable: true });
    expect(rules.property(['auth', 'password'], viewer)).toEqual({ readable: false, queryable: false, writable: true });
    expect(rules.property(['members', '0', 'secret'], viewer)).toEqual({ readable: false, queryable: false, writable: false });
    expect(rules.property(['role'], viewer)).toEqual({ readable: true, queryable: true, writable: false });
  });

  it.each([
    [{ pin: 1 }],
    [{ $set: { pin: 1 } }],
    [{ members: [{ secret: 1 }] }],
    [{ 'members.0.secret': 1 }],
    [{ $push: { members: { $each: [{ secret: 1 }] } } }],
    [{ $set: { 'members.$[].secret': 1 } }],
    [{ $unset: { members: 1 } }],
    [{ $rename: { other: 'role' } }],
    [{ $rename: { 'auth.password': 'shown' } }],
    [{ $pull: { 'auth.password': 'x' } }],
    [[{ role: 'admin' }]],
  ])('refuse %j', (data) => {
    expect(refused(Array.isArray(data) ? data[0] : data)).toHaveLength(1);
  });

  it('tell what is kept from a viewer', () => {
    expect(rules.unseenBy(viewer)).toEqual(['auth.password', 'members.secret', 'pin']);
    expect(rules.unseenBy('internal')).toEqual([]);
    expect(new PathRules().add({ hidden: ['a'], readOnly: ['a.b'] }).unseenBy(viewer)).toEqual(['a']);
  });

  it('tell what a viewer does not set', () => {
    expect(rules.unsetBy('internal')).toEqual([]);
    const own = new PathRules().add({ hidden: ['a'], readOnly: ['a.b', 'c.d'], writeOnly: ['e'] });
    expect([own.unsetBy(viewer), own.unseenBy(viewer)]).toEqual([
      ['a', 'c.d'],
      ['a', 'e'],
    ]);
  });

  it('tell at most 20 problems', () => {
    const members = Array.from({ length: 100 }, () => ({ secret: 1 }));
    expect(refused({ members })).toHaveLength(20);
    expect(refused({ name: 'a', auth: { password: 'b' }, 'auth.password': 'b', members: [{ name: 'a' }] })).toEqual([]);
  });

  it('are refused where they are none', () => {
    expect(() => new PathRules().add({ hidden: ['a..b'] })).toThrow("'a..b' is no path of a record");
    for (const none of [undefined, null, 5, ['a'], {}])
      expect(() => new PathRules().add({ hidden: [none as never] })).toThrow(`'${String(none)}' is no path of a record`);
    expect(() => new PathRules().add({ secret: ['a'] } as never)).toThrow("A record takes no rules 'secret'");
  });
});

describe('a service without a description', () => {
  const rows = [{ id: 1, pin: 'x', role: 'user', name: 'a' }];
  // Each application has records of its own: what one of its services hides stays hidden wherever a record goes.
  const stored = (): object[] => rows.map((row) => ({ ...row }));
  const service = {
    async find(_params?: Params): Promise<unknown> {
      return stored();
    },
    async get(): Promise<unknown> {
      return stored()[0];
    },
    async patch(_id: unknown, data: object): Promise<unknown> {
      return { ...rows[0], ...data };
    },
    async report(_data: object, _params?: Params): Promise<unknown> {
      return { made: stored() };
    },
  };
  const build = (own?: object): Called => {
    const app = framework();
    app.use('x', own ? Object.assign({ [contributedRules]: own }, service) : { ...service }, {
      methods: ['find', 'get', 'patch', 'report'],
    });
    return app.service('x') as unknown as Called;
  };

  it('has the rules that it brings along, and those that are added, from the next call on', async () => {
    const own = build({ hidden: ['pin'] });
    expect(await own.find(outside)).toEqual([{ id: 1, role: 'user', name: 'a' }]);
    expect(await own.find()).toEqual(rows);
    getRules(own)?.add({ hidden: ['name'] });
    expect(await own.find(outside)).toEqual([{ id: 1, role: 'user' }]);
    expect(await own.report({}, outside)).toEqual({ made: [{ id: 1, role: 'user' }] });
  });

  it('gives events what everyone may see', async () => {
    const own = build({ hidden: ['pin'] });
    const sent: unknown[] = [];
    own.on('patched', (_record, context) => void sent.push(context.dispatch));
    await own.patch(1, { name: 'b' });
    expect(sent).toEqual([{ id: 1, role: 'user', name: 'b' }]);
  });

  it.each([{ pin: 'x' }, { $sort: { pin: 1 } }, { $select: ['pin'] }, { $or: [{ pin: { $gt: 'a' } }] }, { $nor: { 0: { pin: 1 } } }])(
    'refuses the query %j from outside alone',
    async (query) => {
      const own = build({ hidden: ['pin'] });
      await expect(own.find({ ...outside, query })).rejects.toMatchObject({ code: 400 });
      await expect(own.find({ query })).resolves.toEqual(rows);
    },
  );

  it('refuses data from outside alone', async () => {
    const own = build({ hidden: ['pin'], readOnly: ['role'] });
    await expect(own.patch(1, { role: 'admin' }, outside)).rejects.toMatchObject({ code: 400, errors: [{ path: 'role' }] });
    await expect(own.patch(1, { role: 'admin' })).resolves.toMatchObject({ role: 'admin' });
  });

  it('is as it was without rules', async () => {
    const list = [{ id: 1, pin: 'x' }];
    const app = framework();
    app.use('plain', { find: async (_params?: Params) => list });
    expect(await app.service('plain').find(outside)).toBe(list);
    expect(getRules({})).toBeUndefined();
    expect(getRules(undefined)).toBeUndefined();
  });

  it('brings its rules along in what another service makes of its records', async () => {
    const app = framework();
    app.use('x', Object.assign({ [contributedRules]: { hidden: ['pin'] } }, service));
    app.use('y', {
      get: async () => ({ id: 2, author: await app.service('x').get(1), own: 'b' }),
      [contributedRules]: { hidden: ['own'] },
    });
    const outer = app.service('y');
    expect(await outer.get(2)).toMatchObject({ author: { pin: 'x' } });
    expect(await outer.get(2, outside)).toEqual({ id: 2, author: { id: 1, role: 'user', name: 'a' } });
  });
});

describe('eachRecord', () => {
  it('takes contexts that were made by hand', () => {
    const context = { method: 'find' } as HookContext;
    expect(eachRecord(context, { data: [1] }, { record: () => 2 })).toEqual({ data: [2] });
  });
});
