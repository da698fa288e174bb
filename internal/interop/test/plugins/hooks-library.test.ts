import { hooks, middleware } from '@feathersjs/hooks';
import { afterEach, describe, expect, it } from '@jest/globals';
import { request, start, stopAll } from '../application.ts';

/** Notes down each call that passes, with the context it got. */
function guard(seen: any[]) {
  return async (context: any, next: () => Promise<void>): Promise<void> => {
    seen.push({ method: context.method, path: context.path, provider: context.params?.provider });
    await next();
  };
}

class Notes {
  async get(id: unknown): Promise<unknown> {
    return { id };
  }
  async create(data: unknown): Promise<unknown> {
    return data;
  }
}

afterEach(stopAll);

describe('@feathersjs/hooks on a class', () => {
  it('runs around the methods of the class that it was put on, with the context of the call', async () => {
    const seen: any[] = [];
    class Guarded extends Notes {}
    hooks(Guarded, { get: middleware([guard(seen)]) });
    const { url } = await start((app) => {
      app.use('notes', new Guarded());
    });
    expect((await request(url, 'GET', '/notes/1')).body).toEqual({ id: '1' });
    expect(seen).toEqual([{ method: 'get', path: 'notes', provider: 'rest' }]);
  });

  it('keeps out whom its middleware keeps out', async () => {
    class Closed extends Notes {}
    hooks(Closed.prototype, [
      async () => {
        throw Object.assign(new Error('Closed'), { type: 'FeathersError', name: 'Forbidden', code: 403, className: 'forbidden' });
      },
    ]);
    const { app, url } = await start((added) => {
      added.use('notes', new Closed());
    });
    for (const [method, path] of [
      ['GET', '/notes/1'],
      ['POST', '/notes'],
    ] as const) {
      expect((await request(url, method, path, method === 'POST' ? {} : undefined)).status).toBe(403);
    }
    await expect(app.service('notes').get(1)).rejects.toThrow('Closed');
  });

  it('refuses what would set another context', async () => {
    class Named extends Notes {}
    hooks(Named, { get: middleware([guard([])]).params('id', 'options') });
    await expect(
      start((app) => {
        app.use('notes', new Named());
      }),
    ).rejects.toThrow('set params, props or defaults');
  });
});

describe('mixins', () => {
  it('may add methods that have hooks and can be called from outside', async () => {
    const { url } = await start((app) => {
      app.mixins.push((service: any, _path: string, options: any) => {
        service.count = async () => ({ count: 2 });
        options.methods = [...options.methods, 'count'];
      });
      app.use('notes', new Notes());
      app
        .service('notes')
        .hooks({ after: { count: [async (context: any) => void (context.result = { count: Number(context.result.count) + 1 })] } });
    });
    expect((await request(url, 'POST', '/notes', {}, { 'x-service-method': 'count' })).body).toEqual({ count: 3 });
  });

  it('see every event through the emit of the service', async () => {
    const emitted: unknown[] = [];
    const { app } = await start((added) => {
      added.mixins.push((service: any) => {
        const { emit } = service;
        service.emit = function (this: unknown, ...args: unknown[]) {
          emitted.push(args.slice(0, 2));
          return emit.apply(this, args);
        };
      });
      added.use('notes', new Notes());
    });
    const heard: unknown[] = [];
    app.service('notes').on('created', (note: unknown) => heard.push(note));
    await app.service('notes').create({ text: 'a' });
    expect(emitted).toEqual([['created', { text: 'a' }]]);
    expect(heard).toEqual([{ text: 'a' }]);
  });
});
