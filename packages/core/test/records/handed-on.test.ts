import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { Conflict } from '@framework/errors';
import { contributedRules, framework, originOf, PathRules, type Contribution, type HookContext, type Params } from '../../src/index.ts';

const outside = { provider: 'rest' };

/** A service as the tests call it. */
interface Called {
  get(id: number, params?: Params): Promise<unknown>;
  find(params?: Params): Promise<unknown>;
  report(data: object, params?: Params): Promise<unknown>;
}

/** An application with a service for each list of hidden properties; each hands on what the one before gives. */
function chain(stored: () => unknown, ...hidden: readonly (Contribution['hidden'] | undefined)[]): (name: number) => Called {
  const app = framework();
  const called = (index: number): Called => app.service(String(index)) as unknown as Called;
  hidden.forEach((paths, index) => {
    const before = (params?: Params): unknown => (index === 0 ? stored() : called(index - 1).get(1, params));
    const own = {
      get: async (_id: unknown, _params?: Params): Promise<unknown> => before(),
      find: async (_params?: Params): Promise<unknown> => [await before()],
      report: async (_data: object, _params?: Params): Promise<unknown> => ({ made: [await before()] }),
    };
    const rules = paths && { [contributedRules]: { hidden: paths } };
    app.use(String(index), { ...own, ...rules } as never, { methods: ['get', 'find', 'report'] });
  });
  return called;
}

describe('records that a second service hands on', () => {
  const stored = (): object => ({ id: 1, pin: 'x', salary: 2, name: 'a' });

  it('keep the rules of the first', async () => {
    const second = chain(stored, ['pin'], ['salary'])(1);
    expect(await second.get(1, outside)).toEqual({ id: 1, name: 'a' });
    expect(await second.find(outside)).toEqual([{ id: 1, name: 'a' }]);
    expect(await second.report({}, outside)).toEqual({ made: [{ id: 1, name: 'a' }] });
    expect(await second.get(1)).toEqual(stored());
  });

  it('keep the rules of all of them, in a service without rules too', async () => {
    const last = chain(stored, ['pin'], undefined, ['salary'], ['name'], undefined)(4);
    expect(await last.get(1, outside)).toEqual({ id: 1 });
    expect(await last.report({}, outside)).toEqual({ made: [{ id: 1 }] });
  });

  it.each<[string, (context: HookContext) => unknown]>([
    ['replaced the parameters', (context) => (context.params = { query: {} })],
    ['taken the provider away', (context) => (context.params.provider = undefined)],
    ['left none', (context) => (context.params = undefined as never)],
  ])('keep them for a caller from outside when a hook has %s', async (_title, change) => {
    const app = framework();
    app.use('users', { get: async () => stored(), [contributedRules]: { hidden: ['pin', 'salary'] } });
    const handOn = async (): Promise<unknown> => app.service('users').get(1);
    const refuse = async (): Promise<never> => {
      throw new Conflict('Taken', { by: await handOn() });
    };
    app.use('public', { get: handOn, create: handOn, report: handOn, refuse }, { methods: ['get', 'create', 'report', 'refuse'] });
    app.service('public').hooks({ before: { all: [change] } });
    const {
      get,
      create,
      report,
      refuse: refused,
    } = app.service('public') as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
    const shown = { id: 1, name: 'a' };
    expect([await get?.(1, { ...outside }), await create?.({}, { ...outside }), await report?.({}, { ...outside })]).toEqual([
      shown,
      shown,
      shown,
    ]);
    await expect(refused?.({}, { ...outside })).rejects.toMatchObject({ data: { by: shown } });
    expect(await get?.(1)).toEqual(stored());
  });

  it('keep them where they come one after another', async () => {
    let ended = 0;
    const records = async function* (): AsyncGenerator {
      try {
        yield stored();
        yield stored();
      } finally {
        ended += 1;
      }
    };
    const handed = [records(), Readable.from([stored(), stored()])];
    for (const stream of handed) {
      const app = framework();
      app.use('users', { find: async (_params?: Params) => stream, [contributedRules]: { hidden: ['pin', 'salary'] } });
      app.use('public', { find: async (_params?: Params) => app.service('users').find() });
      const inside: unknown = await app.service('users').find();
      expect(inside).toBe(stream);
      const read: unknown[] = [];
      for await (const record of (await app.service('public').find(outside)) as AsyncIterable<unknown>) read.push(record);
      expect(read).toEqual([
        { id: 1, name: 'a' },
        { id: 1, name: 'a' },
      ]);
    }
    const app = framework();
    app.use('users', { find: async (_params?: Params) => records(), [contributedRules]: { hidden: ['pin'] } });
    for await (const record of (await app.service('users').find()) as AsyncIterable<unknown>) {
      expect(record).toEqual(stored());
      break;
    }
    expect(ended).toBe(2);
    app.use('frozen', { find: async (_params?: Params) => Object.freeze(records()), [contributedRules]: { hidden: ['pin'] } });
    await expect(app.service('frozen').find()).rejects.toThrow('The records of a frozen stream can not be kept together with their rules');
  });

  it('keep them where they are frozen', async () => {
    const frozen = Object.freeze(stored());
    expect(await chain(() => frozen, ['pin'], ['salary'], undefined)(2).get(1, outside)).toEqual({ id: 1, name: 'a' });
  });

  it('are looked into once for each service, however deeply they lie in each other', () => {
    const rules = [new PathRules().add({ hidden: ['a'] }), new PathRules().add({ hidden: ['b'] }), new PathRules().add({ hidden: ['c'] })];
    let reads = 0;
    const levels = (depth: number): object => {
      let record: object = { end: 1 };
      for (let level = 0; level < depth; level++) {
        const inside = record;
        record = Object.defineProperty({}, 'inside', { enumerable: true, get: () => ((reads += 1), inside) });
        for (const rule of rules) rule.remember(record);
      }
      return record;
    };
    const readsOf = (depth: number): number => {
      const record = levels(depth);
      reads = 0;
      rules[0]?.redact(record, { params: outside });
      return reads;
    };
    expect(readsOf(10)).toBeGreaterThan(10);
    expect(readsOf(40)).toBeLessThan(5 * readsOf(10));
  });

  it('may stand in several places of a result', async () => {
    const shared = chain(stored, ['pin'])(0);
    const app = framework();
    app.use('pairs', {
      get: async () => {
        const record = await shared.get(1);
        return { one: record, other: record, list: [record, record] };
      },
    });
    const seen = { id: 1, salary: 2, name: 'a' };
    expect(await app.service('pairs').get(1, outside)).toEqual({ one: seen, other: seen, list: [seen, seen] });
  });

  it('are refused where they contain each other', () => {
    const users = new PathRules().add({ hidden: ['pin'] });
    const posts = new PathRules().add({ hidden: ['draft'] });
    const user: Record<string, unknown> = { id: 1 };
    const post = { id: 2, author: user };
    user.post = post;
    users.remember(user);
    posts.remember(post);
    const message = 'A record is nested deeper than 200 levels, or contains itself';
    expect(() => users.redact({ user }, { params: outside })).toThrow(message);
    expect(() => posts.redact(post, { params: outside })).toThrow(message);
  });

  it('are refused where they lie too deeply in each other', () => {
    const rules = [new PathRules().add({ hidden: ['a'] }), new PathRules().add({ hidden: ['b'] })];
    const nested = (depth: number): object => {
      let record: object = {};
      for (let level = 0; level < depth; level++) {
        record = { inside: record };
        rules[level % 2]?.remember(record);
      }
      return record;
    };
    expect(() => rules[0]?.redact(nested(200), { params: outside })).not.toThrow();
    expect(() => rules[0]?.redact(nested(202), { params: outside })).toThrow(
      'A record is nested deeper than 200 levels, or contains itself',
    );
  });
});

describe('parts of what a custom method returns', () => {
  const report = (result: unknown, hidden = ['pin', 'auth.secret']): Called => {
    const app = framework();
    app.use('x', { report: async () => result, [contributedRules]: { hidden } } as never, { methods: ['report'] });
    return app.service('x') as unknown as Called;
  };
  const record = (): object => ({ id: 1, pin: 'x', auth: { secret: 's', since: 3 } });
  const seen = { id: 1, auth: { since: 3 } };

  const made = (value: unknown): unknown => (value as { readonly made: unknown }).made;

  it.each([
    ['in a property', { made: record() }, made],
    ['in a list', { made: [[record()]] }, (result: unknown) => [made(result)].flat(2)[0]],
    ['in a map', new Map([['a', record()]]), (result: unknown) => (result as ReadonlyMap<string, unknown>).get('a')],
    ['in a set', new Set([record()]), (result: unknown) => [...(result as ReadonlySet<unknown>)][0]],
    ['in a frozen object', Object.freeze({ made: record() }), made],
    ['further inside', { made: { made: { made: record() } } }, (result: unknown) => made(made(made(result)))],
  ])('keep their rules %s', async (_title, result: unknown, take) => {
    const taken = take(await report(result).report({}));
    const app = framework();
    app.use('other', { get: async () => ({ taken }) });
    expect(await app.service('other').get(1)).toEqual({ taken: record() });
    expect(await app.service('other').get(1, outside)).toEqual({ taken: seen });
  });

  it('are those that may be records, and those of records in which something is hidden: nothing else, and no bare values', async () => {
    const [auth, open] = [{ secret: 's', since: 3 }, { any: 1 }];
    const date = new Date(0);
    await report({ made: { auth, open }, date }, ['auth.secret', 'open']).report({});
    expect(originOf(date)).toBeUndefined();
    expect(originOf(auth)?.rules?.[0]?.(auth, { params: outside })).toEqual({ since: 3 });
    expect(originOf(open)?.rules?.[0]?.(open, { params: outside })).toBeUndefined();
    const plain = { any: 1 };
    await report({ made: { auth: plain } }, ['auth', 'other.secret']).report({});
    expect(originOf(plain)?.rules).toHaveLength(1);
  });

  it('may contain themselves, as code on the server sees everything', () => {
    const rules = new PathRules().add({ hidden: ['pin'] });
    const value: Record<string, unknown> = { list: [] };
    value.list = [value];
    rules.rememberEverywhere(value);
    expect(originOf(value)?.rules).toHaveLength(1);
    expect(originOf(value.list as object)).toEqual(originOf(value));
  });
});
