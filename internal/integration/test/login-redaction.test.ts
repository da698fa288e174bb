import { DocDbService, sessionStore } from '@framework/adapter-docdb';
import { AuthenticationService, JWTStrategy } from '@framework/authentication';
import { hashPassword, LocalStrategy } from '@framework/authentication-local';
import { framework } from '@framework/core';
import { Field, Hidden, Nullable, serviceSchema, Type } from '@framework/schema';
import { startDatabase, type TestDatabase } from '@framework-internal/testing';
import express, { errorHandler, json, rest, type Application } from '@framework/transport-express';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listen, send, sendJson, type Answer, type Running } from './harness.ts';
import { bearer, SECRET, type Tokens } from './session-server.ts';

const device = Type.Object({ name: Type.String(), key: Type.Optional(Hidden(Type.String())) });
const record = Type.Object({
  _id: Type.Any(),
  email: Type.String(),
  auth: Type.Object({ password: Type.String(), since: Type.String() }),
  profile: Type.Optional(Nullable(Type.Object({ city: Type.String(), pin: Hidden(Type.String()) }))),
  devices: Type.Optional(Type.Array(device)),
  byName: Type.Optional(Type.Record(Type.String(), device)),
  pair: Type.Optional(Type.Tuple([device, Nullable(device)])),
  deep: Type.Optional(Type.Object({ a: Type.Object({ b: Type.Object({ c: Type.Object({ d: Type.Array(device) }) }) }) })),
  salary: Type.Optional(Field(Type.String(), { readable: () => false })),
});
const DEVICE = { name: 'shown', key: 'HIDDEN' };
const ANN = {
  email: 'ann@example.com',
  auth: { password: 'right password', since: 'shown' },
  profile: { city: 'shown', pin: 'HIDDEN' },
  devices: [DEVICE, DEVICE],
  byName: { phone: DEVICE },
  pair: [DEVICE, DEVICE],
  deep: { a: { b: { c: { d: [DEVICE] } } } },
  salary: 'HIDDEN',
};
const SHOWN = { name: 'shown' };
const VISIBLE = {
  email: ANN.email,
  auth: { since: 'shown' },
  profile: { city: 'shown' },
  devices: [SHOWN, SHOWN],
  byName: { phone: SHOWN },
  pair: [SHOWN, SHOWN],
  deep: { a: { b: { c: { d: [SHOWN] } } } },
};

let database: TestDatabase;
let server: Running;
const events: unknown[] = [];
beforeAll(async () => {
  database = await startDatabase();
  const app = express(framework()) as Application;
  app.set('authentication', {
    secret: SECRET,
    service: 'users',
    entity: 'user',
    authStrategies: ['jwt', 'local', 'own'],
    local: { usernameField: 'email', passwordField: 'auth.password', hashCost: { memoryCost: 64, timeCost: 1 } },
    sessions: true,
  });
  app.use(json());
  app.configure(rest());
  app.use('users', new DocDbService({ Model: database.db.collection('users') }) as never, { schema: serviceSchema({ record }) as never });
  app.service('users').hooks({ before: { create: [hashPassword('auth.password')] } } as never);
  app.use('sessions', sessionStore(database.db.collection('sessions')));
  const authentication = new AuthenticationService(app);
  authentication.register('jwt', new JWTStrategy());
  authentication.register('local', new LocalStrategy());
  // A strategy of the application's own gives the user as it is stored.
  authentication.register('own', {
    authenticate: async () => ({ authentication: { strategy: 'own' }, user: await database.db.collection('users').findOne() }),
  });
  app.use('authentication', authentication);
  for (const name of ['login', 'logout']) app.on(name, (result: unknown) => events.push(result));
  app.use(errorHandler({ logger: false }));
  server = await listen(app);
  await app.service('users').create(structuredClone(ANN) as never);
});
afterAll(async () => {
  await server.stop();
  await database.close();
});

const post = (data: object): Promise<Answer> => sendJson(server.url, 'POST', '/authentication', data);
const logIn = (): Promise<Answer> => post({ strategy: 'local', email: ANN.email, auth: { password: ANN.auth.password } });
const tokensOf = ({ body }: Answer): Tokens => body as Tokens;

/** Each way to a result with the user in it. */
const ways: [what: string, ask: () => Promise<Answer>][] = [
  ['a login', logIn],
  ['a login by a strategy that knows of no rules', () => post({ strategy: 'own' })],
  ['a login with a token', async () => post({ strategy: 'jwt', accessToken: tokensOf(await logIn()).accessToken })],
  ['a refresh', async () => post({ strategy: 'refresh', refreshToken: tokensOf(await logIn()).refreshToken })],
  ['a logout', async () => send(server.url, '/authentication', { method: 'DELETE', headers: bearer(tokensOf(await logIn()).accessToken) })],
];

describe('S7 the user of a result has no secrets, at any depth', () => {
  it.each(ways)('of %s, nor has its event', async (_what, ask) => {
    events.length = 0;
    const answer = await ask();
    expect(answer.status).toBeLessThan(300);
    const { _id, ...user } = answer.body.user as Record<string, unknown>;
    expect([typeof _id, user]).toEqual(['string', VISIBLE]);
    const last = events.at(-1) as { readonly user: object };
    expect(last.user).toMatchObject(VISIBLE);
    for (const text of [answer.text, JSON.stringify(events)]) expect(text).not.toMatch(/HIDDEN|argon2|right password/);
  });

  it('can be read by the server itself', async () => {
    const service = server.app.service('authentication') as unknown as AuthenticationService;
    const { user } = await service.create({ strategy: 'local', email: ANN.email, auth: { password: ANN.auth.password } });
    expect((user as typeof ANN).profile.pin).toBe('HIDDEN');
    expect((user as typeof ANN).auth.password).toMatch(/^\$argon2id/);
  });
});
