import { createHook } from 'node:async_hooks';
import { AuthenticationService, authenticate, JWTStrategy } from '@framework/authentication';
import { framework, type Params } from '@framework/core';
import { NotFound } from '@framework/errors';
import { MemoryService } from '@framework-internal/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express, { errorHandler, json, rest, type Application } from '../src/index.ts';
import { listen, send, type Running } from './harness.ts';

// Figures that do not depend on the machine. A change that raises one has to say why here.

let running: Running;
let token: string;
let userCalls = 0;

beforeAll(async () => {
  const app = express(framework()) as Application;
  app.set('authentication', {
    secret: 'a secret of more than thirty-two bytes, for tests',
    service: 'users',
    entity: 'user',
    authStrategies: ['jwt'],
  });
  app.use(json());
  app.configure(rest());
  app.use('items', {
    id: 'id',
    get: async (id: unknown) => {
      if (id === 'none') throw new NotFound('No such record');
      return { id };
    },
    create: async (data: object) => ({ id: 1, ...data }),
  });
  app.use('asking', { get: async (_id: unknown, { signal }: Params) => ({ aborted: signal?.aborted }) });
  app.use('closed', { get: async (id: unknown) => ({ id }) });
  app.use('users', new MemoryService());
  const service = new AuthenticationService(app as never);
  service.register('jwt', new JWTStrategy());
  app.use('authentication', service);
  app.service('closed').hooks({ before: { all: [authenticate('jwt')] } });
  app.use(errorHandler({ logger: false }));
  const user = (await (app.service('users') as unknown as MemoryService).create({ email: 'ann@example.com' })) as { id: unknown };
  app.service('users').hooks({
    before: {
      get: [
        () => {
          userCalls += 1;
        },
      ],
    },
  });
  token = await service.createAccessToken({}, { subject: String(user.id) });
  running = await listen(app);
});
afterAll(() => running.stop());

/** Promises that a request makes in the server and the client together; those of the client are measured with a path without service. */
async function promisesOf(path: string, options: Parameters<typeof send>[2] = {}): Promise<number> {
  const count = async (target: string): Promise<number> => {
    let promises = 0;
    const hook = createHook({
      init(_id, type) {
        if (type === 'PROMISE') promises += 1;
      },
    });
    await send(running.url, target, options);
    hook.enable();
    const { status } = await send(running.url, target, options);
    hook.disable();
    if (target === path) expect([200, 201, 304, 404]).toContain(status);
    return promises;
  };
  // What else goes on in the process makes more of them once in a while, and never fewer.
  const least = async (target: string): Promise<number> => Math.min(await count(target), await count(target), await count(target));
  return (await least(path)) - (await least('/nothing'));
}

describe('what a request costs', () => {
  it('makes few promises', async () => {
    const body = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' };
    const [get, post, closed] = [
      await promisesOf('/items/1'),
      await promisesOf('/items', body),
      await promisesOf('/closed/1', { headers: { authorization: `Bearer ${token}` } }),
    ];
    expect({ get: get <= 6, post: post <= 6, closed: closed <= 40, figures: [get, post, closed] }).toEqual({
      get: true,
      post: true,
      closed: true,
      figures: [get, post, closed],
    });
  });

  it('makes no more promises for a tag, an unchanged record or an error', async () => {
    const unchanged = await promisesOf('/items/1', { headers: { 'if-none-match': '*' } });
    const failed = await promisesOf('/items/none');
    running.app.disable('etag');
    const untagged = await promisesOf('/items/1');
    running.app.set('etag', 'weak');
    const tagged = await promisesOf('/items/1');
    expect({
      few: [unchanged, failed, untagged, tagged].every((count) => count <= 6),
      same: untagged === tagged,
      unchanged,
      failed,
    }).toEqual({
      few: true,
      same: true,
      unchanged,
      failed,
    });
  });

  it('makes no signal of a call that nobody reads, also where hooks copy its parameters', async () => {
    const Controller = AbortController;
    let made = 0;
    globalThis.AbortController = class extends Controller {
      constructor() {
        super();
        made += 1;
      }
    };
    try {
      await send(running.url, '/items/1');
      const { status } = await send(running.url, '/closed/1', { headers: { authorization: `Bearer ${token}` } });
      expect({ status, made }).toEqual({ status: 200, made: 0 });
      await send(running.url, '/asking/1');
      expect(made).toBe(1);
    } finally {
      globalThis.AbortController = Controller;
    }
  });

  it('loads the user of a token once', async () => {
    userCalls = 0;
    await send(running.url, '/closed/1', { headers: { authorization: `Bearer ${token}` } });
    expect(userCalls).toBe(1);
  });
});
