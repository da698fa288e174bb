import { existsSync } from 'node:fs';
import { EventEmitter, once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { framework } from '@framework/core';
import { describe, expect, it, jest } from '@jest/globals';
import plainExpress from 'express';
import express, { errorHandler, json, notFound, rest, type Application } from '../src/index.ts';
import { echo, listen, send } from './harness.ts';

const EXPRESS_4 = 'lazyrouter' in plainExpress();

/** What a property is: its value's type and length, or the error that reading it throws. */
function shownProperty(target: object, name: string): unknown {
  try {
    const value: unknown = Reflect.get(target, name);
    return typeof value === 'function' ? ['function', value.length] : typeof value;
  } catch (error) {
    return String(error);
  }
}

async function withServer(app: Application, use: (url: string) => Promise<void>): Promise<void> {
  const running = await listen(app);
  try {
    await use(running.url);
  } finally {
    await running.stop();
  }
}

describe('in place of express', () => {
  it('has every property of the installed Express, with its length or its hint', () => {
    // `errorHandler` is ours; Express 4 has a hint there.
    const others = ['name', 'prototype', 'arguments', 'caller', 'errorHandler'];
    const names = Object.getOwnPropertyNames(plainExpress).filter((name) => !others.includes(name));
    expect(names).toEqual(expect.arrayContaining(['Route', 'Router', 'application', 'json', 'length', 'request', 'response', 'static']));
    expect(names.includes('bodyParser')).toBe(EXPRESS_4);
    for (const name of names) expect([name, shownProperty(express, name)]).toEqual([name, shownProperty(plainExpress, name)]);
    const { Route, request } = express as unknown as Record<string, unknown>;
    expect([Route, request]).toEqual([(plainExpress as unknown as Record<string, unknown>).Route, plainExpress.request]);
  });

  it('makes a plain application without arguments', async () => {
    const app = express();
    app.get('/', (_req, res) => void res.send('plain'));
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    expect((await send(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, '/')).text).toBe('plain');
    server.close();
  });

  it('tells middleware and Express errors from services', () => {
    const app = express(framework()) as unknown as { use(...args: unknown[]): unknown };
    for (const value of [new Map(), new Date(), Buffer.from('a'), new URLSearchParams(), /a/]) {
      expect(() => app.use('/', value)).toThrow(TypeError);
      expect(() => plainExpress().use('/', value as never)).toThrow(TypeError);
    }
    // A class of its own that extends one of them can be a service.
    app.use(
      'cache',
      new (class Cache extends Map<unknown, unknown> {
        find(): Promise<unknown[]> {
          return Promise.resolve([...this.values()]);
        }
      })(),
    );
  });
});

describe('listen', () => {
  async function taken(use: (port: number) => Promise<void>): Promise<void> {
    const server = http.createServer().listen(0);
    await once(server, 'listening');
    await use((server.address() as AddressInfo).port);
    server.close();
  }

  it('gives the error of a port in use to the promise', async () => {
    await taken(async (port) => {
      await expect(express(framework()).listen(port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    });
  });

  it('gives it to the callback as the installed Express does, and to the promise, which nobody has to take then', async () => {
    await taken(async (port) => {
      const calls: unknown[] = [];
      const callback = (error?: unknown): void => void calls.push((error as { code?: string } | undefined)?.code);
      const listening = express(framework()).listen(port, callback);
      if (EXPRESS_4) {
        await expect(listening).rejects.toMatchObject({ code: 'EADDRINUSE' });
        expect(calls).toEqual([]);
        return;
      }
      // Unhandled rejections end a test.
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(calls).toEqual(['EADDRINUSE']);
      await expect(listening).rejects.toMatchObject({ code: 'EADDRINUSE' });
    });
  });

  it('refuses what is neither a port nor the path of a socket, where Node.js would make a socket of that name', async () => {
    const refused = /^app\.listen\(\) takes a port from 0 to 65535, or the path of a socket such as \.\/api\.sock, and not 'abc'$/;
    await expect(express(framework()).listen('abc')).rejects.toThrow(refused);
    expect(existsSync('abc')).toBe(false);
    const told: unknown[] = [];
    const listening = express(framework()).listen('abc' as never, (error?: unknown) => void told.push(error));
    await expect(listening).rejects.toThrow(refused);
    if (!EXPRESS_4) expect(told).toEqual([expect.objectContaining({ message: expect.stringMatching(refused) as unknown })]);
  });

  it('calls the callback once when it listens', async () => {
    const calls: unknown[][] = [];
    const app = express(framework());
    const server = await app.listen(0, (...args: unknown[]) => void calls.push(args));
    // Express 4 does not listen for errors.
    if (!EXPRESS_4) (server as EventEmitter).emit('error', new Error('later'));
    expect(calls).toEqual([[]]);
    await app.close();
  });
});

describe('use', () => {
  const make = (): { use(...args: unknown[]): unknown; configure(fn: unknown): unknown; setup(): Promise<unknown> } & Application =>
    express(framework()) as never;
  const guard = (_req: unknown, _res: unknown, next: () => void): void => {
    next();
  };

  it('refuses a class, and says what to do', () => {
    class Users {
      find(): Promise<unknown[]> {
        return Promise.resolve([]);
      }
    }
    function OldUsers(): void {
      // Made with `new` too.
    }
    (OldUsers as { prototype: object }).prototype = { find: () => [] };
    expect(() => make().use('users', Users)).toThrow("Create the service: app.use('users', new Users())");
    expect(() => make().use('users', guard, Users)).toThrow(TypeError);
    expect(() => make().use('users', OldUsers)).toThrow('new OldUsers()');
  });

  it.each([[undefined], [null]])('refuses %s in place of a service', (nothing) => {
    expect(() => make().use('users', nothing)).toThrow(/app\.use\('users', …\) requires a middleware function or a service, and got/);
    expect(() => make().use('users', guard, nothing)).toThrow(TypeError);
    expect(() => make().use('users')).toThrow('nothing behind the path');
  });

  it('refuses a promise of a service', () => {
    expect(() => make().use('users', Promise.resolve(echo))).toThrow(
      new TypeError("app.use('users', …) requires a middleware function or a service, and got a promise. Await it first"),
    );
  });

  it('refuses a service without a path', () => {
    expect(() => make().use(echo)).toThrow("Name one: app.use('users', service)");
  });

  it('refuses what would be dropped beside a service that is registered, or an application', () => {
    const app = make();
    app.use('x', echo);
    const registered: unknown = app.service('x');
    expect(() => app.use('guarded/x', guard, registered)).toThrow("is registered as 'x' already");
    expect(() => app.use('guarded/x', registered, guard)).toThrow("is registered as 'x' already");
    expect(() => app.use('guarded/x', registered, { methods: ['find'] })).toThrow("is registered as 'x' already");
    expect(() => app.use('guarded', guard, framework())).toThrow('Wrap the inner application');
    app.use('alias/x', registered);
    expect(app.lookup('alias/x/1')).toMatchObject({ path: 'alias/x' });
  });

  it('refuses unknown options and options that replace each other', () => {
    expect(() => make().use('x', echo, { method: ['find'] })).toThrow("Unknown option 'method' of service 'x'. Did you mean 'methods'?");
    expect(() => make().use('x', echo, echo)).toThrow("Unknown option 'id' of service 'x'");
    expect(() => make().use('x', echo, { express: { first: [guard] } })).toThrow("and not 'first'");
    expect(() => make().use('x', echo, { express: { before: ['guard'] } })).toThrow('expected middleware functions');
    expect(() => make().use('x', guard, echo, { express: { after: [guard] } })).toThrow('use one of them');
  });

  it('warns of a service behind middleware that will never see its requests, and of nothing else', async () => {
    const warnings = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    try {
      // Late services, and what stands at a path or ends the stack, are no mistake.
      const whole = make();
      whole.use(guard);
      whole.configure(rest());
      whole.use('/files', guard);
      whole.use(['/fir', /first/, '/first/second'], guard);
      whole.use('/first', express.Router(), errorHandler({ logger: false }));
      whole.use('first', echo);
      whole.use(notFound());
      whole.use(errorHandler({ logger: false }));
      whole.use('second', echo);
      const late = make();
      late.configure(rest());
      late.use(guard);
      await late.setup();
      late.use('third', echo);
      expect(warnings.mock.calls).toEqual([]);

      const app = make();
      app.use(json());
      app.configure(rest());
      app.use('first', echo);
      app.use(guard);
      app.use('second', echo);
      app.use('third', echo);
      for (const path of ['/admin', 'ADMIN/', '/:area', '/admin/notes', ['/other', '/admin']]) {
        const guarded = make();
        guarded.configure(rest());
        guarded.use(path, guard);
        guarded.use('notes/admin', echo);
        guarded.use('admin/notes', echo);
      }
      const [all, ...atPaths] = warnings.mock.calls;
      expect(atPaths.map(([text]) => /the service '([^']*)'/.exec(String(text))?.[1])).toEqual([
        'admin/notes',
        'admin/notes',
        'notes/admin',
        'admin/notes',
        'admin/notes',
      ]);
      expect([all]).toEqual([
        [
          expect.stringMatching(/before the service 'second'.*move it before app\.configure\(rest\(\)\)/s),
          { code: 'MIDDLEWARE_BEHIND_REST' },
        ],
      ]);
    } finally {
      warnings.mockRestore();
    }
  });
});

describe('queries that are refused', () => {
  it('fail those who read them, and nobody else', async () => {
    const app = express(framework()) as unknown as Application;
    app.get('/plain', (_req, res) => void res.send('not read'));
    app.get('/read', (req, res) => void res.json(req.query.q ?? null));
    app.configure(rest());
    app.use('echo', echo);
    app.use('deaf', { find: () => Promise.resolve(['not read']) });
    app.use(errorHandler({ logger: false }));
    await withServer(app, async (url) => {
      for (const query of ['q=100%', '__proto__[a]=1', 'a[__proto__]=1', 'a%5B__proto__%5D=1']) {
        const status = async (path: string): Promise<number> => (await send(url, `${path}?${query}`)).status;
        expect([query, await status('/plain'), await status('/read'), await status('/echo'), await status('/deaf')]).toEqual([
          query,
          200,
          400,
          400,
          400,
        ]);
      }
    });
  });

  it('are refused for their names, and not for their values', async () => {
    const app = express(framework()) as unknown as Application;
    app.configure(rest());
    app.use('echo', echo);
    await withServer(app, async (url) => {
      const { status, body } = await send(url, '/echo?text=what%20is%20__proto__&my__proto__x=1');
      expect([status, body.query]).toEqual([200, { text: 'what is __proto__', my__proto__x: '1' }]);
    });
  });
});
