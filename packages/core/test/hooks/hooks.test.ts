import { describe, expect, it, jest } from '@jest/globals';
import { answerFinally, callerAnswer, createContext, framework, type HookContext, type NextFunction, repeating } from '../../src/index.ts';

interface Item {
  id: number;
  text: string;
}

const service = () => ({
  async get(id: number): Promise<Item> {
    return { id, text: 'x' };
  },
  async find(): Promise<Item[]> {
    return [];
  },
  async create(data: Partial<Item>): Promise<Item> {
    return { id: 1, text: 'y', ...data };
  },
  async patch(id: number, data: Partial<Item>, params?: { query?: Record<string, unknown> }): Promise<unknown> {
    return { id, data, params };
  },
});

describe('the order of hooks (reference 1.5)', () => {
  const log: string[] = [];
  const around =
    (name: string) =>
    async (_context: HookContext, next: NextFunction): Promise<void> => {
      log.push(`${name} >`);
      await next();
      log.push(`< ${name}`);
    };
  const plain = (name: string) => (): void => {
    log.push(name);
  };

  it('runs application, untyped, service and method hooks in their order, and back', async () => {
    log.length = 0;
    const app = framework().use('items', service());
    const items = app.service('items');
    items.hooks({
      around: { all: [around('service around all')], get: [around('service around get')] },
      before: { all: [plain('service before all')], get: [plain('service before get')] },
      after: { all: [plain('service after all')], get: [plain('service after get')] },
    });
    items.hooks([around('service untyped')]);
    items.hooks({ get: [around('service untyped get')] });
    app.hooks({
      around: { all: [around('app around all')], get: [around('app around get')] },
      before: { all: [plain('app before all')], get: [plain('app before get')] },
      after: { all: [plain('app after all')], get: [plain('app after get')] },
    });
    app.hooks([around('app untyped')]);
    await items.get(1);
    expect(log).toEqual([
      'app around all >',
      'app untyped >',
      'app around get >',
      'app before all',
      'app before get',
      'service untyped >',
      'service untyped get >',
      'service around all >',
      'service around get >',
      'service before all',
      'service before get',
      'service after all',
      'service after get',
      '< service around get',
      '< service around all',
      '< service untyped get',
      '< service untyped',
      'app after all',
      'app after get',
      '< app around get',
      '< app untyped',
      '< app around all',
    ]);
  });

  it('runs error hooks of the service first, those of the method before those of all', async () => {
    log.length = 0;
    const app = framework().use('items', {
      async get(): Promise<never> {
        throw new Error('fails');
      },
    });
    app.hooks({ error: { all: [plain('app all')], get: [plain('app get')] } });
    app.service('items').hooks({ error: { all: [plain('all')], get: [plain('get')] } });
    await expect(app.service('items').get()).rejects.toThrow('fails');
    expect(log).toEqual(['get', 'all', 'app get', 'app all']);
  });

  it('adds hooks of several registrations in their order, also after the first call', async () => {
    log.length = 0;
    const app = framework().use('items', service());
    app.service('items').hooks({ before: { get: plain('1') } });
    await app.service('items').get(1);
    app.service('items').hooks({ before: { get: [plain('2'), plain('3')] } });
    app.service('items').hooks({ before: plain('all') });
    await app.service('items').get(1);
    expect(log).toEqual(['1', 'all', '1', '2', '3']);
  });
});

describe('registration', () => {
  const app = framework().use('items', service());

  it('refuses unknown types, unknown methods and what is no function', () => {
    expect(() => app.service('items').hooks({ before: {}, wrong: {} } as never)).toThrow("'wrong' is not a valid hook type");
    expect(() => app.service('items').hooks({ befor: { create: [] } } as never)).toThrow("'befor' is not a valid hook type");
    expect(() => app.service('items').hooks({ before: { wrong: [] } } as never)).toThrow(
      'Method wrong is not a hooks enabled service method',
    );
    expect(() => app.service('items').hooks({ before: { get: ['text'] } } as never)).toThrow('is not a function');
  });

  it('takes hooks for default methods that the service lacks: they are often written for all six', async () => {
    const finds = framework().use('x', { find: async () => [] });
    finds.service('x').hooks({ before: { get: [() => undefined], remove: () => undefined } } as never);
    await expect(finds.service('x').find()).resolves.toEqual([]);
  });

  it('refuses hooks that are missing altogether', () => {
    expect(() => app.service('items').hooks(undefined as never)).toThrow('hooks() needs hooks by type and method, and got undefined');
  });

  it('is not half done when it fails', async () => {
    let ran = false;
    expect(() =>
      app.service('items').hooks({
        before: {
          get: () => {
            ran = true;
          },
          wrong: [],
        },
      } as never),
    ).toThrow();
    await app.service('items').get(1);
    expect(ran).toBe(false);
  });

  it('returns the service and the application', () => {
    expect(app.service('items').hooks({ before: {} })).toBe(app.service('items'));
    expect(app.hooks({ before: {} })).toBe(app);
  });

  it('takes hooks for custom methods', async () => {
    const custom = framework();
    custom.use(
      'c',
      {
        async shout(data: string) {
          return data.toUpperCase();
        },
      },
      { methods: ['shout'] },
    );
    const c = custom.service('c') as unknown as { shout(data: string): Promise<string>; hooks(map: object): void };
    c.hooks({
      before: {
        shout: [
          (context: HookContext) => {
            context.data = `${String(context.data)}!`;
          },
        ],
      },
    });
    await expect(c.shout('hi')).resolves.toBe('HI!');
  });
});

describe('the context', () => {
  it('has every property of the call, with this as the service', async () => {
    const app = framework().use('items', service());
    let context: HookContext | undefined;
    let self: unknown;
    app.service('items').hooks({
      before: {
        patch: [
          function (this: unknown, given) {
            context = given as HookContext;
            self = this;
          },
        ],
      },
    });
    await app.service('items').patch(5, { text: 'a' }, { query: { q: 1 } });
    expect(self).toBe(app.service('items'));
    expect(context).toMatchObject({
      path: 'items',
      method: 'patch',
      type: 'around',
      id: 5,
      data: { text: 'a' },
      params: { query: { q: 1 } },
      event: 'patched',
    });
    expect(context?.app).toBe(app);
    expect(context?.service).toBe(app.service('items'));
    expect(context?.self).toBe(app.service('items'));
    expect(context?.arguments).toEqual([5, { text: 'a' }, { query: { q: 1 } }]);
  });

  it('changes the call when id, data or params are assigned', async () => {
    const app = framework().use('items', service());
    app.service('items').hooks({
      before: {
        patch: [
          (context) => {
            context.id = 7;
            context.data = { text: 'new' };
            context.params = { query: { changed: 1 } };
          },
        ],
      },
    });
    await expect(app.service('items').patch(5, {})).resolves.toEqual({ id: 7, data: { text: 'new' }, params: { query: { changed: 1 } } });
  });

  it('has what a hook asks of it where its service is any, and is typed else', async () => {
    const app = framework();
    app.use('items', service());
    const ofAny = async (context: HookContext<unknown, any>, next: NextFunction): Promise<void> => {
      context.data.text = context.data.text.trim();
      context.params.tenant = 'a';
      await next();
      context.result.path = context.service === app.service('items');
    };
    const ofUnknown = (context: HookContext): void => {
      // @ts-expect-error It is unknown.
      expect(context.data.text).toBe('b');
      // @ts-expect-error Nobody has declared it.
      expect(context.params.tenant).toBe('a');
    };
    app.service('items').hooks({ around: { create: [ofAny] }, before: { create: [ofUnknown] } });
    expect(await app.service('items').create({ text: ' b ' })).toEqual({ id: 1, text: 'b', path: true });
  });

  it('takes what a hook returns', async () => {
    const app = framework().use('items', service());
    app.service('items').hooks({
      before: {
        get: [
          (context) => ({ ...context, extra: 1 }),
          () => undefined,
          (context) => {
            expect((context as unknown as { extra: number }).extra).toBe(1);
          },
        ],
      },
    });
    await expect(app.service('items').get(1)).resolves.toMatchObject({ id: 1 });
  });

  it('skips the method, not the other hooks, when a result is set, null and undefined too', async () => {
    for (const early of [{ id: 9, text: 'early' }, null, undefined]) {
      let called = false;
      let after = false;
      const app = framework().use('items', {
        async get(): Promise<unknown> {
          called = true;
          return 'late';
        },
      });
      app.service('items').hooks({
        before: {
          get: [
            (context) => {
              context.result = early;
            },
          ],
        },
        after: {
          get: [
            () => {
              after = true;
            },
          ],
        },
      });
      await expect(app.service('items').get()).resolves.toBe(early);
      expect({ called, after }).toEqual({ called: false, after: true });
    }
  });

  it('always has http, and statusCode is its status', async () => {
    const app = framework().use('items', service());
    let seen: unknown;
    app.service('items').hooks({
      after: {
        get: [
          (context) => {
            context.http.headers = { a: 'b' };
            context.statusCode = 206;
            seen = context.http;
          },
        ],
      },
    });
    await app.service('items').get(1);
    expect(seen).toEqual({ headers: { a: 'b' }, status: 206 });
  });

  it('as JSON has own and shared properties', () => {
    const app = framework().use('items', service());
    const json = createContext(app.service('items'), 'get').toJSON();
    expect(Object.keys(json)).toEqual(
      expect.arrayContaining([
        'app',
        'service',
        'path',
        'method',
        'type',
        'arguments',
        'event',
        'http',
        'self',
        'statusCode',
        'id',
        'params',
      ]),
    );
  });

  it('comes back when it is passed as the last argument', async () => {
    const app = framework().use('items', service());
    const context = createContext(app.service('items'), 'get', { extra: true });
    const get = app.service('items').get as unknown as (...args: unknown[]) => Promise<unknown>;
    await expect(get.call(app.service('items'), 3, {}, context)).resolves.toBe(context);
    expect(context).toMatchObject({ result: { id: 3 }, extra: true });
    expect(() => createContext(app.service('items'), 'nothing')).toThrow('is not a method');
  });

  it('is made by the method itself too, as transports of the incumbent do it', async () => {
    const items = framework().use('items', service()).service('items');
    const get = items.get as unknown as ((...args: unknown[]) => Promise<{ result: unknown; method: string }>) & {
      createContext(data?: object): object;
    };
    const context = await get.call(items, 3, {}, get.createContext({ extra: 1 }));
    expect(context).toMatchObject({ result: { id: 3 }, method: 'get', extra: 1 });
  });
});

describe('before, after and error hooks', () => {
  it('may give a copy of the context back, whose kind of hook is not that of what goes on', async () => {
    const app = framework().use('items', service());
    const seen: unknown[] = [];
    app.service('items').hooks({
      around: {
        get: [
          async (context: HookContext, next: NextFunction) => {
            await next();
            seen.push(context.type, context.params.query);
          },
        ],
      },
      before: { get: [(context: HookContext) => ({ ...context, params: { query: { from: 'a copy' } } }) as never] },
    } as never);
    await app.service('items').get(1);
    expect(seen).toEqual(['around', { from: 'a copy' }]);
  });

  it('get the context alone, so that hooks which work as around hooks too can tell', async () => {
    const app = framework().use('items', service());
    const seen: unknown[][] = [];
    const both = async (...args: [HookContext, NextFunction?]): Promise<void> => {
      seen.push([args[0].type, args.length]);
      await args[1]?.();
    };
    app.service('items').hooks({ around: { get: [both] }, before: { get: [both] }, after: { get: [both] }, error: { get: [both] } });
    await app.service('items').get(1);
    await expect(app.service('items').get({ get: 1 } as never)).resolves.toBeDefined();
    const failing = framework().use('x', { get: () => Promise.reject(new Error('fails')) });
    failing.service('x').hooks({ error: { get: [both] } });
    await expect(failing.service('x').get()).rejects.toThrow('fails');
    expect(seen.slice(0, 3)).toEqual([
      ['around', 2],
      ['before', 1],
      ['after', 1],
    ]);
    expect(seen.at(-1)).toEqual(['error', 1]);
  });
});

describe('next', () => {
  it('may be called once', async () => {
    const app = framework().use('items', service());
    app.service('items').hooks([
      async (_context, next) => {
        await next();
        await next();
      },
    ]);
    await expect(app.service('items').get(1)).rejects.toThrow('next() called multiple times');
  });

  it.each([
    ['one with a name', async function quiet() {}, "The around hook 'quiet' of 'items.get'"],
    ['one without', () => undefined, "An around hook of 'items.get'"],
  ])('has to be called, or the result set: whoever wrote the hook is told once, of %s', async (_kind, hook, told) => {
    const app = framework().use('items', service());
    const called: string[] = [];
    app.service('items').hooks({
      around: [hook as never],
      before: [() => void called.push('before')],
      after: [() => void called.push('after')],
    });
    const warnings = await warningsOf(async () => {
      // As with the incumbent.
      expect(await app.service('items').get(1)).toBeUndefined();
      await app.service('items').get(2);
    });
    expect(warnings).toEqual([
      `${told} has ended without a call of next() and without context.result: the method was not called. Await next() in it, or set the result`,
    ]);
    expect(called).toEqual([]);
  });

  const LEFT =
    "A call of 'items.get' has ended before its method had: an around hook does not wait for next(), and the caller gets neither result nor error. Await next() in it";
  const BEHIND =
    "What an around hook of 'items.get' has begun by next(), and not waited for, has failed behind the answer of the call: Error: no item";

  /** Comes behind what methods that have begun wait for: they take one turn each. A timer may come before them. */
  async function methodsEnd(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  }

  /** @returns what nobody has taken of what some work has thrown */
  async function untakenOf(work: () => Promise<unknown>): Promise<unknown[]> {
    const untaken: unknown[] = [];
    const note = (error: unknown): void => void untaken.push(error);
    process.on('unhandledRejection', note);
    try {
      await work();
      await methodsEnd();
    } finally {
      process.off('unhandledRejection', note);
    }
    return untaken;
  }

  it.each<[string, unknown]>([
    ['ends', (_context: HookContext, next: NextFunction) => void next()],
    ['gives something else', (_context: HookContext, next: NextFunction) => [next()]],
    [
      'fails',
      (_context: HookContext, next: NextFunction) => {
        void next();
        throw new Error('no item');
      },
    ],
  ])('may be left by a hook that %s at once, and what fails behind it ends no process', async (kind, hook) => {
    const app = framework().use('items', {
      get: (_id: number) => new Promise((_resolve, reject) => setImmediate(() => reject(new Error('no item')))),
    });
    app.service('items').hooks({ around: [hook as never, async (_context, next) => next()] });
    const warnings = await warningsOf(async () => {
      const untaken = await untakenOf(async () => {
        const called = app.service('items').get(1);
        // As with the incumbent.
        if (kind === 'fails') await expect(called).rejects.toThrow('no item');
        else expect(await called).toBeUndefined();
      });
      expect(untaken).toEqual([]);
    });
    expect(warnings).toEqual([BEHIND]);
  });

  const turn = (): Promise<unknown> => new Promise(setImmediate);
  const failing = {
    'at once': async (_id: number): Promise<number> => {
      throw new Error('no item');
    },
    later: (_id: number): Promise<number> => turn().then(() => Promise.reject(new Error('no item'))),
  };

  it.each<[string, keyof typeof failing, (next: NextFunction) => Promise<void>]>([
    ['ends', 'at once', async (next) => void next()],
    ['ends', 'later', async (next) => void next()],
    ['waits for something else', 'at once', async (next) => void (next(), await turn())],
    ['waits for something else', 'later', async (next) => void (next(), await turn())],
    ['begins later', 'at once', async (next) => void (await turn(), next())],
    ['begins later', 'later', async (next) => void (await turn(), next())],
  ])('may be left by a hook that %s in the first call of all, and what fails %s ends no process', async (_kind, when, hook) => {
    const app = framework().use('items', { get: failing[when] });
    app.service('items').hooks({ around: [async (_context, next) => next(), async (_context, next) => hook(next)] });
    const warnings = await warningsOf(async () => {
      const untaken = await untakenOf(async () => {
        // As with the incumbent.
        expect(await app.service('items').get(1)).toBeUndefined();
      });
      expect(untaken).toEqual([]);
    });
    expect(warnings).toEqual([BEHIND]);
  });

  it.each<[string, (next: NextFunction) => unknown]>([
    ['await', async (next) => void (await next())],
    ['return', (next) => next()],
    ['then', async (next) => void (await next().then(() => 1))],
    ['finally', async (next) => void (await next().finally(() => 1))],
    ['all', async (next) => void (await Promise.all([turn(), next()]))],
    [
      'an await that comes late',
      async (next) => {
        const rest = next();
        await turn();
        await turn();
        await rest;
      },
    ],
  ])("is waited for by %s in the first call of all: the error is the caller's", async (_kind, hook) => {
    for (const get of Object.values(failing)) {
      const app = framework().use('items', { get });
      app.service('items').hooks({ around: [(_context, next) => hook(next) as Promise<void>] });
      const warnings = await warningsOf(async () => {
        const untaken = await untakenOf(async () => {
          for (const id of [1, 2]) await expect(app.service('items').get(id)).rejects.toThrow('no item');
        });
        expect(untaken).toEqual([]);
      });
      expect(warnings).toEqual([]);
    }
  });

  it('that is not waited for is told once for its method, and its errors are taken from then on', async () => {
    let fails = false;
    const app = framework().use('items', {
      get: async (id: number) => {
        await new Promise(setImmediate);
        if (fails) throw new Error('no item');
        return id;
      },
    });
    app
      .service('items')
      .hooks({ around: [async (_context, next) => next(), async (_context, next) => void next(), async (_context, next) => next()] });
    const warnings = await warningsOf(async () => {
      const untaken = await untakenOf(async () => {
        expect(await app.service('items').get(1)).toBeUndefined();
        await methodsEnd();
        fails = true;
        expect(await app.service('items').get(1)).toBeUndefined();
      });
      expect(untaken).toEqual([]);
    });
    expect(new Set(warnings)).toEqual(new Set([LEFT, BEHIND]));
  });

  it('that is waited for gives its error to the caller alone, also where another call did not wait, and may be kept from it', async () => {
    let way: 'leaves' | 'waits' | 'swallows' = 'leaves';
    const app = framework().use('items', {
      get: async (id: number) => {
        if (id > 1) throw new Error('no item');
        await new Promise(setImmediate);
        return id;
      },
    });
    app.service('items').hooks({
      around: [
        async (_context, next) => {
          if (way === 'leaves') void next();
          else if (way === 'waits') await next();
          else await next().catch(() => undefined);
        },
      ],
    });
    const warnings = await warningsOf(async () => {
      await app.service('items').get(1);
      await methodsEnd();
      way = 'waits';
      await expect(app.service('items').get(2)).rejects.toThrow('no item');
      way = 'swallows';
      expect(await app.service('items').get(2)).toBeUndefined();
    });
    expect(warnings).toEqual([LEFT]);
  });

  it('that is waited for is not told of in a context that is used again', async () => {
    const app = framework().use('items', { get: async (id: number, _params?: object) => ({ id }) });
    app.service('items').hooks({ around: [async (_context, next) => next()] });
    const warnings = await warningsOf(async () => {
      const context = createContext(app.service('items'), 'get');
      for (const id of [1, 2]) {
        delete context.result;
        await Reflect.apply(app.service('items').get, app.service('items'), [id, {}, context]);
        expect(context.result).toEqual({ id });
      }
    });
    expect(warnings).toEqual([]);
  });

  it.each([undefined, null, 'own'])('need not be called where the result is set, also to %j', async (result) => {
    const app = framework().use('items', service());
    app.service('items').hooks({ around: [async (context) => void Object.assign(context, { result })] });
    expect(await warningsOf(async () => expect(await app.service('items').get(1)).toBe(result))).toEqual([]);
  });

  it('need not be called where an error hook swallows the error of the hook', async () => {
    const app = framework().use('items', service());
    app.hooks({ error: [(context: { error?: unknown }) => void delete context.error] });
    app.service('items').hooks({
      around: [
        async () => {
          throw new Error('refused');
        },
      ],
    });
    expect(await warningsOf(() => app.service('items').get(1))).toEqual([]);
  });

  it('may be called again by a repeating hook, once the call before has ended', async () => {
    const log: string[] = [];
    const service = framework()
      .use('things', { get: async (_id: unknown) => log.push('method') })
      .service('things');
    service.hooks({
      around: [
        repeating(async (context: { result?: unknown }, next: () => Promise<void>) => {
          await next();
          delete context.result;
          const second = next();
          await expect(next()).rejects.toThrow('next() called multiple times');
          await second;
        }),
      ],
    });
    await service.get(1);
    expect(log).toEqual(['method', 'method']);
  });

  it('skips the rest when it is not called', async () => {
    const app = framework().use('items', service());
    app.service('items').hooks({
      around: {
        get: [
          async (context) => {
            context.result = { id: 0, text: 'cached' };
          },
        ],
      },
    });
    await expect(app.service('items').get(1)).resolves.toEqual({ id: 0, text: 'cached' });
  });
});

describe('errors', () => {
  const failing = () =>
    framework().use('items', {
      async get(): Promise<unknown> {
        throw new Error('original');
      },
    });

  it('gives error hooks the error and the context as it was', async () => {
    const app = failing();
    let seen: HookContext | undefined;
    app.service('items').hooks({
      before: {
        get: [
          () => {
            throw new Error('in before');
          },
        ],
      },
      error: {
        get: [
          (context) => {
            seen = context as HookContext;
            expect(context.type).toBe('error');
          },
        ],
      },
    });
    await expect(app.service('items').get()).rejects.toThrow('in before');
    expect((seen?.error as Error).message).toBe('in before');
    expect(seen?.original).toMatchObject({ type: 'before' });
    expect(seen).not.toHaveProperty('result');
  });

  it('lets a hook replace the error', async () => {
    const app = failing();
    app.service('items').hooks({
      error: {
        get: [
          (context) => {
            context.error = new Error('replaced');
          },
        ],
      },
    });
    await expect(app.service('items').get()).rejects.toThrow('replaced');
  });

  it('lets a hook swallow the error with a result, null too', async () => {
    for (const result of ['instead', null]) {
      const app = failing();
      app.service('items').hooks({
        error: {
          get: [
            (context) => {
              context.result = result;
            },
          ],
        },
      });
      await expect(app.service('items').get()).resolves.toBe(result);
    }
  });

  it.each<[string, (context: HookContext) => void]>([
    ['dispatch', (context) => void (context.dispatch = 'kept from you')],
    ['an answer of its own', (context) => answerFinally(context, 'kept from you')],
  ])('lets nobody get what a hook has made before the error in place of what swallows it: %s', async (_what, makes) => {
    const app = framework().use('items', service());
    app.service('items').hooks({
      after: {
        get: [
          makes,
          () => {
            throw new Error('not for you');
          },
        ],
      },
      error: { get: [(context: HookContext) => void (context.result = { id: 0, text: 'instead' })] },
    } as never);
    const context = createContext(app.service('items'), 'get');
    const items = app.service('items') as unknown as { get(...args: unknown[]): Promise<unknown> };
    await items.get(1, { provider: 'rest' }, context);
    expect(callerAnswer(context)).toEqual({ id: 0, text: 'instead' });
  });

  it('lets callers get what the hook that swallows the error makes for them', async () => {
    const app = failing();
    app.service('items').hooks({
      error: {
        get: [
          (context) => {
            context.result = 'instead';
            context.dispatch = 'for callers';
          },
        ],
      },
    });
    const context = createContext(app.service('items'), 'get');
    const items = app.service('items') as unknown as { get(...args: unknown[]): Promise<unknown> };
    await items.get(1, { provider: 'rest' }, context);
    expect(callerAnswer(context)).toBe('for callers');
  });

  it('runs the hooks of a list to its end, also behind one that swallows the error', async () => {
    const app = failing();
    const logged: unknown[] = [];
    app.service('items').hooks({
      error: {
        get: [
          (context) => {
            context.result = 'instead';
          },
          (context) => {
            logged.push(context.error, context.result);
          },
        ],
      },
    });
    await expect(app.service('items').get()).resolves.toBe('instead');
    expect(logged).toEqual([expect.objectContaining({ message: 'original' }), 'instead']);
  });

  it('gives the hooks for all methods what those of the method leave', async () => {
    const app = failing();
    const seen: unknown[] = [];
    app.service('items').hooks({
      error: {
        all: [(context) => void seen.push((context.error as Error).message)],
        get: [
          (context) => {
            if (seen.length > 0) context.result = 'swallowed';
            else context.error = new Error('changed');
          },
        ],
      },
    });
    await expect(app.service('items').get()).rejects.toThrow('changed');
    await expect(app.service('items').get()).resolves.toBe('swallowed');
    expect(seen).toEqual(['changed']);
  });

  it('lets the errors of hooks for all methods pass by those of the method', async () => {
    const app = failing();
    const seen: string[] = [];
    app.service('items').hooks({
      before: {
        all: [
          () => {
            throw new Error('refused');
          },
        ],
      },
      error: { all: [() => void seen.push('all')], get: [() => void seen.push('get')] },
    });
    await expect(app.service('items').get()).rejects.toThrow('refused');
    expect(seen).toEqual(['all']);
  });

  it('throws nothing when the error was taken away', async () => {
    const app = failing();
    app.service('items').hooks({
      error: {
        get: [
          (context) => {
            context.error = undefined;
          },
        ],
      },
    });
    await expect(app.service('items').get()).resolves.toBeUndefined();
  });

  it('stops at an error in an error hook', async () => {
    const app = failing();
    let later = false;
    app.service('items').hooks({
      error: {
        get: [
          () => {
            throw new Error('worse');
          },
          () => {
            later = true;
          },
        ],
      },
    });
    await expect(app.service('items').get()).rejects.toThrow('worse');
    expect(later).toBe(false);
  });
});

/** @returns what the process was warned of */
async function warningsOf(run: () => Promise<unknown>): Promise<unknown[]> {
  const warning = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  try {
    await run();
    return warning.mock.calls.map(([text]) => text);
  } finally {
    warning.mockRestore();
  }
}
