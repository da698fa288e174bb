import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { FrameworkError, BadRequest, Conflict } from '@framework/errors';
import { contributedRules, eachRecord, framework, stopRecords, type HookContext, type Params, type RecordSource } from '../../src/index.ts';

const outside = { provider: 'rest' };

/** A service as the tests call it. */
interface Called {
  find(params?: Params): Promise<unknown>;
  get(id: number, params?: Params): Promise<unknown>;
  report(data?: object, params?: Params): Promise<unknown>;
  on(event: string, listener: (record: unknown, context: HookContext) => void): unknown;
  emit(event: string, ...given: unknown[]): unknown;
}

const record = (): object => ({ id: 1, pin: 'x' });
const seen = { id: 1 };

/** An application with `users`, which hide their `pin`, and a service without rules that gives what a function makes of a user. */
function build(make: (user: unknown) => unknown, options: object = {}): { users: Called; other: Called } {
  const app = framework();
  const called = (name: string): Called => app.service(name) as unknown as Called;
  app.use('users', {
    get: async (_id: unknown, _params?: Params) => record(),
    [contributedRules]: { hidden: ['pin'] },
  });
  const made = async (): Promise<unknown> => make(await called('users').get(1));
  app.use('other', { get: made, find: made, report: made, ...options }, { methods: ['get', 'find', 'report'] });
  return { users: called('users'), other: called('other') };
}

describe('what leaves a service without rules', () => {
  it.each<[string, (user: unknown) => unknown, unknown]>([
    ['a record', (user) => user, seen],
    ['a list', (user) => [user, 1], [seen, 1]],
    ['a page', (user) => ({ total: 1, limit: 1, skip: 0, data: [user] }), { total: 1, limit: 1, skip: 0, data: [seen] }],
    ['what a page has beside its records', (user) => ({ data: [], first: user }), { data: [], first: seen }],
    ['a page and what it has beside', (user) => ({ data: [user], first: user }), { data: [seen], first: seen }],
    ['a page that has the next record in place of its cursor', (user) => ({ data: [], next: user }), { data: [], next: seen }],
    ['an object', (user) => ({ a: { b: user } }), { a: { b: seen } }],
    ['a text', () => 'a', 'a'],
    ['nothing', () => null, null],
  ])('has the rules of the others in %s', async (_what, make, shown) => {
    const { other } = build(make);
    for (const method of ['get', 'find', 'report'] as const) {
      const call = (params: Params): Promise<unknown> =>
        method === 'find' ? other.find(params) : method === 'get' ? other.get(1, params) : other.report({}, params);
      expect([method, await call(outside)]).toEqual([method, shown]);
      expect(JSON.stringify(await call({}))).toEqual(JSON.stringify(make(record())));
    }
  });

  it('has them in pages of services that have no pages too', async () => {
    const { other } = build((user) => ({ data: user, other: [user] }), { options: { paginate: false } });
    expect(await other.find(outside)).toEqual({ data: seen, other: [seen] });
  });

  it('has them in each record of a stream', async () => {
    const { other } = build((user) =>
      (async function* () {
        yield user;
        yield { user };
      })(),
    );
    const read: unknown[] = [];
    for await (const entry of (await other.find(outside)) as AsyncIterable<unknown>) read.push(entry);
    expect(read).toEqual([seen, { user: seen }]);
  });

  it('lets go of a stream that nobody reads, however it is called', async () => {
    const made: Readable[] = [];
    const { other, users } = build(() => {
      const stream = new Readable({ objectMode: true, read: () => undefined });
      made.push(stream);
      return stream;
    });
    await users.get(1);
    for (const params of [outside, {}]) await stopRecords((await other.find(params)) as RecordSource);
    const app = framework();
    const source = new Readable({ objectMode: true, read: () => undefined });
    app.use('users', { find: async (_params?: Params) => source, [contributedRules]: { hidden: ['pin'] } });
    await stopRecords((await app.service('users').find(outside)) as RecordSource);
    expect([...made, source].map(({ destroyed }) => destroyed)).toEqual([true, true, true]);
  });

  it('has them in what is sent instead, and in the result', async () => {
    const app = framework();
    const hidden = { [contributedRules]: { hidden: ['pin'] } };
    app.use('users', { get: async (_id: unknown, _params?: Params) => record(), ...hidden });
    app.use('other', { get: async () => ({ user: await app.service('users').get(1) }) });
    const contexts: HookContext[] = [];
    app.service('other').hooks({
      around: {
        get: [
          async (context, next) => {
            await next();
            contexts.push(context);
          },
        ],
      },
      after: { get: [async (context) => void (context.dispatch = { sent: await app.service('users').get(1) })] },
    });
    await app.service('other').get(1, outside);
    expect(await app.service('other').get(1)).toEqual({ user: record() });
    // Around hooks see what the service gave: what leaves is made outside of them.
    expect(contexts.map(({ result }) => result)).toEqual([{ user: seen }, { user: record() }]);
    expect(contexts[0]?.dispatch).toEqual({ sent: seen });
  });

  it('is what it was where nothing has to be taken out', async () => {
    const list = [{ a: 1 }];
    const { other, users } = build(() => list);
    await users.get(1);
    expect(await other.find(outside)).toBe(list);
    expect(await other.report({}, outside)).toBe(list);
  });
});

describe('errors', () => {
  const thrown = async (error: (user: unknown) => unknown, params: Params = outside): Promise<FrameworkError & { extra?: unknown }> => {
    const { other } = build((user) => {
      throw error(user);
    });
    return other.get(1, params).then(
      () => {
        throw new Error('It did not fail');
      },
      (failure: unknown) => failure as FrameworkError,
    );
  };

  it.each<[string, (user: unknown) => unknown, unknown]>([
    ['a record', (user) => new BadRequest('no', user as object), seen],
    ['a record inside', (user) => new BadRequest('no', { user, a: 1 }), { user: seen, a: 1 }],
    ['a list', (user) => new BadRequest('no', { list: [user] }), { list: [seen] }],
  ])('show of %s what others may see', async (_what, error, data) => {
    const failure = await thrown(error);
    expect([failure.code, failure.data]).toEqual([400, data]);
    expect((await thrown(error, {})).data).toEqual(JSON.parse(JSON.stringify(data).replaceAll('"id":1', '"id":1,"pin":"x"')));
  });

  it('show it of records in their list of errors, and leave what says what was expected', async () => {
    const problem = { path: 'pin', keyword: 'type', message: 'pin must be text', params: {} };
    const failure = await thrown((user) => new BadRequest('no', { errors: [problem, user, 'text'] }));
    expect(failure.errors).toEqual([problem, seen, 'text']);
    const named = await thrown((user) => new BadRequest('no', { errors: { pin: 'is wrong', user } }));
    expect(named.errors).toEqual({ pin: 'is wrong', user: seen });
  });

  it('show nothing where that can not be found out', async () => {
    const circle: Record<string, unknown> = {};
    const failure = await thrown((user) => {
      circle.user = user;
      const error = new BadRequest('no');
      circle.self = circle;
      return Object.assign(error, { data: circle });
    });
    expect([failure.code, failure.name, failure.message, failure.data]).toEqual([400, 'BadRequest', 'no', undefined]);
  });

  it('may be anything', async () => {
    for (const value of ['text', null, undefined, 5]) expect(await thrown(() => value).then(() => 'an error')).toBe('an error');
  });
});

describe('errors of the service that has rules', () => {
  /** What `users`, which hides its `pin`, throws: as it is seen from outside, by code on the server, and by a caller of a service that calls `users`. */
  const of = async (error: () => unknown): Promise<Record<'outside' | 'inside' | 'through', FrameworkError>> => {
    const app = framework();
    const fail = async (): Promise<never> => {
      throw error();
    };
    app.use('users', { get: async (_id: unknown, _params?: Params) => fail(), [contributedRules]: { hidden: ['pin'] } });
    app.use('other', { get: async (_id: unknown, _params?: Params) => app.service('users').get(1) });
    const failure = (made: Promise<unknown>): Promise<FrameworkError> =>
      made.then(
        () => {
          throw new Error('It did not fail');
        },
        (thrown: unknown) => thrown as FrameworkError,
      );
    return {
      outside: await failure(app.service('users').get(1, outside)),
      inside: await failure(app.service('users').get(1)),
      through: await failure(app.service('other').get(1, outside)),
    };
  };

  it.each<[string, object, object]>([
    ['a record', { id: 1, pin: 'x' }, { id: 1 }],
    ['a record inside', { user: { id: 1, pin: 'x' } }, { user: { id: 1 } }],
    ['a list', { list: [{ pin: 'x', a: 1 }] }, { list: [{ a: 1 }] }],
    ['nothing hidden', { id: 1 }, { id: 1 }],
  ])('show of %s what callers may see, also those of other services', async (_what, data, shown) => {
    const failures = await of(() => new BadRequest('no', data));
    expect(failures.outside.data).toEqual(shown);
    expect(failures.through.data).toEqual(shown);
    expect(failures.inside.data).toEqual(data);
  });

  const problem = { path: 'pin', keyword: 'type', message: 'pin must be text', params: {} };

  it.each<[string, unknown, unknown]>([
    ['problems alone', [problem, { path: 'pin', keyword: 'a', message: 'b' }], [problem, { path: 'pin', keyword: 'a', message: 'b' }]],
    ['problems and records', [problem, { id: 1, pin: 'x' }, 'text', null], [problem, { id: 1 }, 'text', null]],
    ['what looks like a problem, and has more', [{ ...problem, pin: 'x' }], [problem]],
    ['what lacks a part of a problem', [{ path: 'a', keyword: 'b', pin: 1 }], [{ path: 'a', keyword: 'b' }]],
    [
      'what has another kind of part',
      [{ path: 1, keyword: 'b', message: 'c', params: { pin: 1 } }],
      [{ path: 1, keyword: 'b', message: 'c', params: {} }],
    ],
    ['records by name', { user: { pin: 'x', a: 1 }, text: 'pin' }, { user: { a: 1 }, text: 'pin' }],
  ])('show of %s in their errors what callers may see', async (_what, errors, shown) => {
    const failures = await of(() => new BadRequest('no', { errors: JSON.parse(JSON.stringify(errors)) as never }));
    expect(failures.outside.errors).toEqual(shown);
    expect(failures.through.errors).toEqual(shown);
    expect(failures.inside.errors).toEqual(errors);
  });

  it('are the same where nothing has to be taken out', async () => {
    const error = new BadRequest('no', { a: 1, errors: [problem] });
    const { errors } = error;
    const data = error.data as unknown;
    const failures = await of(() => error);
    expect([failures.outside === error, failures.through === error]).toEqual([true, true]);
    expect([failures.outside.errors === errors, (failures.outside.data as unknown) === data]).toEqual([true, true]);
  });

  it('show nothing of what can not be looked through, and say what they are', async () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const conflict = new Conflict('no');
    const { outside: shown } = await of(() => Object.assign(conflict, { data: circle }));
    expect([shown.code, shown.name, shown.message, shown.className]).toEqual([409, 'Conflict', 'no', 'conflict']);
    expect('data' in shown).toBe(false);
    expect(shown.cause).toBe(conflict);
  });

  it('S40 show nothing of what nobody wrote for callers, whatever is in it that can not be looked through', async () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const inner = Object.assign(new Error('inside'), { circle });
    for (const thrown of [
      Object.assign(new Error('password=1'), { data: circle, code: 409, name: 'Conflict', className: 'conflict' }),
      new AggregateError([inner], 'password=1'),
    ]) {
      const shown = (await of(() => thrown)).outside;
      expect(shown).toMatchObject({ code: 500, className: 'general-error', message: 'An unexpected error occurred on the server' });
      expect(shown.cause).toBe(thrown);
    }
  });
});

describe('eachRecord', () => {
  const context = (method: string, params: object = {}, service: object = {}): HookContext => ({ method, params, service }) as HookContext;
  const note = (
    value: unknown,
    { method = 'find', params = {}, service = {} }: { method?: string; params?: object; service?: object } = {},
  ): unknown[] => {
    const seenValues: unknown[] = [];
    eachRecord(context(method, params, service), value, {
      record: (entry) => (seenValues.push(['record', entry]), entry),
      other: (entry) => (seenValues.push(['other', entry]), entry),
    });
    return seenValues;
  };

  it.each<[string, unknown[]]>([
    [
      'find',
      [
        ['record', 1],
        ['record', 2],
      ],
    ],
    [
      'get',
      [
        ['record', 1],
        ['record', 2],
      ],
    ],
    [
      'create',
      [
        ['record', 1],
        ['record', 2],
      ],
    ],
    [
      'update',
      [
        ['record', 1],
        ['record', 2],
      ],
    ],
    [
      'patch',
      [
        ['record', 1],
        ['record', 2],
      ],
    ],
    [
      'remove',
      [
        ['record', 1],
        ['record', 2],
      ],
    ],
    ['report', [['other', [1, 2]]]],
  ])('tells records by the method: %s', (method, expected) => {
    expect(note([1, 2], { method })).toEqual(expected);
  });

  it('tells pages by the page sizes', () => {
    const page = { total: 1, data: [1], next: 'a' };
    expect(note(page)).toEqual([['record', 1]]);
    expect(note(page, { method: 'get' })).toEqual([['record', page]]);
    expect(note(page, { params: { paginate: false } })).toEqual([['other', page]]);
    expect(note(page, { service: { options: { paginate: false } } })).toEqual([['other', page]]);
    expect(note(page, { params: { paginate: { max: 1 } }, service: { options: { paginate: false } } })).toEqual([['record', 1]]);
    expect(note({ data: 1 })).toEqual([['other', { data: 1 }]]);
    expect(note({ ...page, own: 2 })).toEqual([
      ['record', 1],
      ['other', { own: 2 }],
    ]);
    expect(note({ ...page, previous: { id: 1 } })).toEqual([
      ['record', 1],
      ['other', { previous: { id: 1 } }],
    ]);
  });

  it('makes a new page only where something has changed', () => {
    const page = { total: 1, limit: 1, skip: 0, data: [1], capped: true, next: 'a', previous: 'b' };
    const changed = (of: unknown, to: unknown): unknown => eachRecord(context('find'), of, { record: () => to });
    expect(changed(page, 1)).toBe(page);
    expect(changed(page, 2)).toEqual({ ...page, data: [2] });
    expect(changed([1], 1)).toEqual([1]);
    expect(eachRecord(context('find'), { data: [1], own: 2 }, { record: (value) => value, other: () => ({ own: 3 }) })).toEqual({
      data: [1],
      own: 3,
    });
  });
});
