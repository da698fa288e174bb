import { DocDbService, sessionStore } from '@framework/adapter-docdb';
import { authenticate, AuthenticationService, JWTStrategy } from '@framework/authentication';
import { LocalStrategy, passwordHash } from '@framework/authentication-local';
import { framework } from '@framework/core';
import { createAjv, resolve, serviceSchema, Type, WriteOnly } from '@framework/schema';
import { startDatabase, type TestDatabase } from '@framework-internal/testing';
import express, { errorHandler, json, rest, type Application } from '@framework/transport-express';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { echo, listen, send, sendJson, type Running } from './harness.ts';
import { bearer, SECRET, type Tokens } from './session-server.ts';

const user = Type.Object({
  _id: Type.Any(),
  email: Type.String(),
  password: Type.Optional(WriteOnly(Type.String())),
  newPassword: Type.Optional(WriteOnly(Type.String())),
  active: Type.Optional(Type.Boolean()),
  disabled: Type.Optional(Type.Boolean()),
});
interface Data {
  readonly password?: string;
  readonly newPassword?: string;
  readonly active?: boolean;
  readonly disabled?: boolean;
}
/** What is secret, and who is disabled, is written by names that no hook sees. */
const hash = passwordHash({ strategy: 'local' });
const data = resolve<Data>({
  password: (value: string | undefined, given: Data, context: never) => hash(given.newPassword ?? value, given, context),
  newPassword: () => undefined,
  disabled: (value: boolean | undefined, given: Data) => (given.active === undefined ? value : !given.active),
} as never);

let database: TestDatabase;
let server: Running;
let id: string;
beforeAll(async () => {
  database = await startDatabase();
  const app = express(framework()) as Application;
  app.set('authentication', {
    secret: SECRET,
    service: 'users',
    entity: 'user',
    authStrategies: ['jwt', 'local'],
    local: { usernameField: 'email', passwordField: 'password', hashCost: { memoryCost: 64, timeCost: 1 } },
    sessions: true,
  });
  app.use(json());
  app.configure(rest());
  const resolvers = { data: { create: data, patch: data } };
  const schema = serviceSchema({ record: user, resolvers: resolvers as never, ajv: createAjv() });
  app.use('users', new DocDbService({ Model: database.db.collection('users') }) as never, { schema: schema as never });
  app.use('sessions', sessionStore(database.db.collection('sessions')));
  const authentication = new AuthenticationService(app);
  authentication.register('jwt', new JWTStrategy());
  authentication.register('local', new LocalStrategy());
  app.use('authentication', authentication);
  app.use('echo', { ...echo });
  app.service('echo').hooks({ before: { all: [authenticate('jwt')] } });
  app.use(errorHandler({ logger: false }));
  server = await listen(app);
  const { body } = await sendJson(server.url, 'POST', '/users', { email: 'ann@example.com', password: 'first' });
  id = (body as { _id: string })._id;
});
afterAll(async () => {
  await server.stop();
  await database.close();
});

const logIn = async (password: string): Promise<Tokens> => {
  const answer = await sendJson(server.url, 'POST', '/authentication', { strategy: 'local', email: 'ann@example.com', password });
  expect(answer.status).toBe(201);
  return answer.body as Tokens;
};
const statusOf = async (token: string): Promise<number> => (await send(server.url, '/echo', { headers: bearer(token) })).status;
const patch = async (change: object): Promise<number> => (await sendJson(server.url, 'PATCH', `/users/${id}`, change)).status;
const ended = async ({ refreshToken }: Tokens): Promise<boolean> => {
  const stored = await database.db
    .collection<{ _id: string; endedAt: number | null }>('sessions')
    .findOne({ _id: refreshToken.split('.')[0] as string });
  return stored?.endedAt !== null;
};

describe('S19 what resolvers make of other properties', () => {
  it('ends sessions with the password, and tells of it at once', async () => {
    const before = await logIn('first');
    expect(await patch({ newPassword: 'second' })).toBe(200);
    expect(await ended(before)).toBe(true);
    expect(await statusOf(before.accessToken)).toBe(401);
    const now = await logIn('second');
    // Nothing of the secrets is in it.
    expect(await patch({ email: 'ann@example.com' })).toBe(200);
    expect([await ended(now), await statusOf(now.accessToken)]).toEqual([false, 200]);
  });

  it('ends sessions for good when it disables their user', async () => {
    const before = await logIn('second');
    expect(await patch({ active: false })).toBe(200);
    expect(await statusOf(before.accessToken)).toBe(401);
    expect(await patch({ active: true })).toBe(200);
    expect(await statusOf(before.accessToken)).toBe(401);
    const now = await logIn('second');
    expect(await patch({ active: true })).toBe(200);
    expect(await statusOf(now.accessToken)).toBe(200);
  });
});
