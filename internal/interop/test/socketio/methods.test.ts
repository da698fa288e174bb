import { memory } from '@feathersjs/memory';
import socketio from '@feathersjs/socketio';
import * as feathersErrors from '@feathersjs/errors';
import { BadRequest, Conflict } from '@framework/errors';
import type { Params } from '@framework/core';
import { afterEach, describe, expect, it } from '@jest/globals';
import { plugin, start, stopAll, type AnyApplication, type Running } from '../application.ts';
import { call, connect, connectClient, disconnectAll } from '@framework-internal/testing/sockets';

class Tasks {
  async find(params: Params): Promise<unknown> {
    return [{ method: 'find', ...shown(params) }];
  }
  async get(id: unknown, params: Params): Promise<unknown> {
    if (id === 'conflict') throw new Conflict('Taken already', { field: 'name', errors: [{ path: 'name' }] });
    if (id === 'fault') throw new Error('The text of a fault');
    return { method: 'get', id, ...shown(params) };
  }
  async create(data: unknown, params: Params): Promise<unknown> {
    return { method: 'create', data, ...shown(params) };
  }
  async update(id: unknown, data: unknown, params: Params): Promise<unknown> {
    return { method: 'update', id, data, ...shown(params) };
  }
  async patch(id: unknown, data: unknown, params: Params): Promise<unknown> {
    return { method: 'patch', id, data, ...shown(params) };
  }
  async remove(id: unknown, params: Params): Promise<unknown> {
    return { method: 'remove', id, ...shown(params) };
  }
  async finish(data: unknown, params: Params): Promise<unknown> {
    return { method: 'finish', data, ...shown(params) };
  }
  async internal(): Promise<string> {
    return 'reached';
  }
}

function shown({ query, route, provider }: Params): object {
  return { query, route, provider };
}

const METHODS = ['find', 'get', 'create', 'update', 'patch', 'remove', 'finish'];

function startTasks(build: (app: AnyApplication) => void = () => undefined): Promise<Running> {
  return start((app) => {
    app.configure(plugin(socketio()));
    app.use('tasks', new Tasks(), { methods: METHODS });
    build(app);
  });
}

afterEach(async () => {
  disconnectAll();
  await stopAll();
});

describe("calls over the incumbent's socket transport", () => {
  it('run all methods, custom ones too, with the query and as calls from outside', async () => {
    const { url } = await startTasks();
    const client = await connectClient(url);
    client.app.use('tasks', client.app.defaultService('tasks'), { methods: METHODS });
    const tasks = client.app.service('tasks');
    const params = { query: { done: true, $sort: { at: 1 } } };
    const common = { query: params.query, route: {}, provider: 'socketio' };

    await expect(tasks.find(params)).resolves.toEqual([{ method: 'find', ...common }]);
    await expect(tasks.get(7, params)).resolves.toEqual({ method: 'get', id: 7, ...common });
    await expect(tasks.create({ a: 1 }, params)).resolves.toEqual({ method: 'create', data: { a: 1 }, ...common });
    await expect(tasks.create([{ a: 1 }], params)).resolves.toEqual({ method: 'create', data: [{ a: 1 }], ...common });
    await expect(tasks.update('x', { a: 2 }, params)).resolves.toEqual({ method: 'update', id: 'x', data: { a: 2 }, ...common });
    await expect(tasks.patch(null, { a: 3 }, params)).resolves.toEqual({ method: 'patch', id: null, data: { a: 3 }, ...common });
    await expect(tasks.remove(null, params)).resolves.toEqual({ method: 'remove', id: null, ...common });
    await expect(tasks.finish({ at: 'noon' }, params)).resolves.toEqual({ method: 'finish', data: { at: 'noon' }, ...common });
  });

  it('give the connection, the headers of its request and what middleware of the sockets added', async () => {
    const seen: Params[] = [];
    const { url } = await start((app) => {
      app.configure(
        plugin(
          socketio((io) => {
            io.use((socket: any, next) => {
              Object.assign(socket.feathers, { tenant: 'blue' });
              next();
            });
          }),
        ),
      );
      app.use('seen', {
        async find(params: Params) {
          seen.push(params);
          return [];
        },
      });
    });
    const { app } = await connectClient(url, { extraHeaders: { 'x-client': 'first' } });
    await app.service('seen').find();
    expect(seen[0]).toMatchObject({ provider: 'socketio', tenant: 'blue', headers: { 'x-client': 'first' }, query: {} });
    expect(seen[0]?.connection).toMatchObject({ provider: 'socketio', tenant: 'blue' });
  });

  it('fill in placeholders of the path and the fixed values of the registration', async () => {
    const { url } = await startTasks((app) => {
      app.use('users/:userId/tasks', new Tasks(), { routeParams: { kind: 'own' } });
    });
    const { app } = await connectClient(url);
    const found = await app.service('users/:userId/tasks').get('1', { route: { userId: 'ann' } });
    expect(found).toMatchObject({ id: '1', route: { userId: 'ann', kind: 'own' } });
  });

  it('answer with the dispatched form of a result', async () => {
    const { app, url } = await startTasks();
    app.service('tasks').hooks({
      after: {
        get: [
          async (context: any) => {
            context.dispatch = { public: context.result.id };
          },
        ],
      },
    });
    const { app: client } = await connectClient(url);
    await expect(client.service('tasks').get(3)).resolves.toEqual({ public: 3 });
  });

  it('send errors of ours that the client turns into its classes, with data and errors', async () => {
    const { url } = await startTasks();
    const { app } = await connectClient(url);
    const error = await app
      .service('tasks')
      .get('conflict')
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(feathersErrors.Conflict);
    expect(error).toMatchObject({
      name: 'Conflict',
      code: 409,
      className: 'conflict',
      message: 'Taken already',
      data: { field: 'name' },
      errors: [{ path: 'name' }],
    });
  });

  it('refuse unknown services and methods with the classes of the client', async () => {
    const { url } = await startTasks();
    const socket = await connect(url);
    expect((await call(socket, 'get', 'nothing', 1, {})).error).toMatchObject({ name: 'NotFound', code: 404 });
    for (const path of [{ not: 'text' }, null, 12, '__proto__', 'constructor', '']) {
      expect((await call(socket, 'get', path, 1, {})).error).toMatchObject({ name: 'NotFound', code: 404 });
    }
  });

  it('do not reach methods that the service does not list', async () => {
    const { url } = await startTasks((app) => {
      app.use('finds', new Tasks(), { methods: ['find'] });
    });
    const socket = await connect(url);
    expect((await call(socket, 'create', 'finds', {}, {})).error).toMatchObject({ name: 'MethodNotAllowed', code: 405 });
    let answered = false;
    socket.emit('internal', 'tasks', {}, () => {
      answered = true;
    });
    await call(socket, 'find', 'tasks', {});
    expect(answered).toBe(false);
  });

  it('run the hooks of the application and of the service around each call', async () => {
    const order: string[] = [];
    const named = (name: string) => async (_context: unknown, next: () => Promise<void>) => {
      order.push(`${name} in`);
      await next();
      order.push(`${name} out`);
    };
    const { app, url } = await startTasks();
    app.hooks({ around: { all: [named('application')] } });
    app.service('tasks').hooks({ around: { get: [named('service')] }, before: { get: [async () => void order.push('before')] } });
    const { app: client } = await connectClient(url);
    await client.service('tasks').get(1);
    expect(order).toEqual(['application in', 'service in', 'before', 'service out', 'application out']);
  });

  it("serve the incumbent's memory adapter", async () => {
    const { url } = await startTasks((app) => {
      app.use('notes', memory({ startId: 1, paginate: { default: 2, max: 5 }, multi: true }));
    });
    const notes = (await connectClient(url)).app.service('notes');
    await notes.create([{ text: 'a' }, { text: 'b' }, { text: 'c' }]);
    await expect(notes.find({ query: { $sort: { text: -1 } } })).resolves.toEqual({
      total: 3,
      limit: 2,
      skip: 0,
      data: [
        { id: 3, text: 'c' },
        { id: 2, text: 'b' },
      ],
    });
    await expect(notes.patch(2, { text: 'B' })).resolves.toEqual({ id: 2, text: 'B' });
    await expect(notes.get(99)).rejects.toBeInstanceOf(feathersErrors.NotFound);
  });
});

describe('a hostile socket', () => {
  const messages: readonly unknown[][] = [
    ['find', 'tasks', 'text instead of a query'],
    ['get', 'tasks', 1, 'text instead of a query'],
    ['create', 'tasks', 'text', 'text'],
    ['create', 'tasks', null, null],
    ['update', 'tasks'],
    ['patch', 'tasks', { $ne: null }, [], []],
    ['remove', 'tasks', [1, 2], {}],
    ['find', 'tasks', { __proto__: null, $where: 'x' }, 'one', 'too', 'many'],
    ['find', { length: 1e9 }],
    ['finish', 'tasks', undefined, undefined],
    ['create', '../tasks', {}, {}],
    ['get', 'tasks/%', 1, {}],
    ['get', 'tasks/\ud800', 1, {}],
  ];

  it('gets an answer to each message and never stops the server', async () => {
    const { url } = await startTasks();
    const socket = await connect(url);
    for (const message of messages) {
      const answer = await call(socket, ...message);
      if (answer.error) expect(answer.error.code).toBeGreaterThanOrEqual(400);
      else expect(answer.result).toBeDefined();
    }
    await expect(call(socket, 'get', 'tasks', 1, {})).resolves.toMatchObject({ result: { id: 1 } });
  });

  it('may leave out the callback', async () => {
    const { url } = await startTasks((app) => {
      app.service('tasks').hooks({
        before: {
          create: [
            async () => {
              throw new BadRequest('Never');
            },
          ],
        },
      });
    });
    const socket = await connect(url);
    for (const [name, ...rest] of messages) socket.emit(name as string, ...rest);
    socket.emit('find');
    socket.emit('get', 'nothing', 1);
    socket.emit('create', 'tasks', {});
    await expect(call(socket, 'get', 'tasks', 1, {})).resolves.toMatchObject({ result: { id: 1 } });
  });

  it('sets nothing but the query', async () => {
    const { url } = await startTasks();
    const socket = await connect(url);
    const { result } = await call(socket, 'get', 'tasks', 1, { provider: '', user: { admin: true }, connection: {}, query: {} });
    expect(result).toEqual({
      method: 'get',
      id: 1,
      query: { provider: '', user: { admin: true }, connection: {}, query: {} },
      route: {},
      provider: 'socketio',
    });
  });
});
