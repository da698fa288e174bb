import type { AuthenticationService } from '@framework/authentication';
import { hashPassword } from '@framework/authentication-local';
import { Field, Hidden, Nullable, serviceSchema, Type } from '@framework/schema';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startDescribedUsers } from './described-users.ts';
import { send, sendJson, type Answer } from './harness.ts';
import { bearer, type Tokens } from './session-server.ts';

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

let server: Awaited<ReturnType<typeof startDescribedUsers>>;
const events: unknown[] = [];
beforeAll(async () => {
  // A strategy of the application's own gives the user as it is stored.
  const own = { authenticate: async () => ({ authentication: { strategy: 'own' }, user: await stored() }) };
  const schema = serviceSchema({ record });
  server = await startDescribedUsers({ schema, passwordField: 'auth.password', strategies: { own } });
  const { app } = server;
  app.service('users').hooks({ before: { create: [hashPassword('auth.password')] } } as never);
  for (const name of ['login', 'logout']) app.on(name, (result: unknown) => events.push(result));
  await app.service('users').create(structuredClone(ANN) as never);
});
afterAll(() => server.stop());

const stored = (): Promise<unknown> => server.database.db.collection('users').findOne();
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
