import { authenticate, AuthenticationService, JWTStrategy } from '@framework/authentication';
import { framework, type HookContext } from '@framework/core';
import { serviceSchema, Type } from '@framework/schema';
import { MemoryService } from '@framework-internal/testing';
import express, { errorHandler, json, rest, type Application } from '@framework/transport-express';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listen, send, sendJson, type Running } from './harness.ts';

const note = Type.Object({ id: Type.Integer(), text: Type.String(), stars: Type.Integer() });

let running: Running;
let bearer: string;
const seen: unknown[] = [];

beforeAll(async () => {
  const app = express(framework()) as Application;
  app.set('authentication', { secret: 'a secret for the tests of the stages 55', entity: null, authStrategies: ['jwt'] });
  app.use(json());
  app.configure(rest());
  const authentication = new AuthenticationService(app);
  authentication.register('jwt', new JWTStrategy());
  app.use('authentication', authentication);
  app.use('notes', new MemoryService({ multi: true }), { schema: serviceSchema({ record: note }) });
  const sees = (context: HookContext): void => {
    seen.push(context.data ?? context.params.query);
  };
  // The guard is written behind another hook, and stands in front of it all the same.
  app.service('notes').hooks({ before: { all: [sees, authenticate('jwt')] } });
  app.use(errorHandler({ logger: false }));
  running = await listen(app);
  bearer = `Bearer ${await authentication.createAccessToken({})}`;
});
afterAll(() => running.stop());

describe('a call from outside (decisions 0014)', () => {
  const bodies = [{}, { text: 1, nothing: true }, [{ stars: [] }], { $set: { id: 1 } }];

  it.each(bodies)('is 401 before its data is looked at: %j', async (body) => {
    const before = seen.length;
    for (const [method, path] of [
      ['POST', '/notes'],
      ['PUT', '/notes/1'],
      ['PATCH', '/notes/1'],
    ] as const) {
      const answer = await sendJson(running.url, method, path, body);
      expect({ method, status: answer.status, told: answer.text.includes('validation') }).toEqual({ method, status: 401, told: false });
    }
    expect(seen).toHaveLength(before);
  });

  it.each(['/notes?nothing=1', '/notes?$sort[nothing]=1', '/notes?stars[$where]=1', '/notes/1?$select[]=nothing'])(
    'is 401 before its query is looked at: %s',
    async (path) => {
      expect(await send(running.url, path)).toMatchObject({ status: 401 });
    },
  );

  it('is checked once it is known who calls, and hooks see what it is converted to', async () => {
    const headers = { authorization: bearer };
    expect(await sendJson(running.url, 'POST', '/notes', { text: 'a', stars: [] }, headers)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'stars' }] },
    });
    expect(await sendJson(running.url, 'POST', '/notes', { text: 'a', stars: 5 }, headers)).toMatchObject({ status: 201 });
    expect(await send(running.url, '/notes?stars=5', { headers })).toMatchObject({ status: 200, body: [{ text: 'a' }] });
    expect(seen).toEqual([{ text: 'a', stars: 5 }, { stars: 5 }]);
  });
});
