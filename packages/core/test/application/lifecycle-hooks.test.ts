import { describe, expect, it, jest } from '@jest/globals';
import { contributing, framework } from '../../src/index.ts';

const finds = (more: object = {}) => ({
  async find(): Promise<{ secret: number }[]> {
    return [{ secret: 1 }];
  },
  ...more,
});
const logging = (log: string[], name: string) =>
  finds({ setup: () => void log.push(`setup ${name}`), teardown: () => void log.push(`teardown ${name}`) });
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('app.hooks', () => {
  it('tells hooks of setup and teardown from those of methods', async () => {
    const log: string[] = [];
    const app = framework().use('x', finds());
    app.hooks({ teardown: async (_context, next) => (log.push('teardown'), next()) });
    app.hooks({ find: [async (_context: unknown, next: () => Promise<void>) => (log.push('find'), next())] } as never);
    await app.setup();
    await app.service('x').find();
    await app.teardown();
    expect(log).toEqual(['find', 'teardown']);
  });

  it.each(['around', 'before', 'after', 'error'])('takes no setup beside hooks by type: %s', (type) => {
    expect(() => framework().hooks({ [type]: {}, setup: [] } as never)).toThrow(
      new Error("Hooks of 'setup' are those of an application, in a call of their own beside other hooks: app.hooks({ setup: [ … ] })"),
    );
  });

  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
  ])('says what it needs, and got %s', (given, shown) => {
    expect(() => framework().hooks(given as never)).toThrow(new TypeError(`hooks() needs hooks by type and method, and got ${shown}`));
  });

  it('refuses methods among those of setup, and what is no function, and adds nothing then', async () => {
    const app = framework().use('x', finds());
    const log: string[] = [];
    const hook = async (_context: unknown, next: () => Promise<void>): Promise<void> => (log.push('setup'), next());
    expect(() => app.hooks({ setup: [hook], find: [hook] } as never)).toThrow(new Error("'find' is not an application method with hooks"));
    expect(() => app.hooks({ setup: [hook], teardown: [hook, 'hook'] } as never)).toThrow(
      new TypeError("A hook for 'teardown' is not a function"),
    );
    await app.setup();
    expect(log).toEqual([]);
  });
});

describe('hooks of setup', () => {
  it('run in order, the first around the second, with what they are about', async () => {
    const log: unknown[] = [];
    const app = framework().use('x', logging(log as string[], 'x'));
    const named = (name: string) =>
      async function (this: unknown, context: object, next: () => Promise<void>): Promise<void> {
        log.push([name, this === app, { ...context }]);
        await next();
        log.push(`${name} ends`);
      };
    app.hooks({ setup: [named('first'), named('second')] } as never);
    app.hooks({ setup: named('third') } as never);
    await app.setup('server');
    const context = { app, method: 'setup', server: 'server', arguments: ['server'], self: app };
    expect(log).toEqual([
      ['first', true, context],
      ['second', true, context],
      ['third', true, context],
      'setup x',
      'third ends',
      'second ends',
      'first ends',
    ]);
  });

  it('may call next once', async () => {
    const log: string[] = [];
    const app = framework().use('x', logging(log, 'x'));
    app.hooks({ setup: [async (_context, next) => (await next(), next())] });
    await expect(app.setup()).rejects.toThrow(new Error('next() called multiple times'));
    expect(log).toEqual(['setup x']);
  });

  it.each([
    ['setup', 'set up'],
    ['teardown', 'torn down'],
  ] as const)('have to call next: without it %s fails, and does not say that all is done', async (method, done) => {
    const log: string[] = [];
    const app = framework().use('x', logging(log, 'x'));
    app.hooks({ [method]: [async () => undefined] });
    if (method === 'teardown') await app.setup();
    log.length = 0;
    await expect(app[method]()).rejects.toThrow(
      new Error(`A hook of '${method}' has ended without a call of next(): the services are not ${done}`),
    );
    expect(log).toEqual([]);
  });

  it.each(['setup', 'teardown'] as const)(
    'need not wait for next in %s: it is waited for, and what it fails with is told',
    async (method) => {
      const log: string[] = [];
      const slow = async (): Promise<void> => {
        await tick();
        log.push('done');
        if (log.length > 1) throw new Error('no more');
      };
      const app = framework().use('x', finds({ [method]: slow }));
      const leaves = (_context: unknown, next: () => Promise<unknown>): void => void next();
      const leavesToo = async (_context: unknown, next: () => Promise<unknown>): Promise<void> => void next();
      app.hooks({ [method]: [leaves, leavesToo] });
      if (method === 'teardown') await app.setup();
      await app[method]();
      expect(log).toEqual(['done']);
      app.use('y', finds({ [method]: slow }));
      await expect(app[method === 'setup' ? 'teardown' : 'setup']()).resolves.toBe(app);
      await expect(app[method]()).rejects.toThrow('no more');
    },
  );

  it('may keep to themselves what has failed inside of them', async () => {
    const app = framework().use('x', finds({ setup: () => Promise.reject(new Error('not yet')) }));
    app.hooks({ setup: [async (_context, next) => next().catch(() => undefined)] });
    await expect(app.setup()).resolves.toBe(app);
  });

  it('run once for one server, also when somebody sets up without naming it', async () => {
    const servers: unknown[] = [];
    const app = framework();
    app.hooks({ setup: [async ({ server }, next) => (servers.push(server), next())] });
    await app.setup('server');
    await app.setup();
    await app.setup('server');
    await app.teardown();
    await app.setup('server');
    expect(servers).toEqual(['server', 'server']);
  });

  it('that fail for a second server leave the application started for the first', async () => {
    const log: string[] = [];
    const app = framework().use('x', logging(log, 'x'));
    app.hooks({
      setup: [
        async ({ server }, next) => {
          if (server === 'second') throw new Error('port taken');
          log.push('hook');
          await next();
        },
      ],
    });
    await app.setup('first');
    await expect(app.setup('second')).rejects.toThrow('port taken');
    app.use('late', logging(log, 'late'));
    await app.service('late' as 'x').find();
    log.push('found');
    await expect(app.setup()).resolves.toBe(app);
    expect(log).toEqual(['hook', 'setup x', 'setup late', 'found']);
    await expect(app.setup('second')).rejects.toThrow('port taken');
  });
});

describe('several at once', () => {
  it('that all fail leave nothing of it to the next, whichever server it is for', async () => {
    for (const server of ['first', 'second', undefined]) {
      let fails = true;
      const app = framework().use('x', finds({ setup: async () => (fails ? Promise.reject(new Error('not yet')) : undefined) }));
      const both = await Promise.allSettled([app.setup('first'), app.setup('second')]);
      expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      fails = false;
      await expect(app.setup(server)).resolves.toBe(app);
    }
  });

  it('of which the first fails leave the application started for the second', async () => {
    const log: string[] = [];
    const app = framework().use('x', logging(log, 'x'));
    app.hooks({
      setup: [
        async ({ server }, next) => {
          await next();
          if (server === 'first') throw new Error('port taken');
          await tick();
        },
      ],
    });
    const both = await Promise.allSettled([app.setup('first'), app.setup('second')]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    app.use('late', logging(log, 'late'));
    await app.service('late' as 'x').find();
    expect(log).toEqual(['setup x', 'setup late']);
  });

  it('that a teardown overtakes behind the services do not say that all is up', async () => {
    const log: string[] = [];
    const app = framework().use('x', logging(log, 'x'));
    let goOn = (): void => undefined;
    app.hooks({ setup: [async (_context, next) => (await next(), new Promise<void>((resolve) => (goOn = resolve)))] });
    const setting = expect(app.setup()).rejects.toThrow('app.teardown() was called before app.setup() had ended');
    await tick();
    await app.teardown();
    goOn();
    await setting;
    expect(log).toEqual(['setup x', 'teardown x']);
  });
});

describe('an application that lies in another one', () => {
  const around = (log: string[], name: string) => ({
    setup: [
      async (_context: unknown, next: () => Promise<void>) => (log.push(`${name} begins`), await next(), void log.push(`${name} is up`)),
    ],
    teardown: [async (_context: unknown, next: () => Promise<void>) => (await next(), void log.push(`${name} is down`))],
  });

  it('starts and stops in its place, with its own hooks around its services, once', async () => {
    const log: string[] = [];
    const [first, second] = ['one', 'two'].map((name) => {
      const sub = framework().use('x', logging(log, name));
      sub.hooks(around(log, name) as never);
      return sub;
    }) as [ReturnType<typeof framework>, ReturnType<typeof framework>];
    const app = framework().use('a', logging(log, 'a'));
    app.use('1', first);
    app.use('2', second);
    app.use('b', logging(log, 'b'));
    await app.setup();
    expect(log).toEqual(['setup a', 'one begins', 'setup one', 'one is up', 'two begins', 'setup two', 'two is up', 'setup b']);
    log.length = 0;
    await app.teardown();
    await app.teardown();
    expect(log).toEqual(['teardown a', 'teardown one', 'one is down', 'teardown two', 'two is down', 'teardown b']);
  });

  it('does neither again when it was started, or stopped, by itself', async () => {
    const log: string[] = [];
    const sub = framework().use('x', logging(log, 'x'));
    sub.hooks(around(log, 'sub') as never);
    const app = framework();
    app.use('api', sub);
    await sub.setup('its server');
    await app.setup('server');
    expect(log).toEqual(['sub begins', 'setup x', 'sub is up']);
    log.length = 0;
    await sub.teardown();
    await app.teardown();
    expect(log).toEqual(['teardown x', 'sub is down']);
  });

  it('takes rules of its records until the outermost one is set up', async () => {
    const hidden = () => contributing(() => undefined, { hidden: ['secret'] });
    const sub = framework().use('x', finds()).use('y', finds());
    const app = framework();
    app.use('api', sub);
    await sub.setup();
    await sub.service('x').find();
    sub.service('x').hooks({ after: { find: [hidden()] } } as never);
    await app.setup();
    const outside: { find(params: object): Promise<unknown> } = sub.service('x');
    await expect(outside.find({ provider: 'rest' })).resolves.toEqual([{}]);
    expect(() => sub.service('y').hooks({ after: { find: [hidden()] } } as never)).toThrow(
      "The rules of these records are fixed since the application was set up, and say nothing of 'secret'",
    );
  });
});

describe('what comes with a registration', () => {
  const checking = (log: string[]) => ({ outerHooks: {}, check: (_app: object, path: string) => void log.push(path) });

  it('is checked once when all is set up, and at once for what comes later', async () => {
    const log: string[] = [];
    const sub = framework().use('x', finds(), { schema: checking(log) } as never);
    const app = framework().use('y', finds(), { schema: checking(log) } as never);
    app.use('api', sub);
    expect(log).toEqual([]);
    await app.setup();
    expect(log.sort()).toEqual(['x', 'y']);
    app.use('late', finds(), { schema: checking(log) } as never);
    expect(log).toEqual(['x', 'y', 'late']);
  });

  it('is not checked at once when the application has been torn down', async () => {
    const log: string[] = [];
    const app = framework();
    await app.setup();
    await app.teardown();
    app.use('next', finds(), { schema: checking(log) } as never);
    expect(log).toEqual([]);
    await app.setup();
    expect(log).toEqual(['next']);
  });
});

describe('a late setup', () => {
  const warnings = () => jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);

  it('that fails is told to the process, and one that succeeds is not', async () => {
    const warning = warnings();
    const app = framework();
    await app.setup();
    const breaking = finds({ setup: () => Promise.reject(new Error('no database')) });
    app.use('works', finds({ setup: () => undefined })).use('breaks', breaking);
    app.use('api', framework().use('works', finds({ setup: () => undefined })));
    app.use('bad', framework().use('breaks', breaking));
    for (const path of ['works', 'api/works']) await expect(app.service(path as never as 'works').find()).resolves.toEqual([{ secret: 1 }]);
    for (const path of ['breaks', 'bad/breaks']) await expect(app.service(path as never as 'works').find()).rejects.toThrow('no database');
    const told = warning.mock.calls;
    warning.mockRestore();
    expect(told).toEqual([
      ["setup of service 'breaks' failed: Error: no database"],
      ["setup of the application at 'bad' failed: Error: no database"],
    ]);
  });

  it('of a mounted application holds back what is not set up, and nothing else', async () => {
    const elsewhere = framework().use('ready', finds({ setup: () => undefined }));
    await elsewhere.setup();
    let open: (() => void) | undefined;
    const slow = finds({ setup: () => new Promise<void>((resolve) => (open = resolve)) });
    const sub = framework().use('slow', slow).use('ready', elsewhere.service('ready'));
    const app = framework();
    await app.setup();
    app.use('api', sub);
    await expect(sub.service('ready').find()).resolves.toEqual([{ secret: 1 }]);
    let answered = false;
    const waiting = sub
      .service('slow')
      .find()
      .then(() => (answered = true));
    await tick();
    expect(answered).toBe(false);
    open?.();
    await waiting;
    expect(answered).toBe(true);
  });
});
