import { describe, expect, it } from '@jest/globals';
import { framework, guard, repeating, type HookContext } from '../../src/index.ts';

type Hook = (context: HookContext) => unknown;

/** A service with hooks of one type for `get`, and what its calls resolve with. */
function withHooks(type: 'before' | 'after' | 'error', hooks: readonly Hook[], get: () => unknown = () => ({ from: 'method' })) {
  const app = framework();
  app.use('notes', {
    async get(_id: string) {
      return get();
    },
  });
  app.service('notes').hooks({ [type]: { get: hooks } } as never);
  return app.service('notes');
}

const failing = (error: unknown) => () => {
  throw error;
};

describe.each([
  ['synchronous', (value: unknown) => value],
  ['asynchronous', async (value: unknown) => value],
  [
    'thenable',
    (value: unknown) => ({
      then(resolve: (value: unknown) => void) {
        resolve(value);
      },
    }),
  ],
])('what a %s hook gives', (_, give) => {
  it('is put into the context where it is an object', async () => {
    const service = withHooks('before', [() => give({ params: { query: { a: 1 } } })]);
    const seen: unknown[] = [];
    service.hooks({
      before: {
        get: [
          ({ params, type }: HookContext) => {
            seen.push(params, type);
          },
        ],
      },
    } as never);
    await service.get('1');
    expect(seen).toEqual([{ query: { a: 1 } }, 'before']);
  });

  it.each([undefined, null, 0, '', 'text', true])('is left alone where it is %p', async (value) => {
    const names: string[][] = [];
    const before = (context: HookContext) => {
      names.push(Object.keys(context));
      return give(value);
    };
    const after = (context: HookContext) => {
      names.push(Object.keys(context));
    };
    expect(await withHooks('before', [before, after]).get('1')).toEqual({ from: 'method' });
    expect(names[1]).toEqual(names[0]);
  });

  it('can be the context itself', async () => {
    const service = withHooks('after', [(context) => give(Object.assign(context, { result: 'changed' }))]);
    expect(await service.get('1')).toBe('changed');
  });

  it('runs the hooks in turn, each when the one before has ended', async () => {
    const order: string[] = [];
    const slow = async (): Promise<unknown> => {
      order.push('a');
      await new Promise((resolve) => setImmediate(resolve));
      order.push('a ended');
      return give(undefined);
    };
    const quick = (name: string) => () => {
      order.push(name);
      return give(undefined);
    };
    const later = async (): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push('c ended');
    };
    await withHooks('before', [slow, quick('b'), later, quick('d')]).get('1');
    expect(order).toEqual(['a', 'a ended', 'b', 'c ended', 'd']);
  });

  it('stops the hooks behind it where it fails', async () => {
    const ran: string[] = [];
    const service = withHooks('before', [
      () => give(undefined),
      async () => {
        throw new Error('refused');
      },
      () => {
        ran.push('behind');
      },
    ]);
    await expect(service.get('1')).rejects.toThrow('refused');
    expect(ran).toEqual([]);
  });
});

describe('hooks around a method that fails', () => {
  it('error hooks see the error and the state before it; a result in its place is the answer', async () => {
    const seen: unknown[] = [];
    const service = withHooks(
      'error',
      [
        (context) => {
          seen.push((context.error as Error).message, (context as { original?: { method?: string } }).original !== undefined, context.type);
          context.result = 'instead';
        },
        (context) => {
          seen.push(context.result);
        },
      ],
      failing(new Error('broken')),
    );
    expect(await service.get('1')).toBe('instead');
    expect(seen).toEqual(['broken', true, 'error', 'instead']);
  });

  it.each([
    ['synchronously', failing(new Error('from the hook'))],
    ['later', async () => Promise.reject(new Error('from the hook'))],
  ])('an error hook that fails %s puts its error in place of the first', async (_, hook) => {
    const seen: unknown[] = [];
    const service = withHooks('error', [hook], failing(new Error('broken')));
    service.hooks([
      async (context: HookContext, next: () => Promise<void>) => {
        await next().catch((error: unknown) => {
          seen.push(context.error === error);
          throw error;
        });
      },
    ] as never);
    await expect(service.get('1')).rejects.toThrow('from the hook');
    expect(seen).toEqual([true]);
  });

  it.each([['before'], ['after']] as const)(
    'nothing that a %s hook throws is an error all the same, and no event is told',
    async (type) => {
      const app = framework();
      const seen: unknown[] = [];
      app.use('notes', { create: async (data: unknown) => data });
      const notes = app.service('notes');
      notes.on('created', (record) => seen.push(record));
      const rejects = (): unknown => Promise.reject(undefined as unknown as Error);
      notes.hooks({ [type]: { create: [rejects] }, error: { all: [({ error }: HookContext) => void seen.push(['logged', error])] } });
      const ended = await notes.create({}).then(
        () => 'made',
        (error: unknown) => [error],
      );
      expect([ended, seen]).toEqual([[undefined], [['logged', undefined]]]);
    },
  );

  it('the kind of hook is told right where a hook runs again behind one that has failed, and else stays as it was', async () => {
    const app = framework();
    const seen: string[] = [];
    const note = (place: string) => (context: HookContext) => void seen.push(`${place} ${context.type}`);
    app.use('notes', { create: async (data: unknown) => data, update: async (_id: unknown, data: unknown) => data });
    const notes = app.service('notes');
    notes.on('created', (_record, context) => seen.push(`created ${context.type}`));
    notes.on('updated', (_record, context) => seen.push(`updated ${context.type}`));
    let conflicts = 1;
    notes.hooks({
      around: {
        all: [
          async (context: HookContext, next: () => Promise<void>) => {
            await next();
            note('around')(context);
          },
        ],
        update: [
          repeating(async (context: HookContext, next: () => Promise<void>) => {
            await next().catch(async () => {
              delete context.result;
              await next();
            });
          }),
          (context: HookContext, next: () => Promise<void>) => {
            note('inside')(context);
            return next();
          },
        ],
      },
      before: { create: [failing(new Error('broken'))] },
      after: {
        update: [
          () => {
            if (conflicts-- > 0) throw new Error('conflict');
          },
        ],
      },
      error: { create: [(context: HookContext) => void (context.result = {})] },
    } as never);
    await notes.create({});
    await notes.update(1, {});
    expect(seen).toEqual(['around before', 'created before', 'inside around', 'inside around', 'around around', 'updated around']);
  });

  it('an error that a hook takes away without a result ends the call with nothing', async () => {
    const service = withHooks(
      'error',
      [
        (context) => {
          context.error = undefined;
        },
      ],
      failing(new Error('broken')),
    );
    expect(await service.get('1')).toBeUndefined();
  });
});

describe('a result that a before hook sets', () => {
  it.each([null, undefined, 0, { from: 'hook' }])('stands for the answer of the method, %p too', async (value) => {
    let called = false;
    const service = withHooks(
      'before',
      [
        (context) => {
          context.result = value;
        },
      ],
      () => {
        called = true;
      },
    );
    expect(await service.get('1')).toBe(value);
    expect(called).toBe(false);
  });
});

describe('what makes a hook and was listed without being called', () => {
  const checks = (_name: unknown) => () => {
    throw new Error('refused');
  };

  it.each(['before', 'after', 'error'] as const)('fails the call that it was to check, as a hook of %s', async (type) => {
    const app = framework();
    const find = async (): Promise<unknown[]> => {
      if (type === 'error') throw new Error('of the service');
      return Promise.resolve([]);
    };
    app.use('notes', { find });
    app.service('notes').hooks({ [type]: { find: [checks] } } as never);
    await expect(app.service('notes').find()).rejects.toThrow(
      "The hook 'checks' gave a function. What makes a hook is listed called, as checks(…)",
    );
  });

  it('does so as an around hook, which calls nothing and would leave the caller without a result', async () => {
    const app = framework();
    app.use('notes', { find: () => Promise.resolve([]) });
    app.service('notes').hooks({ around: { all: [checks] } } as never);
    await expect(app.service('notes').find()).rejects.toThrow(
      "The hook 'checks' gave a function. What makes a hook is listed called, as checks(…)",
    );
  });

  it('is refused as guard() itself, which marks what it gets', async () => {
    const app = framework();
    app.use('notes', { find: () => Promise.resolve([]) });
    app.service('notes').hooks({ before: { all: [guard] } } as never);
    const refused = new TypeError('guard() takes a hook, and not: object. List it called, as guard(async (context) => …)');
    await expect(app.service('notes').find()).rejects.toThrow(refused);
  });

  it('does so also where it is asynchronous', async () => {
    const app = framework();
    app.use('notes', { find: () => Promise.resolve([]) });
    app.service('notes').hooks({ before: { all: [async () => Promise.resolve(() => undefined)] } } as never);
    await expect(app.service('notes').find()).rejects.toThrow(TypeError);
  });
});

describe('a guard that gives false', () => {
  const mayRead = ({ params }: { params: { user?: { mayRead?: boolean } } }) => params.user?.mayRead === true;
  const reading = (hooks: object) => {
    const app = framework();
    app.use('notes', { find: (_params?: object) => Promise.resolve([]) });
    app.service('notes').hooks(hooks as never);
    return app.service('notes');
  };

  it.each([
    ['as it is', mayRead],
    ['asynchronously', async (context: never) => Promise.resolve(mayRead(context))],
  ])('does not let the call go on (%s): whoever wrote it is told how to refuse', async (_how, hook) => {
    const named = Object.defineProperty(guard(hook), 'name', { value: 'mayRead' });
    for (const hooks of [{ before: { all: [named] } }, { before: { find: [() => undefined, named] } }])
      await expect(reading(hooks).find()).rejects.toThrow(
        new TypeError(
          "The guard 'mayRead' gave false. A guard refuses a call by throwing, as throw new Forbidden('…'), and whatever else it gives lets the call go on",
        ),
      );
    expect(await reading({ before: { all: [named] } }).find({ user: { mayRead: true } } as never)).toEqual([]);
  });

  it('has no name where it was given none, and other hooks may give what they like', async () => {
    await expect(reading({ before: { all: [guard(() => false)] } }).find()).rejects.toThrow("The guard 'guard' gave false");
    expect(await reading({ before: { all: [() => false] }, after: { all: [() => false] } }).find()).toEqual([]);
  });
});
