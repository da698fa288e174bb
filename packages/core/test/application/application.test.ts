import { EventEmitter } from 'node:events';
import { BadRequest } from '@framework/errors';
import { describe, expect, it, jest } from '@jest/globals';
import { framework, getServiceOptions, type Params } from '../../src/index.ts';

class Messages {
  async find(): Promise<string[]> {
    return ['hello'];
  }
  async get(id: number | string): Promise<{ id: number | string }> {
    return { id };
  }
}

describe('settings', () => {
  it('keeps settings, undefined too, and gives undefined for unset ones', () => {
    const app = framework();
    expect(app.set('a', 1)).toBe(app);
    expect(app.get('a')).toBe(1);
    expect(app.set('b', undefined).get('b')).toBeUndefined();
    expect(app.get('never')).toBeUndefined();
  });

  it.each(['toString', 'constructor', '__proto__'])('has %s as a name like any other', (name) => {
    const app = framework();
    expect(app.get(name)).toBeUndefined();
    app.set(name, { port: 3030 });
    expect(app.get(name)).toEqual({ port: 3030 });
    expect(app.get('port')).toBeUndefined();
  });

  it('are not taken by framework(), which says where they go', () => {
    const make = framework as (...given: unknown[]) => unknown;
    expect(() => make({ paginate: { default: 10 } })).toThrow(
      new TypeError(
        'framework() takes no options: settings are given by app.set(name, value), and parts of the application by app.configure(part)',
      ),
    );
    expect(() => make(undefined)).not.toThrow();
  });

  it('is an event emitter', () => {
    expect(framework()).toBeInstanceOf(EventEmitter);
  });

  it('configure calls with the application as argument and as this', () => {
    const app = framework();
    const seen: unknown[] = [];
    const result = app.configure(function (this: unknown, argument: unknown) {
      seen.push(this, argument);
    });
    expect(seen).toEqual([app, app]);
    expect(result).toBe(app);
    expect(app.configure((given) => given)).toBe(app);
  });

  it('configure says what it needs, where there is none, and where a plug-in was not called', () => {
    const app = framework();
    for (const [given, shown] of [
      [undefined, 'undefined'],
      [null, 'null'],
      [{}, 'object'],
      [Promise.resolve(), 'object'],
    ] as [never, string][])
      expect(() => app.configure(given as never)).toThrow(
        new TypeError(`configure() needs a function of the application, as rest() gives one, and got ${shown}. Is what you pass exported?`),
      );
    const warning = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const plugin = () => (): void => undefined;
    expect(app.configure(plugin)).toBe(app);
    expect(warning.mock.calls).toEqual([
      ["configure() got 'plugin', which gives another function: is it to be called first, configure(plugin())?"],
    ]);
    warning.mockClear();
    // It has no name where nothing gives it one.
    app.configure(
      (
        () => () => (): void =>
          undefined
      )() as never,
    );
    expect(warning.mock.calls).toEqual([
      ['configure() got the function, which gives another function: is it to be called first, configure(made())?'],
    ]);
    warning.mockClear();
    const express = Object.assign((): void => undefined, { services: {} });
    for (const given of [express, {}, 5, null]) app.configure(() => given);
    expect(warning.mock.calls).toEqual([]);
    warning.mockRestore();
  });

  it('says that a path is missing, where there is none', async () => {
    const app = framework();
    for (const [given, shown] of [
      [undefined, 'undefined'],
      [null, 'null'],
      [{}, 'object'],
    ] as [never, string][]) {
      expect(() => app.service(given as never)).toThrow(new TypeError(`service() needs the path of a service, and got ${shown}`));
      await expect(app.unuse(given as never)).rejects.toThrow(new TypeError(`unuse() needs the path of a service, and got ${shown}`));
    }
  });
});

describe('use and service', () => {
  it('finds a service with and without outer slashes', () => {
    const app = framework().use('/messages/', new Messages());
    expect(app.service('messages' as '/messages/')).toBe(app.service('/messages/'));
  });

  it('registers a root service', async () => {
    const app = framework().use('/', new Messages());
    await expect(app.service('/').find()).resolves.toEqual(['hello']);
  });

  it.each([['toString'], ['constructor'], ['__proto__'], ['hasOwnProperty'], ['nothing']])(
    'does not find %p, and names what there is in the cause alone, since plug-ins hand the text on to callers',
    (path) => {
      const app = framework();
      app.use('messages', new Messages());
      const error = thrownBy(() => app.service(path));
      expect(error).toStrictEqual(new Error(`Can not find service '${path}'`));
      expect(error).toHaveProperty('cause', 'Registered: messages');
      expect(JSON.stringify({ ...error })).toBe('{}');
    },
  );

  it('names the first 20 services where one is not found, and none where there is none', () => {
    const app = framework();
    expect(thrownBy(() => app.service('x'))).not.toHaveProperty('cause');
    for (let count = 1; count <= 21; count++) app.use(`s${String(count)}`, new Messages());
    const names = Array.from({ length: 20 }, (_, index) => `s${String(index + 1)}`).join(', ');
    expect(thrownBy(() => app.service('x'))).toHaveProperty('cause', `Registered: ${names}`);
  });

  it('makes services on demand with an overridden defaultService', async () => {
    const app = framework();
    app.defaultService = () => new Messages();
    await expect(app.service('made').find()).resolves.toEqual(['hello']);
  });

  it('refuses what is no path, no service and no method', () => {
    const app = framework();
    expect(() => app.use(null as unknown as string, new Messages())).toThrow("'null' is not a valid service path.");
    expect(() => app.use('a', {})).toThrow('Invalid service object passed for path `a`');
    expect(() => app.use('a', { something: () => 1 })).toThrow('Invalid service object');
    // @ts-expect-error the service has no such method
    expect(() => app.use('a', new Messages(), { methods: ['missing'] })).toThrow("'missing' is not a function");
    for (const name of ['hooks', 'on', 'emit', 'setup', 'toString', '__proto__', 'publish']) {
      expect(() => app.use('a', { find: async () => [], [name]: () => 1 }, { methods: [name] })).toThrow(
        'is not allowed as a custom method name',
      );
    }
  });

  it.each([
    ['an object without methods', {}, undefined],
    ['an object without methods, and options', { run: () => 1 }, {}],
  ])('says what a service needs: %s', (_what, service, options) => {
    expect(() => framework().use('a', service, options)).toThrow(
      new Error(
        'Invalid service object passed for path `a`: it has none of the methods find, get, create, update, patch, remove, ' +
          "'setup' or 'teardown', and no 'methods' option names another",
      ),
    );
  });

  it.each([
    ['a class', Messages, 'it is the class Messages itself. Pass an instance: new Messages()'],
    ['a function', (): void => undefined, 'it is a function'],
    ['a class of something else', class Other {}, 'it is a function'],
    ['a function without a prototype', Object.assign(function made() {}, { prototype: null }), 'it is a function'],
    ['a text', 'messages', 'it is a string'],
    ['a promise', Promise.resolve(new Messages()), 'it is a promise. Await it first'],
    [
      'a list of middleware, which has a method find',
      [(): void => undefined],
      'it is a list. For middleware make it an application of Express: express(framework()) of @framework/transport-express',
    ],
  ])('says what is wrong with %s in place of a service', (_what, given, fault) => {
    expect(() => framework().use('a', given as never)).toThrow(new Error(`Invalid service object passed for path \`a\`: ${fault}`));
  });

  it('refuses the handler of a route, in place of reading a setting of its path', () => {
    const app = framework<object>() as unknown as { get(...given: unknown[]): unknown };
    const handler = (): void => undefined;
    for (const handlers of [[handler], [[handler], handler], [handler, handler]]) {
      expect(() => app.get('/status', ...handlers)).toThrow(
        new Error(
          "app.get('/status') got a handler, and this application has settings and services alone. " +
            'For routes make it an application of Express: express(framework()) of @framework/transport-express',
        ),
      );
    }
    expect(['port'].map(app.get, Object.assign(app, { settings: { port: 3030 } }))).toEqual([3030]);
  });

  it.each([
    ['middleware', (): void => undefined, 'For middleware make it an application of Express: express(framework())'],
    ['a service', new Messages(), "app.use got a service without a path. Name one: app.use('users', service)"],
  ])('says what to do with %s in place of a path', (_what, given, advice) => {
    expect(() => framework().use(given as never, undefined as never)).toThrow(advice);
  });

  it('says what is missing in place of a service', () => {
    for (const given of [undefined, null])
      expect(() => framework().use('a', given as never)).toThrow(new Error(`No service was given for path 'a', but ${String(given)}`));
  });

  it('refuses a path that is taken', () => {
    const app = framework().use('messages', new Messages());
    expect(() => app.use('/messages/', new Messages())).toThrow('already exists');
  });

  it('accepts a service with setup only and one with custom methods only', async () => {
    const app = framework();
    app.use('a', { async setup() {} });
    app.use(
      'b',
      {
        async shout(data: string) {
          return data.toUpperCase();
        },
      },
      { methods: ['shout'] },
    );
    const service = app.service('b') as unknown as { shout(data: string): Promise<string> };
    await expect(service.shout('x')).resolves.toBe('X');
  });

  it("has a user's plain object as the prototype of the registered service", () => {
    const messages = { find: async () => [] };
    const app = framework().use('messages', messages);
    expect(Object.getPrototypeOf(app.service('messages'))).toBe(messages);
    expect(Object.keys(messages)).toEqual(['find']);
  });

  it('keeps a registered service as it is when it is registered again', () => {
    const first = framework().use('messages', new Messages());
    const second = framework().use('others', first.service('messages'));
    expect(second.service('others')).toBe(first.service('messages'));
    second.use('more', first.service('messages'), { methods: undefined } as never);
    expect(() => second.use('again', first.service('messages'), { methods: ['find'] })).toThrow(
      new Error(
        "The service given for 'again' is registered as 'messages' already, with the options and middleware of that registration. " +
          'Leave them out here, or register another object',
      ),
    );
  });

  it('fills in the options of a registration', () => {
    const app = framework();
    app.use('messages', new Messages(), { events: ['typing'], routeParams: { kind: 'x' } });
    expect(getServiceOptions(app.service('messages'))).toMatchObject({
      methods: ['find', 'get'],
      events: ['typing'],
      serviceEvents: ['created', 'updated', 'patched', 'removed', 'typing'],
      routeParams: { kind: 'x' },
    });
    app.use('others', Object.assign(new Messages(), { events: ['own'] }), { serviceEvents: ['only'] });
    expect(getServiceOptions(app.service('others'))).toMatchObject({ events: ['own'], serviceEvents: ['only'] });
  });

  it('calls mixins with each service', () => {
    const app = framework();
    const seen: unknown[] = [];
    app.mixins.push((service, path, options) => seen.push(service, path, options.methods));
    app.use('messages', new Messages());
    expect(seen).toEqual([app.service('messages'), 'messages', ['find', 'get']]);
  });

  it('runs services with private members', async () => {
    class Counter {
      #count = 0;
      async create(by: number): Promise<number> {
        this.#count += by;
        return this.#count;
      }
      get count(): number {
        return this.#count;
      }
    }
    const app = framework().use('counter', new Counter());
    await app.service('counter').create(2);
    await expect(app.service('counter').create(3)).resolves.toBe(5);
    expect(app.service('counter').count).toBe(5);
  });

  it('gives results of synchronous methods as promises, and what they throw as rejections', async () => {
    const app = framework();
    app.use('sync', {
      get: (id: unknown) => ({ id }),
      find: () => {
        throw new Error('now');
      },
    });
    await expect(app.service('sync').get(1)).resolves.toEqual({ id: 1 });
    await expect(app.service('sync').find()).rejects.toThrow('now');
  });

  it('unuse tears down and removes, and the path is free again', async () => {
    const app = framework();
    const log: string[] = [];
    app.use('messages', {
      async find() {
        return [];
      },
      async teardown(_app: unknown, path: string) {
        log.push(path);
      },
    });
    const removed = app.service('messages');
    await expect(app.unuse('/messages')).resolves.toBe(removed);
    expect(log).toEqual(['messages']);
    expect(() => app.service('messages')).toThrow('Can not find service');
    expect(app.lookup('/messages')).toBeNull();
    app.use('messages', new Messages());
    await expect(app.unuse('never')).resolves.toBeUndefined();
  });
});

describe('sub-applications', () => {
  it('registers the services of another application below a prefix, also later ones', async () => {
    const sub = framework().use('messages', new Messages());
    const app = framework();
    app.use('/api/v1', sub);
    sub.use('late', new Messages());
    expect(Object.keys(app.services)).toEqual(['api/v1/messages', 'api/v1/late']);
    expect(app.service('api/v1/messages')).toBe(sub.service('messages'));
    expect(app.lookup('/api/v1/late/5')).toMatchObject({ params: { __id: '5' } });
  });
});

describe('lookup', () => {
  const application = () => {
    const app = framework();
    app.use('users', new Messages());
    app.use('users/:userId/messages', new Messages(), { routeParams: { fixed: 'yes' } });
    app.use('users/me', new Messages());
    return app;
  };

  it('finds services, ids and placeholders', () => {
    const app = application();
    expect(app.lookup('/users')).toMatchObject({ path: 'users', params: {} });
    expect(app.lookup('users/5/')).toMatchObject({ path: 'users', params: { __id: '5' } });
    expect(app.lookup('/users/5/messages/6')).toMatchObject({
      path: 'users/:userId/messages',
      params: { userId: '5', __id: '6', fixed: 'yes' },
    });
  });

  it('prefers fixed segments, and goes back where they lead nowhere', () => {
    const app = application();
    expect(app.lookup('/users/me')).toMatchObject({ path: 'users/me' });
    expect(app.lookup('/users/me/messages/7')).toMatchObject({ path: 'users/:userId/messages', params: { userId: 'me', __id: '7' } });
  });

  it('decodes values, compares by case unless told otherwise, and finds nothing else', () => {
    const app = application();
    expect(app.lookup('/users/a%20b%2Fc')).toMatchObject({ params: { __id: 'a b/c' } });
    expect(() => app.lookup('/users/%zz')).toThrow(BadRequest);
    for (const path of [null, undefined, 12, { length: 1e9 }, ['users'], Symbol('users')]) expect(app.lookup(path)).toBeNull();
    expect(app.lookup('/USERS')).toBeNull();
    expect(app.lookup('/users/1/2/3/4')).toBeNull();
    app.routes.caseSensitive = false;
    expect(app.lookup('/USERS')).toMatchObject({ path: 'users' });
  });
});

it('warns of a listener of events that fails, where nobody listens for that', async () => {
  const warning = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const app = framework().use('x', { create: async (data: object) => data });
  const failure = new Error('listener');
  app.service('x').on('created', () => {
    throw failure;
  });
  app.service('x').on('created', () => Promise.reject('no error') as never);
  await app.service('x').create({});
  await new Promise((resolve) => setImmediate(resolve));
  const told = warning.mock.calls;
  warning.mockRestore();
  expect(told).toEqual([
    ["A listener of 'x created' failed", { detail: failure.stack }],
    ["A listener of 'x created' failed", { detail: 'no error' }],
  ]);
});

it('passes params on as they are, and never undefined', async () => {
  const seen: unknown[] = [];
  const app = framework();
  app.use('x', {
    async find(params?: Params) {
      seen.push(params);
      return [];
    },
  });
  const params = { query: { a: 1 } };
  await app.service('x').find(params);
  await app.service('x').find();
  expect(seen[0]).toBe(params);
  expect(seen[1]).toEqual({});
});

function thrownBy(call: () => unknown): Error {
  try {
    call();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}
