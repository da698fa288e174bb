import { MemoryService } from '@framework-internal/testing';
import { framework, type Params } from '@framework/core';
import { describe, expect, it, jest } from '@jest/globals';
import express, { errorHandler, json, notFound, rest, type Application } from '../src/index.ts';
import { echo, listen, send, sendJson, start } from './harness.ts';

describe('sentences of the interface that no other test names', () => {
  it('1: every resource is a service with six methods, all reached by REST', async () => {
    const running = await start((app) => app.use('notes', new MemoryService({ startId: 1 })));
    const created = await sendJson(running.url, 'POST', '/notes', { text: 'a' });
    expect(created).toMatchObject({ status: 201, body: { id: 1, text: 'a' } });
    expect(await send(running.url, '/notes')).toMatchObject({ status: 200, body: [{ id: 1, text: 'a' }] });
    expect(await send(running.url, '/notes/1')).toMatchObject({ status: 200, body: { id: 1, text: 'a' } });
    expect(await sendJson(running.url, 'PUT', '/notes/1', { title: 'b' })).toMatchObject({ status: 200, body: { id: 1, title: 'b' } });
    expect((await send(running.url, '/notes/1')).body).toEqual({ id: 1, title: 'b' });
    expect((await sendJson(running.url, 'PATCH', '/notes/1', { text: 'c' })).body).toEqual({ id: 1, title: 'b', text: 'c' });
    expect((await send(running.url, '/notes/1', { method: 'DELETE' })).body).toEqual({ id: 1, title: 'b', text: 'c' });
    expect((await send(running.url, '/notes')).body).toEqual([]);
    await running.stop();
  });

  it('1: hooks may map from params.query to other properties of params', async () => {
    const running = await start((app) => {
      app.use('echo', echo);
      app.service('echo').hooks({
        before: {
          find: [
            (context) => {
              const { collation, ...query } = context.params.query ?? {};
              context.params = { ...context.params, query, collation: { locale: collation } } as Params;
            },
          ],
        },
      });
    });
    expect((await send(running.url, '/echo?collation=de&a=1')).body).toMatchObject({ query: { a: '1' }, collation: { locale: 'de' } });
    await running.stop();
  });

  it('4.1: several records with the id null, when multi allows it; pages when paging is on', async () => {
    const running = await start((app) => {
      app.use('many', new MemoryService({ multi: true, paginate: { default: 5 } }));
      app.use('one', new MemoryService());
    });
    const made = await sendJson(running.url, 'POST', '/many', [{ n: 1 }, { n: 2 }]);
    expect(made).toMatchObject({ status: 201, body: [{ n: 1 }, { n: 2 }] });
    expect((await sendJson(running.url, 'PATCH', '/many', { seen: true })).body).toHaveLength(2);
    expect((await send(running.url, '/many?$limit=1')).body).toMatchObject({ total: 2, limit: 1, skip: 0, data: [{ n: 1, seen: true }] });
    expect((await send(running.url, '/many', { method: 'DELETE' })).body).toHaveLength(2);
    for (const answer of [
      await sendJson(running.url, 'POST', '/one', [{}]),
      await sendJson(running.url, 'PATCH', '/one', {}),
      await send(running.url, '/one', { method: 'DELETE' }),
    ])
      expect(answer.status).toBe(405);
    await running.stop();
  });

  it('4.1: a service without a body parser in front of it answers 415, and does not run', async () => {
    const app = express(framework()) as Application;
    app.configure(rest());
    app.use('echo', echo);
    app.use(json());
    app.use(errorHandler({ logger: false }));
    const running = await listen(app);
    expect((await sendJson(running.url, 'POST', '/echo', { a: 1 })).status).toBe(415);
    await running.stop();
  });

  it('4.3: listen resolves with a server that listens before setup runs', async () => {
    const log: unknown[] = [];
    const app = express(framework()) as Application;
    app.use('echo', {
      ...echo,
      async setup() {
        log.push(app.server?.listening);
      },
    });
    const server = await app.listen(0, () => log.push('callback'));
    expect(server.listening).toBe(true);
    expect(log).toEqual(['callback', true]);
    await app.close();
  });

  it('4.3: the setup of a wrapped sub-application is called by hand', async () => {
    const log: string[] = [];
    const service = (name: string) => ({
      ...echo,
      async setup(_app: unknown, path: string) {
        log.push(`${name} ${path}`);
      },
    });
    const sub = express(framework()) as Application;
    sub.configure(rest());
    sub.use('inner', service('sub'));
    await sub.setup();
    expect(log).toEqual(['sub inner']);
    const running = await start((app) => {
      app.use('/api/v1', sub);
      app.use('outer', service('main'));
    });
    // Whoever does not call it gets it with that of the outer application; once it is.
    await sub.setup(running.app.server);
    expect(log.sort()).toEqual(['main outer', 'sub inner']);
    expect((await send(running.url, '/api/v1/inner/1')).status).toBe(200);
    await running.stop();
  });

  it('4.3: app.use takes middleware, lists of middleware and services, and gives the application back', async () => {
    const app = express(framework()) as Application;
    app.configure(rest());
    const mark = (req: object, _res: unknown, next: () => void) => {
      Object.assign(req, { marks: ((req as { marks?: number }).marks ?? 0) + 1 });
      next();
    };
    expect(app.use(mark)).toBe(app);
    expect(app.use('/page', [mark, mark])).toBe(app);
    expect(app.use('echo', echo)).toBe(app);
    app.get('/page', (req, res) => {
      res.json((req as { marks?: number }).marks);
    });
    const running = await listen(app);
    expect((await send(running.url, '/page')).body).toBe(3);
    expect((await send(running.url, '/echo/1')).body).toMatchObject({ method: 'get' });
    await running.stop();
  });

  it('4.4: the default logger is the console', async () => {
    const spy = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const app = express(framework()) as Application;
    app.configure(rest());
    const failure = new Error('not for callers');
    app.use('fails', {
      async find() {
        throw failure;
      },
    });
    app.use(notFound()).use(errorHandler());
    const running = await listen(app);
    expect((await send(running.url, '/fails')).status).toBe(500);
    expect(spy.mock.calls).toEqual([[failure]]);
    spy.mockRestore();
    await running.stop();
  });

  it('7: a plain error of a hook, for example to block REST, goes through the error handler', async () => {
    const running = await start((app) => {
      app.use('echo', echo);
      app.service('echo').hooks({
        before: {
          all: [
            (context) => {
              if (context.params.provider === 'rest') throw new Error('only on the server');
            },
          ],
        },
      });
    });
    expect(await send(running.url, '/echo')).toMatchObject({ status: 500, body: { name: 'GeneralError', className: 'general-error' } });
    expect(await running.app.service('echo').get(1)).toMatchObject({ method: 'get' });
    await running.stop();
  });

  it('9: no version is in the paths', async () => {
    const running = await start((app) => app.use('echo', echo));
    expect((await send(running.url, '/echo/1')).status).toBe(200);
    expect((await send(running.url, '/v1/echo/1')).status).toBe(404);
    await running.stop();
  });
});
