import { EventEmitter } from 'node:events';
import { describe, expect, it, jest } from '@jest/globals';
import { framework, holdsEvents, type HookContext, type Params } from '../../src/index.ts';

const items = () => ({
  async create(data: unknown): Promise<unknown> {
    return data;
  },
  async update(id: number, data: object): Promise<unknown> {
    return { id, ...data };
  },
  async patch(id: number, data: object): Promise<unknown> {
    return { id, ...data };
  },
  async remove(id: number): Promise<unknown> {
    return { id };
  },
});

describe('service events', () => {
  it('are emitted after the call with record and context', async () => {
    const app = framework().use('items', items());
    const seen: [string, unknown, string][] = [];
    for (const event of ['created', 'updated', 'patched', 'removed']) {
      app.service('items').on(event, (record: unknown, context: HookContext) => {
        seen.push([event, record, context.method]);
      });
    }
    await app.service('items').create({ a: 1 });
    await app.service('items').update(1, {});
    await app.service('items').patch(2, {});
    await app.service('items').remove(3);
    expect(seen).toEqual([
      ['created', { a: 1 }, 'create'],
      ['updated', { id: 1 }, 'update'],
      ['patched', { id: 2 }, 'patch'],
      ['removed', { id: 3 }, 'remove'],
    ]);
  });

  it('are emitted once for each record of an array', async () => {
    const app = framework().use('items', items());
    const seen: unknown[] = [];
    app.service('items').on('created', (record) => {
      seen.push(record);
    });
    await app.service('items').create([1, 2]);
    expect(seen).toEqual([1, 2]);
  });

  it('can be kept back or renamed by a hook, and are not sent for those the service sends itself', async () => {
    const seen: string[] = [];
    const app = framework();
    app.use('items', items(), { events: ['removed'] });
    const service = app.service('items');
    for (const event of ['created', 'renamed', 'patched', 'removed'])
      service.on(event, () => {
        seen.push(event);
      });
    service.hooks({
      before: {
        create: [
          (context) => {
            context.event = null;
          },
        ],
        patch: [
          (context) => {
            context.event = 'renamed';
          },
        ],
      },
    });
    await service.create({});
    await service.patch(1, {});
    await service.remove(1);
    expect(seen).toEqual(['renamed']);
  });

  it('do not fail the call when a listener throws or rejects, and the other listeners run', async () => {
    const app = framework().use('items', items());
    const reported: unknown[] = [];
    let reached = false;
    app.on('listenerError', (error: Error) => {
      reported.push(error.message);
    });
    app.service('items').on('created', () => {
      throw new Error('thrown');
    });
    app.service('items').on('created', async () => {
      throw new Error('rejected');
    });
    app.service('items').on('created', () => {
      reached = true;
    });
    await expect(app.service('items').create({ a: 1 })).resolves.toEqual({ a: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    expect(reported).toEqual(['thrown', 'rejected']);
    expect(reached).toBe(true);
  });

  it('do not fail the call when a listener throws what has no text', async () => {
    const app = framework().use('items', items());
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    app.service('items').on('created', () => {
      throw Object.create(null);
    });
    await expect(app.service('items').create({ a: 1 })).resolves.toEqual({ a: 1 });
    expect(warn.mock.calls).toEqual([["A listener of 'items created' failed", { detail: 'A value without a text was thrown' }]]);
    warn.mockRestore();
  });

  it('of all services of an application wait for what one says, also of one that is mounted or stands in another application', async () => {
    const told: string[] = [];
    const holding = {
      create: async (data: unknown, _params?: Params) => data,
      [holdsEvents]: ({ query }: Params) => query && (() => undefined),
    };
    const inner = framework().use('records', holding);
    const plain = { ...items(), create: async (data: unknown, _params?: Params) => data };
    const services = {
      outer: framework().use('plain', plain).use('api', inner).service('plain'),
      other: framework().use('plain', plain).use('again', inner.service('records')).service('plain'),
    };
    services.outer.on('created', () => told.push('outer'));
    services.other.on('created', () => told.push('other'));
    for (const service of Object.values(services)) await service.create({}, { query: {} });
    expect(told).toEqual([]);
    for (const service of Object.values(services)) await service.create({});
    expect(told).toEqual(['outer', 'other']);
  });

  it('use the own emitter of a service that is one', async () => {
    class Emitting extends EventEmitter {
      async create(data: unknown): Promise<unknown> {
        return data;
      }
    }
    const app = framework().use('items', new Emitting());
    const seen: unknown[] = [];
    app.service('items').on('created', (record) => {
      seen.push(record);
    });
    await app.service('items').create({ a: 1 });
    expect(seen).toEqual([{ a: 1 }]);
  });

  it.each(['on', 'once', 'addListener', 'prependListener', 'prependOnceListener'] as const)(
    'of the name of a method are warned of, where its event is meant: %s',
    async (listen) => {
      const warning = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
      const app = framework()
        .use('items', items())
        .use('own', items(), { events: ['create'] })
        .use('all', items(), { serviceEvents: ['patch'] });
      let heard = 0;
      const service = app.service('items') as unknown as EventEmitter;
      expect(service[listen]('create', () => heard++)).toBe(service);
      service[listen]('created', () => heard++);
      service[listen]('renamed', () => heard++);
      service[listen]('find', () => heard++);
      expect(warning.mock.calls).toEqual([
        [
          "service('items').on('create') hears no call of 'create': its event is 'created'. An event of that name, which the service emits itself, is named by the option 'events' of app.use",
        ],
      ]);
      for (const [path, event] of [
        ['own', 'create'],
        ['all', 'patch'],
      ] as const)
        (app.service(path) as unknown as EventEmitter)[listen](event, () => heard++);
      expect(warning).toHaveBeenCalledTimes(1);
      // The listener is there all the same.
      service.emit('create');
      expect(heard).toBe(1);
      warning.mockRestore();
    },
  );
});
