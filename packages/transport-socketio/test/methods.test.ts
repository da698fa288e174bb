import * as feathersErrors from '@feathersjs/errors';
import { answerBy, copyParams, framework, type HookContext } from '@framework/core';
import { BadRequest, Forbidden } from '@framework/errors';
import { resolve } from '@framework/schema';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { socketio } from '../src/index.ts';
import { call, connect, connectClient, memory, start, stopAll, until, type AnyApplication } from './harness.ts';

afterEach(stopAll);

/** Does something with the server once it is there. */
function beforeSetup(app: AnyApplication, configure: (io: any) => void): void {
  app.hooks({
    setup: [
      async (_context: unknown, next: () => Promise<void>) => {
        configure(app.io);
        await next();
      },
    ],
  });
}

const notes = (app: AnyApplication): void => void app.use('notes', memory());

describe.each([['websocket'], ['polling']])('service calls over %s', (transport) => {
  const transports = [transport];

  it('give a caller the answer that was made for it alone, and those who listen the record', async () => {
    const { app: server, url } = await start((app) => {
      notes(app);
      app.publish(() => app.channel('everyone'));
      app.on('connection', (connection: object) => app.channel('everyone').join(connection));
      const after = (context: HookContext): void => {
        answerBy(context, () => Promise.resolve({ ...(context.result as object), mine: true }));
      };
      app.service('notes').hooks({ after: { create: [after] } });
    });
    const { app } = await connectClient(url, { transports });
    const heard: unknown[] = [];
    app.service('notes').on('created', (note: unknown) => heard.push(note));
    expect(await app.service('notes').create({ text: 'a' })).toEqual({ id: 0, text: 'a', mine: true });
    await until(() => heard.length > 0);
    expect(heard).toEqual([{ id: 0, text: 'a' }]);
    expect(await server.service('notes').find()).toEqual([{ id: 0, text: 'a' }]);
  });

  it('refuse to send what is read piece by piece, and let go of it', async () => {
    const ended: string[] = [];
    const pieces = (name: string): AsyncIterable<number> => ({
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.resolve({ done: false, value: 1 }),
        return: () => {
          ended.push(name);
          return Promise.reject(new Error('of the source'));
        },
      }),
    });
    const stream = (name: string): Readable =>
      new Readable({ objectMode: true, read: () => undefined }).on('close', () => ended.push(name));
    const { url } = await start((app) => {
      app.use('streams', {
        find: () => Promise.resolve(stream('stream')),
        get: (id: string) => Promise.resolve(pieces(id)),
        create: () => Promise.resolve(stream('failed')),
      });
      const fail = (): void => {
        throw new BadRequest('of a hook');
      };
      app.service('streams').hooks({ after: { create: [fail] } });
    });
    const { app } = await connectClient(url, { transports });
    const streams = app.service('streams');
    await expect(streams.find()).rejects.toMatchObject({ code: 406 });
    await expect(streams.get('pieces')).rejects.toMatchObject({ code: 406 });
    await expect(streams.create({})).rejects.toMatchObject({ code: 400, message: 'of a hook' });
    await until(() => ended.length === 3);
    expect(ended).toEqual(['stream', 'pieces', 'failed']);
  });

  it('do what all six methods do', async () => {
    const { url } = await start(notes);
    const { app } = await connectClient(url, { transports });
    const service = app.service('notes');
    expect(await service.create({ text: 'a' })).toEqual({ id: 0, text: 'a' });
    expect(await service.create([{ text: 'b' }, { text: 'c' }])).toEqual([
      { id: 1, text: 'b' },
      { id: 2, text: 'c' },
    ]);
    expect(await service.get(1)).toEqual({ id: 1, text: 'b' });
    expect(await service.find({ query: { text: { $in: ['a', 'c'] }, $sort: { id: -1 } } })).toEqual([
      { id: 2, text: 'c' },
      { id: 0, text: 'a' },
    ]);
    expect(await service.update(0, { text: 'A' })).toEqual({ id: 0, text: 'A' });
    expect(await service.patch(1, { done: true })).toEqual({ id: 1, text: 'b', done: true });
    expect(await service.patch(null, { seen: true }, { query: { done: true } })).toEqual([{ id: 1, text: 'b', done: true, seen: true }]);
    expect(await service.remove(2)).toEqual({ id: 2, text: 'c' });
    expect(await service.remove(null)).toHaveLength(2);
  });

  it('turn errors into those of the client', async () => {
    const { url } = await start((app) => {
      app.use('notes', {
        async get(id: string): Promise<unknown> {
          if (id === 'plain') throw new Error('with secrets');
          if (id === 'cyclic') {
            const data: Record<string, unknown> = {};
            data.self = data;
            throw Object.assign(new BadRequest('Cyclic'), { data });
          }
          throw new Forbidden('Not that one', { reason: 'it is mine' });
        },
      });
    });
    const { app } = await connectClient(url, { transports });
    const failed = (id: string): Promise<any> =>
      app
        .service('notes')
        .get(id)
        .catch((error: unknown) => error);
    expect(await failed('x')).toMatchObject({ name: 'Forbidden', message: 'Not that one', code: 403, data: { reason: 'it is mine' } });
    expect(await failed('x')).toBeInstanceOf(feathersErrors.Forbidden);
    const plain = await failed('plain');
    expect(plain).toMatchObject({ name: 'GeneralError', code: 500, data: { correlationId: expect.any(String) } });
    expect(JSON.stringify(plain)).not.toContain('secrets');
    expect(await failed('cyclic')).toMatchObject({ name: 'BadRequest', message: 'Cyclic' });
  });

  it('are logged where a fault of the server is in them, as in those of resolvers', async () => {
    const logged: any[] = [];
    const broken = new TypeError('with secrets');
    const failing = resolve({ text: async () => Promise.reject(broken), name: async () => Promise.reject(new Forbidden('Not that one')) });
    const refusing = resolve({ name: async () => Promise.reject(new Forbidden('Not that one')) });
    const { url } = await start((app) => app.use('notes', { find: () => failing.resolve({}, {}), get: () => refusing.resolve({}, {}) }), {
      logger: (error) => logged.push(error),
    });
    const socket = await connect(url, { transports });
    const { error } = await call(socket, 'find', 'notes', {});
    expect(error).toMatchObject({ code: 400, errors: { text: { code: 500 }, name: { code: 403 } } });
    expect(JSON.stringify(error)).not.toContain('secrets');
    expect((await call(socket, 'get', 'notes', 1, {})).error).toMatchObject({ code: 400 });
    expect(logged).toEqual([expect.objectContaining({ message: 'A call over a socket failed', cause: broken })]);
  });

  it('are answered when the result is nothing that a message can hold', async () => {
    const { url } = await start((app) => {
      app.use('odd', {
        async find() {
          return [10n];
        },
        async get() {
          return (async function* () {
            yield 1;
          })();
        },
      });
    });
    const socket = await connect(url, { transports });
    expect((await call(socket, 'find', 'odd', {})).error).toMatchObject({ code: 500 });
    expect((await call(socket, 'get', 'odd', 1, {})).error).toMatchObject({ code: 406 });
  });

  it('S47 are told by their name and status where their class can not make JSON of them', async () => {
    class Odd extends BadRequest {
      override toJSON(): never {
        throw new Error('no JSON');
      }
    }
    const { url } = await start((app) => {
      app.use('odd', { find: () => Promise.reject(new Odd('odd')) });
    });
    const socket = await connect(url, { transports });
    const told = { name: 'BadRequest', message: 'odd', code: 400, className: 'bad-request' };
    expect((await call(socket, 'find', 'odd', {})).error).toEqual(told);
  });
});

describe('a method', () => {
  it('gets what the server knows of the connection, the query and the values of the path, and nothing else of the client', async () => {
    const seen: any[] = [];
    const { url } = await start((app) => {
      app.use('users/:userId/notes', {
        async create(data: unknown, params: any) {
          seen.push(params);
          return data as object;
        },
      });
    });
    const socket = await connect(url, { extraHeaders: { 'x-device': 'phone' } });
    const query = { user: 1, provider: 'none', authentication: { strategy: 'x' }, headers: {}, route: { userId: 'other' } };
    await call(socket, 'create', 'users/100%/notes', { user: 'data' }, query);
    const { query: got, route, provider, headers, connection, user, authentication } = seen[0];
    expect({ got, route, provider, user, authentication }).toEqual({ got: query, route: { userId: '100%' }, provider: 'socketio' });
    expect(headers['x-device']).toBe('phone');
    expect(connection).toMatchObject({ provider: 'socketio', headers });
  });

  it('gets what middleware has put on the connection, under either name', async () => {
    const { url } = await start((app) => {
      app.use('who', { find: async ({ tenant, user }: any) => ({ tenant, user }) });
      beforeSetup(app, (io) => {
        io.use((socket: any, next: () => void) => {
          socket.framework.tenant = 'one';
          socket.feathers.user = { id: 1 };
          next();
        });
      });
    });
    expect((await call(await connect(url), 'find', 'who', {})).result).toEqual({ tenant: 'one', user: { id: 1 } });
  });

  it.each(['framework', 'feathers'])(
    'gets what middleware has put into the place of socket.%s, until the connection ends',
    async (name) => {
      const ended: unknown[] = [];
      const { app, url } = await start((added) => {
        added.use('who', { find: async ({ tenant, provider }: any) => ({ tenant, provider }) });
        beforeSetup(added, (io) => {
          io.use((socket: any, next: () => void) => {
            socket[name] = { ...socket[name], tenant: 'one' };
            next();
          });
        });
        added.on('connection', (connection: object) => added.channel('everybody').join(connection));
        added.on('disconnect', ({ tenant }: any) => ended.push(tenant));
      });
      const socket = await connect(url);
      expect((await call(socket, 'find', 'who', {})).result).toEqual({ tenant: 'one', provider: 'socketio' });
      expect(app.channel('everybody').length).toBe(1);
      socket.disconnect();
      await until(() => ended.length > 0);
      expect(ended).toEqual(['one']);
      expect(app.channels).toEqual([]);
    },
  );

  it('sees what hooks and dispatch make of the result', async () => {
    const { url } = await start((app) => {
      notes(app);
      app.service('notes').hooks({
        before: { create: [(context: any) => void (context.data.from = context.params.provider)] },
        after: { create: [(context: any) => void (context.dispatch = { shown: context.result.from })] },
      });
    });
    expect((await call(await connect(url), 'create', 'notes', {}, {})).result).toEqual({ shown: 'socketio' });
  });

  it('is told by its signal that the client has gone', async () => {
    let signal: AbortSignal | undefined;
    const { url } = await start((app) => {
      app.use('slow', {
        find: (params: any) =>
          new Promise((resolve) => {
            signal = params.signal;
            signal?.addEventListener('abort', () => resolve([]));
          }),
      });
    });
    const socket = await connect(url);
    socket.emit('find', 'slow', {}, () => undefined);
    await until(() => signal);
    socket.disconnect();
    await until(() => signal?.aborted);
    expect(signal?.reason).toMatchObject({ code: 499 });
  });

  it('has a signal that copies of its parameters do not make', async () => {
    const made: unknown[] = [];
    const { url } = await start((app) => {
      app.use('texts', {
        find: async (params: any) => {
          made.push(Object.getOwnPropertyDescriptor(params, 'signal')?.value);
          return [params.signal instanceof AbortSignal, params.signal === params.signal];
        },
      });
      app.service('texts').hooks({ before: { find: [(context: any) => void (context.params = copyParams(context.params))] } });
    });
    expect((await call(await connect(url), 'find', 'texts', {})).result).toEqual([true, true]);
    expect(made).toEqual([undefined]);
  });

  it('that a service has under another name than the six takes data and query', async () => {
    const { url } = await start((app) => {
      app.use('texts', { shout: async ({ text }: any, { query }: any) => ({ text: text.toUpperCase(), query }) }, { methods: ['shout'] });
    });
    const { app } = await connectClient(url);
    const texts = app.service('texts').methods('shout');
    expect(await texts.shout({ text: 'a' }, { query: { mark: '!' } })).toEqual({ text: 'A', query: { mark: '!' } });
  });

  it('of a service that is registered later works on sockets that are there', async () => {
    const { app, url } = await start(notes);
    const socket = await connect(url);
    expect((await call(socket, 'whisper', 'late', {}, {})).error).toMatchObject({ code: 404 });
    app.use('late', { whisper: async ({ text }: any) => ({ text }) } as any, { methods: ['whisper'] });
    expect((await call(socket, 'whisper', 'late', { text: 'now' }, {})).result).toEqual({ text: 'now' });
  });

  it('is kept from a client by middleware of its socket', async () => {
    const { url } = await start((app) => {
      notes(app);
      beforeSetup(app, (io) => {
        io.on('connection', (socket: any) => {
          socket.use(([, path]: unknown[], next: (error?: Error) => void) => next(path === 'notes' ? new Error('not today') : undefined));
        });
      });
      app.use('others', memory());
    });
    const socket = await connect(url);
    const answers: unknown[] = [];
    socket.emit('find', 'notes', {}, (...answer: unknown[]) => answers.push(answer));
    expect((await call(socket, 'find', 'others', {})).result).toEqual([]);
    expect(answers).toEqual([]);
  });
});

describe('a socket', () => {
  it('S35 is told 405 for what is no method of the service, and 404 for what is no service', async () => {
    const { url } = await start(notes);
    const socket = await connect(url);
    for (const method of ['setup', 'teardown', '_find', 'constructor', 'on', 'emit', 'hooks', 'toString', 'shout', '__proto__']) {
      expect((await call(socket, method, 'notes', {})).error).toMatchObject({ name: 'MethodNotAllowed', code: 405 });
    }
    for (const path of ['nothing', '__proto__', 'constructor', 'notes/1', '', 5, null, { toString: '' }, ['notes']]) {
      expect((await call(socket, 'find', path, {})).error).toMatchObject({ name: 'NotFound', code: 404 });
    }
    expect((await call(socket, 'find')).error).toMatchObject({ code: 404 });
    expect((await call(socket, 'find', 'x'.repeat(10_000), {})).error).toMatchObject({ code: 400 });
  });

  it('S35 R14 is answered whatever it names the event, unless the application listens to that', async () => {
    const heard: unknown[] = [];
    const { url } = await start((app) => {
      notes(app);
      beforeSetup(app, (io) => {
        io.on('connection', (socket: any) => {
          if (socket.handshake.query.listens) socket.on('error', (_thing: unknown, ack: (answer: string) => void) => ack('the own one'));
          heard.push(socket.handshake.query.listens);
        });
      });
    });
    const socket = await connect(url);
    for (const name of ['error', 'end', 'data', 'upgrade', 'close']) {
      const answer = await Promise.race([call(socket, name, 'notes', {}), call(socket, 'find', 'notes', {})]);
      expect([name, answer.error?.code]).toEqual([name, 405]);
    }
    const other = await connect(url, { query: { listens: 'yes' } });
    expect(await new Promise((resolve) => other.emit('error', 'notes', resolve))).toBe('the own one');
    expect(heard).toEqual([undefined, 'yes']);
  });

  it('S1 can not send an id that is no id', async () => {
    const { url } = await start(notes);
    const socket = await connect(url);
    for (const id of [{ $ne: null }, ['a'], true, '', '__proto__', 'constructor', 'a\0b', 'x'.repeat(1025)]) {
      for (const [method, ...rest] of [['get'], ['update', {}], ['patch', {}], ['remove']] as const) {
        expect((await call(socket, method, 'notes', id, ...rest, {})).error).toMatchObject({ name: 'BadRequest', code: 400 });
      }
    }
    expect((await call(socket, 'get', 'notes', null, {})).error).toMatchObject({ code: 400 });
  });

  it('S8 S12 can not send a query or data that is too deep, too large, or reaches a prototype', async () => {
    const { url } = await start(notes);
    const socket = await connect(url);
    const nested = (depth: number): object => (depth === 0 ? {} : { a: nested(depth - 1) });
    const hostile = JSON.parse('{"__proto__":{"polluted":true}}') as object;
    const many = Object.fromEntries(Array.from({ length: 2500 }, (_, index) => [`p${index}`, 1]));
    for (const query of [[], 'text', 5, true, nested(7), hostile, { a: [hostile] }, many]) {
      expect((await call(socket, 'find', 'notes', query)).error).toMatchObject({ name: 'BadRequest', code: 400 });
    }
    for (const data of ['text', 5, true, nested(70), hostile, [{ a: hostile }]]) {
      expect((await call(socket, 'create', 'notes', data, {})).error).toMatchObject({ name: 'BadRequest', code: 400 });
    }
    expect((await call(socket, 'create', 'notes', { text: 'x'.repeat(103_000) }, {})).error).toMatchObject({
      name: 'PayloadTooLarge',
      code: 413,
    });
    expect(({} as any).polluted).toBeUndefined();
    expect((await call(socket, 'find', 'notes', {})).result).toEqual([]);
  });

  it('can not send a number that JSON can not give back', async () => {
    const { url } = await start(notes);
    const socket = await connect(url);
    const send = (args: string): Promise<unknown> =>
      new Promise((resolve) => {
        const { engine } = socket.io as unknown as { engine: { once: typeof socket.on; transport: { ws: { send(text: string): void } } } };
        engine.once('data', (answer: string) => resolve(JSON.parse(answer.slice('31'.length))[0]));
        engine.transport.ws.send(`421${args}`);
      });
    for (const [args, path] of [
      ['["create","notes",{"text":"a","weights":[1,1e400]},{}]', 'weights.1'],
      ['["patch","notes",0,{"weight":-1e400},{}]', 'weight'],
      ['["find","notes",{"weight":{"$lt":1e400}}]', 'weight.$lt'],
    ] as const) {
      expect(await send(args)).toMatchObject({ code: 400, errors: [{ path, message: `${path} must be a finite number` }] });
    }
    expect(await send('["get","notes",1e400,{}]')).toMatchObject({ code: 400, message: 'The id is not valid' });
    expect((await call(socket, 'find', 'notes', {})).result).toEqual([]);
  });

  it('can not send half of a character, which no store keeps', async () => {
    const { url } = await start(notes);
    const socket = await connect(url);
    const value = 'must be text of whole characters: it has half of a surrogate pair';
    for (const [args, path, text] of [
      [['create', 'notes', { text: 'a', tags: ['b', '\ud800'] }, {}], 'tags.1', value],
      [['patch', 'notes', 0, { text: '\udc00\ud800' }, {}], 'text', value],
      [['find', 'notes', { text: { $in: ['\ud800'] } }], 'text.$in.0', value],
      [
        ['create', 'notes', { text: 'a', '\ud83d': 1 }, {}],
        '\ufffd',
        'must have a name of whole characters: it has half of a surrogate pair',
      ],
    ] as const) {
      const [method, ...others] = args;
      expect((await call(socket, method, ...others)).error).toMatchObject({ code: 400, errors: [{ path, message: `${path} ${text}` }] });
    }
    expect((await call(socket, 'get', 'notes', '\ud800', {})).error).toMatchObject({ code: 400, message: 'The id is not valid' });
    expect((await call(socket, 'find', 'notes', {})).result).toEqual([]);
    expect((await call(socket, 'create', 'notes', { text: '\ud83d\ude00' }, {})).result).toMatchObject({ text: '\ud83d\ude00' });
  });

  it('is told of an argument too many', async () => {
    const { url } = await start(notes);
    const socket = await connect(url);
    for (const [method, ...args] of [
      ['find', {}, {}],
      ['get', 1, {}, {}],
      ['create', {}, {}, {}],
      ['patch', 1, {}, {}, {}],
    ] as const) {
      expect((await call(socket, method, 'notes', ...args)).error).toMatchObject({ message: `Too many arguments for '${method}' method` });
    }
  });

  it('S9 lives through frames that are no calls', async () => {
    const { url } = await start(notes);
    const honest = await connect(url);
    for (const frame of [
      '42["find",{"toString":""}]',
      '42[{"toString":""}]',
      '42[]',
      '42[5,"notes"]',
      '42"find"',
      '4',
      '49',
      `42${'['.repeat(50_000)}`,
    ]) {
      const socket = await connect(url);
      const { engine } = socket.io as unknown as { engine: { transport: { ws: { send(text: string): void } } } };
      engine.transport.ws.send(frame);
    }
    expect((await call(honest, 'find', 'notes', {})).result).toEqual([]);
  });

  it('has 100 calls that wait, and is told 429 for one more', async () => {
    const waiting: (() => void)[] = [];
    const { url } = await start((app) => {
      app.use('slow', { find: () => new Promise((resolve) => waiting.push(() => resolve([]))) });
    });
    const socket = await connect(url);
    const calls = Array.from({ length: 101 }, () => call(socket, 'find', 'slow', {}));
    const refused = await Promise.race(calls);
    expect(refused.error).toMatchObject({ name: 'TooManyRequests', code: 429 });
    expect(waiting).toHaveLength(100);
    for (const answer of waiting) answer();
    expect((await Promise.all(calls)).filter(({ error }) => error === null)).toHaveLength(100);
  });
});

describe('the application', () => {
  it('has io, and calls back with it before services are set up', async () => {
    const order: string[] = [];
    const app = framework() as unknown as AnyApplication;
    app.configure(socketio((io) => void order.push(io === app.io ? 'callback' : 'another')));
    app.use('notes', Object.assign(memory(), { setup: async () => void order.push('setup') }) as any);
    const server = (await app.listen(0, '127.0.0.1')) as Server;
    expect(order).toEqual(['callback', 'setup']);
    const socket = await connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect((await call(socket, 'find', 'notes', {})).result).toEqual([]);
    await app.teardown();
    expect(server.listening).toBe(false);
  });

  it('bounds messages where the bound is a setting that is missing', async () => {
    const { url } = await start((app) => void app.use('notes', memory()), { maxHttpBufferSize: undefined, maxMessage: undefined } as never);
    const polling = `${url}/socket.io/?EIO=4&transport=polling`;
    const { sid } = JSON.parse((await (await fetch(polling)).text()).slice(1)) as { sid: string };
    const body = `4${'x'.repeat(1_100_000)}`;
    expect((await fetch(`${polling}&sid=${sid}`, { method: 'POST', headers: { 'content-type': 'text/plain' }, body })).status).toBe(413);
  });

  it.each([
    ['maxCall', 'maxCalls'],
    ['maxMesage', 'maxMessage'],
    ['maxPerAdress', 'maxPerAddress'],
    ['pingIntervall', 'pingInterval'],
    ['transport', 'transports'],
    ['Cors', 'cors'],
  ])('refuses the misspelt option %s', (given, meant) => {
    expect(() => socketio({ [given]: 5 })).toThrow(`socketio() has no option '${given}'. Did you mean '${meant}'?`);
  });

  it('passes on options of later versions of Socket.IO', () => {
    expect(() => socketio({ somethingNew: true } as object)).not.toThrow();
  });

  it('refuses options that can not be honoured', () => {
    expect(() => socketio({ connectionStateRecovery: {} })).toThrow('belongs to the channels');
    expect(() => socketio({ maxCalls: 0 })).toThrow("'maxCalls'");
    expect(() => socketio({ maxSockets: 1.5 })).toThrow("'maxSockets'");
    expect(() => socketio({ maxPerAddress: 0 })).toThrow("'maxPerAddress'");
    for (const maxHttpBufferSize of [0, NaN, Infinity, null, '1e6'] as never[])
      expect(() => socketio({ maxHttpBufferSize })).toThrow(
        "The option 'maxHttpBufferSize' of socketio() has to be a whole number above 0",
      );
    for (const logger of [true, null, { warn: () => undefined }] as never[])
      expect(() => socketio({ logger })).toThrow(
        "The option 'logger' of socketio() is a function, an object with a method error, or false",
      );
    for (const cors of ['https://app.example.com', true, ['https://app.example.com'], null] as never[])
      expect(() => socketio({ cors })).toThrow(
        "The option 'cors' of socketio() is an object, such as { origin: 'https://app.example.com' }",
      );
    expect(() => socketio({ cors: { origin: undefined } as never })).toThrow(
      "The option 'cors.origin' of socketio() is undefined: name the origins",
    );
    expect(() => socketio('3030' as never)).toThrow('socketio takes a port');
  });
});
