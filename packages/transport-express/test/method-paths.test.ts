import { MethodNotAllowed } from '@framework/errors';
import { framework } from '@framework/core';
import { listen, send, sendJson, type RunningApplication } from '@framework-internal/testing/http';
import { afterEach, describe, expect, it } from '@jest/globals';
import express, { errorHandler, json, rest, type RestOptions } from '../src/index.ts';

let running: RunningApplication<ReturnType<typeof application>> | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

function application(options: RestOptions) {
  const app = express(framework());
  app.use(json()).configure(rest(options));
  const messages = {
    get: async (id: string) => ({ id }),
    create: async (data: object) => ({ id: 1, ...data }),
    patch: async (id: string | null) => {
      if (id === null) throw new MethodNotAllowed('Can not patch multiple entries');
      return { id };
    },
    archive: async (data: object, { route, provider }: { route?: object; provider?: string }) => ({ archived: data, route, provider }),
    secret: async () => ({ secret: true }),
  };
  app.use('rooms/:room/messages', messages, { methods: ['get', 'create', 'patch', 'archive'] });
  app.use(errorHandler({ logger: false }));
  return app;
}

async function start(options: RestOptions): Promise<string> {
  running = await listen(application(options));
  return running.url;
}

describe('rest({ methodPaths })', () => {
  it('calls custom methods by their path', async () => {
    const url = await start({ methodPaths: true });
    const { status, body } = await sendJson(url, 'POST', '/rooms/red/messages/archive', { year: 2020 });
    expect([status, body]).toEqual([200, { archived: { year: 2020 }, route: { room: 'red' }, provider: 'rest' }]);
    const byHeader = await sendJson(url, 'POST', '/rooms/red/messages', {}, { 'x-service-method': 'archive' });
    expect([byHeader.status, byHeader.body.archived]).toEqual([200, {}]);
    expect((await sendJson(url, 'POST', '/rooms/red/messages/archive', {}, { 'x-service-method': 'archive' })).status).toBe(200);
  });

  it('S35 S42 calls nothing else by a path', async () => {
    const url = await start({ methodPaths: true });
    for (const name of ['secret', 'create', 'get', 'hooks', 'setup', 'constructor', '__proto__', 'Archive', '7']) {
      const { status, headers } = await sendJson(url, 'POST', `/rooms/red/messages/${name}`, {});
      expect([name, status, headers.allow]).toEqual([name, 405, 'GET, HEAD, PATCH, OPTIONS']);
    }
    const both = await sendJson(url, 'POST', '/rooms/red/messages/archive', {}, { 'x-service-method': 'secret' });
    expect([both.status, both.headers.allow]).toEqual([405, 'GET, HEAD, POST, PATCH, OPTIONS']);
  });

  it.each(['%61rchive', 'archiv%65', '%61%72chive/'])(
    'calls no method by another spelling, past middleware at its path: %s',
    async (name) => {
      const url = await start({ methodPaths: true });
      const { status, headers } = await sendJson(url, 'POST', `/rooms/red/messages/${name}`, {});
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD, PATCH, OPTIONS']);
      expect((await sendJson(url, 'POST', '/rooms/r%65d/messages/archive/', {})).body.route).toEqual({ room: 'red' });
    },
  );

  it('calls a method whose name URLs percent-encode by its one spelling', async () => {
    const app = express(framework());
    app.use(json()).configure(rest({ methodPaths: true }));
    app.use('notes', { prüfe: async (data: object) => data } as never, { methods: ['prüfe'] });
    app.use(errorHandler({ logger: false }));
    const at = await listen(app);
    const answers = [];
    for (const name of ['pr%C3%BCfe', 'pr%c3%bcfe', 'pru%CC%88fe'])
      answers.push((await sendJson(at.url, 'POST', `/notes/${name}`, {})).status);
    await at.stop();
    expect(answers).toEqual([200, 405, 405]);
  });

  it('takes the name of a method as an id in all other requests, and says that a POST is possible', async () => {
    const url = await start({ methodPaths: true });
    expect((await send(url, '/rooms/red/messages/archive')).body).toEqual({ id: 'archive' });
    const options = await send(url, '/rooms/red/messages/archive', { method: 'OPTIONS' });
    expect([options.status, options.headers.allow]).toEqual([204, 'GET, HEAD, POST, PATCH, OPTIONS']);
    expect((await send(url, '/rooms/red/messages/7', { method: 'OPTIONS' })).headers.allow).toBe('GET, HEAD, PATCH, OPTIONS');
  });

  it('is off by itself', async () => {
    const url = await start({});
    expect((await sendJson(url, 'POST', '/rooms/red/messages/archive', {})).status).toBe(405);
  });

  it('is true or false', () => {
    expect(() => rest({ methodPath: true } as never)).toThrow("rest() has no option 'methodPath'");
    expect(() => rest({ formatter: 5 as never })).toThrow("The option 'formatter' of rest() is middleware");
    expect(() => rest({ methodPaths: 'yes' as never })).toThrow("The option 'methodPaths' of rest() is true or false, and not string");
  });
});

describe('a 405 of a service', () => {
  it('S38 says what the path takes', async () => {
    const url = await start({});
    const { status, headers } = await sendJson(url, 'PATCH', '/rooms/red/messages', {});
    expect([status, headers.allow]).toEqual([405, 'POST, OPTIONS']);
  });
});
