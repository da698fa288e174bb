import { once } from 'node:events';
import http from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createContext, type Params } from '@framework/core';
import { send, sendJson, start, type Running } from '../harness.ts';

type Signalled = Params & { signal: AbortSignal };

let reached: (signal: AbortSignal) => void;
let running: Running;
const signals: AbortSignal[] = [];
/** When the client of a call has gone. */
let gone: Promise<unknown> | undefined;
const held = {
  async get(_id: unknown, params: Params) {
    const { signal } = params as Signalled;
    reached(signal);
    if (!signal.aborted) await once(signal, 'abort');
    throw signal.reason;
  },
};
beforeAll(async () => {
  running = await start((app) => {
    app.use('held', held);
    app.use('copied', { get: (id: unknown, params: Params) => held.get(id, params) });
    app.service('copied').hooks({
      before: {
        all: [
          (context: { params: object }) => {
            context.params = { ...context.params, user: 1 };
          },
          (context: { params: object }) => {
            context.params = Object.assign({}, context.params);
          },
        ],
      },
    });
    app.use('kept', {
      async get(id: unknown, params: Params) {
        signals.push((params as Signalled).signal, (params as Signalled).signal);
        return { id, params };
      },
    });
    app.use('late', {
      async get(_id: unknown, params: Params) {
        await gone;
        signals.push((params as Signalled).signal);
        return {};
      },
    });
    app.use(
      'own',
      ((req: { framework: object }, _res: unknown, next: () => void) => {
        req.framework = { ...req.framework, signal: 'mine' };
        next();
      }) as never,
      { find: async (params: Params) => [(params as { signal?: unknown }).signal] },
    );
  });
});
afterAll(() => running.stop());

it.each(['held', 'copied'])('params.signal is aborted when the client goes away: %s', async (path) => {
  const arrived = new Promise<AbortSignal>((resolve) => {
    reached = resolve;
  });
  const request = http.get(`${running.url}/${path}/1`, { agent: false });
  request.on('error', () => undefined);
  const signal = await arrived;
  expect(signal).toBeInstanceOf(AbortSignal);
  expect(signal.aborted).toBe(false);
  const aborted = once(signal, 'abort');
  request.destroy();
  await aborted;
  expect(signal.reason).toMatchObject({ code: 499, name: 'ClientClosedRequest' });
});

it('params.signal is aborted from the start where it is asked for when the client has gone', async () => {
  signals.length = 0;
  const request = http.get(`${running.url}/late/1`, { agent: false });
  request.on('error', () => undefined);
  const [socket] = (await once(running.app.server!, 'connection')) as [Socket];
  gone = once(socket, 'close');
  await once(running.app.server!, 'request');
  request.destroy();
  await gone;
  await new Promise((resolve) => setImmediate(resolve));
  expect(signals.map(({ aborted, reason }) => [aborted, reason.message])).toEqual([[true, 'The client has gone away']]);
});

it('params.signal of an answered call stays as it is, also when its connection goes on and closes later', async () => {
  signals.length = 0;
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  for (const id of [1, 2, 3]) {
    const [response] = (await once(http.get(`${running.url}/kept/${id}`, { agent }), 'response')) as [http.IncomingMessage];
    response.resume();
    await once(response, 'end');
  }
  const closed = new Promise((resolve) => running.app.server!.once('connection', resolve));
  agent.destroy();
  await send(running.url, '/kept/4');
  await closed;
  expect(signals).toHaveLength(8);
  expect(new Set(signals).size).toBe(4);
  expect(signals.map(({ aborted }) => aborted)).toEqual(Array.from({ length: 8 }, () => false));
});

it('params.signal is no part of JSON', async () => {
  const { body } = await send(running.url, '/kept/1');
  expect(body.params).toMatchObject({ provider: 'rest' });
  expect(Object.keys(body.params)).not.toContain('signal');
});

it('middleware and hooks can set a signal of their own', async () => {
  await expect(send(running.url, '/own')).resolves.toMatchObject({ body: ['mine'] });
});

it('S11 a client can not set params.signal', async () => {
  await expect(sendJson(running.url, 'PATCH', '/kept?signal=1', {})).resolves.toMatchObject({ status: 405 });
  const { body } = await send(running.url, '/kept/1?signal=1');
  expect(body.params.query).toEqual({ signal: '1' });
  expect(signals.at(-1)).toBeInstanceOf(AbortSignal);
});

it('a call within the server has no signal', async () => {
  const context = createContext(running.app.service('own'), 'find');
  expect((context.params as object | undefined) ?? {}).not.toHaveProperty('signal');
});
