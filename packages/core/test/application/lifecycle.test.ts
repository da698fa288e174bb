import { describe, expect, it } from '@jest/globals';
import { framework } from '../../src/index.ts';

const logging = (log: string[], name: string) => ({
  async find(): Promise<string[]> {
    return [name];
  },
  async setup(_app: unknown, path: string): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 5));
    log.push(`setup ${path}`);
  },
  async teardown(_app: unknown, path: string): Promise<void> {
    log.push(`teardown ${path}`);
  },
});

describe('setup and teardown', () => {
  it('run one after the other in the order of registration, and resolve with the application', async () => {
    const log: string[] = [];
    const app = framework().use('a', logging(log, 'a')).use('b', logging(log, 'b'));
    await expect(app.setup()).resolves.toBe(app);
    await expect(app.teardown()).resolves.toBe(app);
    expect(log).toEqual(['setup a', 'setup b', 'teardown a', 'teardown b']);
  });

  it('have around hooks with app and server', async () => {
    const log: unknown[] = [];
    const app = framework();
    app.use('a', logging(log as string[], 'a'));
    app.hooks({
      setup: [
        async (context, next) => {
          log.push([context.app === app, context.server]);
          await next();
          log.push('after');
        },
      ],
      teardown: async (_context, next) => {
        log.push('teardown hook');
        await next();
      },
    });
    await app.setup('the server');
    await app.teardown();
    expect(log).toEqual([[true, 'the server'], 'setup a', 'after', 'teardown hook', 'teardown a']);
  });

  it.each([
    ['a hook', 0],
    ['a service', 1],
  ])('leave nothing up where the teardown begins while %s waits in setup', async (_what, at) => {
    const log: string[] = [];
    const app = framework().use('a', logging(log, 'a')).use('b', logging(log, 'b'));
    let goOn: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (goOn = resolve));
    const waits = { ...logging(log, 'waits'), setup: () => waiting };
    if (at === 1) app.use('waits', waits).use('c', logging(log, 'c'));
    else
      app.hooks({
        setup: async (_context, next) => {
          await waiting;
          await next();
        },
      });
    const setup = app.setup();
    setup.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const teardown = app.teardown();
    if (at === 0) await teardown;
    goOn();
    await expect(setup).rejects.toThrow('app.teardown() was called before app.setup() had ended');
    await teardown;
    const up = ['a', 'b', 'c'].filter((path) => log.lastIndexOf(`setup ${path}`) > log.lastIndexOf(`teardown ${path}`));
    expect(up).toEqual([]);
    log.length = 0;
    await app.setup();
    expect(log.slice(0, 2)).toEqual(['setup a', 'setup b']);
  });

  it('reject with the error of a service', async () => {
    const app = framework().use('a', {
      async find() {
        return [];
      },
      async setup() {
        throw new Error('no database');
      },
    });
    await expect(app.setup()).rejects.toThrow('no database');
  });
});

describe('a teardown that fails', () => {
  const failing = (log: string[], name: string) => ({
    ...logging(log, name),
    teardown: () => {
      log.push(`failed ${name}`);
      throw new Error(`${name} can not end`);
    },
  });

  it('keeps no other service up, also of mounted applications, and is told when all are done', async () => {
    const log: string[] = [];
    const app = framework().use('a', failing(log, 'a')).use('b', logging(log, 'b'));
    app.use('sub', framework().use('c', logging(log, 'c')));
    await app.setup();
    log.length = 0;
    await expect(app.teardown()).rejects.toThrow(new Error('a can not end'));
    expect(log).toEqual(['failed a', 'teardown b', 'teardown c']);
    await app.setup();
    expect(log.slice(3)).toEqual(['setup a', 'setup b', 'setup c']);
  });

  it('of several services is told with all their errors', async () => {
    const log: string[] = [];
    const app = framework();
    app.use('sub', framework().use('a', failing(log, 'a')).use('b', failing(log, 'b')));
    app.use('c', failing(log, 'c')).use('d', logging(log, 'd'));
    await app.setup();
    const error: unknown = await app.teardown().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'AggregateError', message: expect.stringMatching(/a can not end.*b can not end.*c can not end/) });
    expect(log.slice(4)).toEqual(['failed a', 'failed b', 'failed c', 'teardown d']);
  });
});

describe('a service that is added after setup', () => {
  it('is set up, and calls wait for it', async () => {
    const log: string[] = [];
    const app = framework();
    await app.setup();
    app.use('late', logging(log, 'late'));
    const result = app
      .service('late')
      .find({})
      .then((found) => {
        log.push('found');
        return found;
      });
    await expect(result).resolves.toEqual(['late']);
    expect(log).toEqual(['setup late', 'found']);
  });

  it('can call itself while it is set up', async () => {
    const app = framework();
    await app.setup();
    app.use('late', {
      async find(): Promise<string[]> {
        return ['x'];
      },
      async setup(): Promise<void> {
        await app.service('late').find();
      },
    });
    await expect(app.service('late').find()).resolves.toEqual(['x']);
  });

  it('and another one can call each other while both are set up', async () => {
    const app = framework();
    await app.setup();
    const asking = (other: string) => ({
      find: async (): Promise<string[]> => [other],
      async setup(): Promise<void> {
        await new Promise((resolve) => setTimeout(resolve, 5));
        await app.service(other).find();
      },
    });
    app.use('one', asking('two')).use('two', asking('three')).use('three', asking('one'));
    const found = await Promise.all(['one', 'two', 'three'].map((path) => app.service(path).find()));
    expect(found).toEqual([['two'], ['three'], ['one']]);
  });

  it('gives the error of its setup to those who call it', async () => {
    const app = framework();
    await app.setup();
    app.use('late', {
      async find() {
        return [];
      },
      async setup() {
        throw new Error('broken');
      },
    });
    await expect(app.service('late').find()).rejects.toThrow('broken');
  });
});

const counting = (log: string[], name: string) => ({
  async find(): Promise<string[]> {
    return [name];
  },
  async setup(_app: unknown, path: string): Promise<void> {
    log.push(`setup ${name} ${path}`);
    await Promise.resolve();
  },
  async teardown(_app: unknown, path: string): Promise<void> {
    log.push(`teardown ${name} ${path}`);
  },
});

describe('a service is set up once', () => {
  it('when it is registered in a setup hook, before and after the others', async () => {
    const log: string[] = [];
    const app = framework();
    app.use('first', counting(log, 'first'));
    app.hooks({
      setup: [
        async (_context, next) => {
          app.use('early', counting(log, 'early'));
          await next();
          app.use('late', counting(log, 'late'));
          await app.service('late').find();
        },
      ],
    });
    await app.setup();
    expect(log.sort()).toEqual(['setup early early', 'setup first first', 'setup late late']);
  });

  it("when it is registered in another service's setup", async () => {
    const log: string[] = [];
    const app = framework();
    app.use('first', {
      ...counting(log, 'first'),
      async setup() {
        app.use('inner', counting(log, 'inner'));
        await app.service('inner').find();
      },
    });
    await app.setup();
    expect(log).toEqual(['setup inner inner']);
  });

  it('when its application is mounted, whichever of the two is set up, first or both', async () => {
    for (const order of [['app'], ['sub', 'app'], ['app', 'sub'], ['app', 'app', 'sub']]) {
      const log: string[] = [];
      const sub = framework().use('x', counting(log, 'x'));
      sub.hooks({ setup: [async (_context, next) => (log.push('sub hook'), next())] });
      const app = framework();
      app.use('api', sub);
      for (const name of order) await (name === 'app' ? app : sub).setup('server');
      expect(log.filter((line) => line.startsWith('setup'))).toEqual(['setup x x']);
      expect(log.filter((line) => line === 'sub hook')).toHaveLength(1);
      await app.teardown();
      await sub.teardown();
      expect(log.filter((line) => line.startsWith('teardown'))).toEqual(['teardown x x']);
    }
  });

  it('and the hooks around it run once, but again for another server', async () => {
    const servers: unknown[] = [];
    const app = framework().use('x', counting([], 'x'));
    app.hooks({
      setup: [
        async ({ server }, next) => {
          servers.push(server);
          await Promise.resolve();
          await next();
        },
      ],
    });
    await Promise.all([app.setup(), app.setup()]);
    await app.setup('a server');
    await app.setup('a server');
    expect(servers).toEqual([undefined, 'a server']);
  });

  it('when two applications have it', async () => {
    const log: string[] = [];
    const first = framework().use('x', counting(log, 'x'));
    const second = framework().use('y', first.service('x'));
    await Promise.all([second.setup(), first.setup()]);
    await Promise.all([second.teardown(), first.teardown()]);
    expect(log).toEqual(['setup x x', 'teardown x x']);
  });

  it('again after a teardown, and after a setup that failed', async () => {
    const log: string[] = [];
    let fails = true;
    const app = framework().use('x', {
      ...counting(log, 'x'),
      async setup() {
        log.push('setup');
        if (fails) throw new Error('not yet');
      },
    });
    await expect(app.setup()).rejects.toThrow('not yet');
    fails = false;
    await app.setup();
    await app.setup();
    await app.teardown();
    await app.setup();
    expect(log).toEqual(['setup', 'setup', 'teardown x x', 'setup']);
  });

  it('also where the setup before the teardown before it has failed meanwhile', async () => {
    const log: string[] = [];
    let fails = true;
    const app = framework().use('x', {
      ...counting(log, 'x'),
      async setup() {
        log.push('setup');
        if (!fails) return;
        fails = false;
        await Promise.resolve();
        throw new Error('not yet');
      },
    });
    await Promise.allSettled([app.setup(), app.teardown(), app.setup()]);
    await app.setup();
    expect(log).toEqual(['setup', 'teardown x x', 'setup']);
  });

  it('and not again once it was taken out, while the application around its own is set up', async () => {
    const log: string[] = [];
    const sub = framework().use('x', counting(log, 'x'));
    const app = framework();
    app.use('api', sub);
    await Promise.all([app.setup(), sub.unuse('x')]);
    expect(log).toEqual(['setup x x', 'teardown x x']);
  });

  it('and torn down before it is set up anew, when it is registered again', async () => {
    const log: string[] = [];
    const app = framework().use('x', counting(log, 'x'));
    await app.setup();
    const removed = app.service('x');
    const gone = app.unuse('x');
    app.use('y', removed);
    await gone;
    await removed.find();
    expect(log).toEqual(['setup x x', 'teardown x x', 'setup x x']);
  });
});

describe('calls of an application that is mounted after setup', () => {
  it('wait until it is set up', async () => {
    const log: string[] = [];
    const app = framework();
    await app.setup();
    const sub = framework();
    sub.use('x', {
      ...counting(log, 'x'),
      async setup(): Promise<void> {
        await new Promise((resolve) => setTimeout(resolve, 5));
        await sub.service('x').find();
        log.push('ready');
      },
    });
    app.use('api', sub);
    await sub.service('x').find();
    log.push('found');
    expect(log).toEqual(['ready', 'found']);
  });

  it('get the error of its setup, until a later one succeeds', async () => {
    let fails = true;
    const app = framework();
    await app.setup();
    const sub = framework().use('x', {
      ...counting([], 'x'),
      async setup() {
        if (fails) throw new Error('broken');
      },
    });
    app.use('api', sub);
    await expect(sub.service('x').find()).rejects.toThrow('broken');
    fails = false;
    await sub.setup();
    await expect(sub.service('x').find()).resolves.toEqual(['x']);
  });
});
