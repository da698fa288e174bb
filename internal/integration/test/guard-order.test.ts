import { expect, it } from '@jest/globals';
import { AuthenticationService, JWTStrategy, authenticate } from '@framework/authentication';
import { framework } from '@framework/core';
import { serviceSchema, Type } from '@framework/schema';
import express, { errorHandler, json, notFound, rest, type Application } from '@framework/transport-express';
import { listen, send } from './harness.ts';

it('a write without a login is 401 whatever its body, where authenticate is a before hook beside a schema', async () => {
  const app = express(framework()) as Application;
  app.set('authentication', { secret: 'a secret for tests that is long enough 1', authStrategies: ['jwt'], entity: null });
  app.use(json());
  app.configure(rest());
  const authentication = new AuthenticationService(app as never);
  authentication.register('jwt', new JWTStrategy());
  app.use('authentication', authentication as never);
  const record = Type.Object({ id: Type.Integer(), text: Type.String({ maxLength: 3 }) });
  app.use('notes', { create: async (data: object) => ({ id: 1, ...data }) } as never, { schema: serviceSchema({ record }) } as never);
  app.service('notes').hooks({ before: { all: [authenticate('jwt') as never] } });
  app.use(notFound());
  app.use(errorHandler({ logger: false }));
  const { url, stop } = await listen(app);
  const post = async (body: string, headers: Record<string, string> = {}) =>
    send(url, '/notes', { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
  for (const body of ['{}', '{"text":1}', '{"text":"far too long"}', '{"unknown":true}', '[{"text":"a"},{"text":5}]']) {
    const { status, body: answer } = await post(body);
    expect([status, answer.errors]).toEqual([401, undefined]);
  }
  const token = await authentication.createAccessToken({});
  expect((await post('{"text":"far too long"}', { authorization: `Bearer ${token}` })).status).toBe(400);
  expect((await post('{"text":"ok"}', { authorization: `Bearer ${token}` })).status).toBe(201);
  await stop();
});
