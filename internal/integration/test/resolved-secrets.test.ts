import { passwordHash } from '@framework/authentication-local';
import { createAjv, resolve, serviceSchema, Type, WriteOnly } from '@framework/schema';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startDescribedUsers } from './described-users.ts';
import { send, sendJson } from './harness.ts';
import { bearer, type Tokens } from './session-server.ts';

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

let server: Awaited<ReturnType<typeof startDescribedUsers>>;
let id: string;
beforeAll(async () => {
  const resolvers = { data: { create: data, patch: data } };
  server = await startDescribedUsers({ schema: serviceSchema({ record: user, resolvers: resolvers as never, ajv: createAjv() }) });
  const { body } = await sendJson(server.url, 'POST', '/users', { email: 'ann@example.com', password: 'first' });
  id = (body as { _id: string })._id;
});
afterAll(() => server.stop());

const logIn = async (password: string): Promise<Tokens> => {
  const answer = await sendJson(server.url, 'POST', '/authentication', { strategy: 'local', email: 'ann@example.com', password });
  expect(answer.status).toBe(201);
  return answer.body as Tokens;
};
const statusOf = async (token: string): Promise<number> => (await send(server.url, '/echo', { headers: bearer(token) })).status;
const patch = async (change: object): Promise<number> => (await sendJson(server.url, 'PATCH', `/users/${id}`, change)).status;
const ended = async ({ refreshToken }: Tokens): Promise<boolean> => {
  const stored = await server.database.db
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
