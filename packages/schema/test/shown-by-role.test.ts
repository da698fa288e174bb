import { framework, type HookContext, type Params } from '@framework/core';
import { describe, expect, it } from '@jest/globals';
import { Field, Hidden, resolve, serviceSchema, Type, virtual } from '../src/index.ts';

interface AsRole extends Params {
  readonly role?: string;
}
const as = (role: string): AsRole => ({ provider: 'rest', role });

const schema = serviceSchema({
  record: Type.Object({
    id: Type.Integer(),
    pin: Type.Optional(Hidden(Type.String())),
    salary: Type.Optional(Field(Type.Number(), { readable: ({ role }: AsRole) => role === 'admin' })),
  }),
});
const record = (): object => ({ id: 1, pin: 'x', salary: 5 });

/** A service as the tests call it. */
interface Called {
  get(id: number, params?: AsRole): Promise<unknown>;
  create(data: object, params?: AsRole): Promise<unknown>;
  find(params?: AsRole): Promise<unknown>;
  hooks(hooks: object): unknown;
  once(event: string, listener: (record: unknown, context: HookContext) => void): unknown;
}

/** `users`, of whose records admins alone see the salary, and `other`, which has no rules and gives a record of `users`. */
function build(): { users: Called; other: Called } {
  const app = framework();
  const called = (name: string): Called => app.service(name) as unknown as Called;
  const made = async (..._given: readonly unknown[]): Promise<object> => record();
  app.use('users', { get: made, create: made, find: async (_params?: Params) => [record()] }, { schema });
  const handed = async (..._given: readonly unknown[]): Promise<unknown> => ({ user: await called('users').get(1) });
  app.use('other', { get: handed, create: handed });
  return { users: called('users'), other: called('other') };
}

/** What those who listen get of one call. */
async function heard(service: Called, call: () => Promise<unknown>): Promise<unknown> {
  const sent: unknown[] = [];
  service.once('created', (_record, context) => void sent.push(context.dispatch ?? context.result));
  await call();
  return sent[0];
}

describe('what each role sees', () => {
  it('of a record that is read, and of one that is written', async () => {
    const { users } = build();
    for (const call of [
      (params?: AsRole) => users.get(1, params),
      (params?: AsRole) => users.create({}, params),
      async (params?: AsRole) => ((await users.find(params)) as unknown[])[0],
    ]) {
      expect(await call(as('admin'))).toEqual({ id: 1, salary: 5 });
      expect(await call(as('member'))).toEqual({ id: 1 });
      expect(await call()).toEqual(record());
    }
  });

  it('of a record that a service without rules gives', async () => {
    const { other } = build();
    for (const call of [(params?: AsRole) => other.get(1, params), (params?: AsRole) => other.create({}, params)]) {
      expect(await call(as('member'))).toEqual({ user: { id: 1 } });
      expect(await call()).toEqual({ user: record() });
    }
    expect(await other.get(1, as('admin'))).toEqual({ user: { id: 1, salary: 5 } });
    // What a write gives is told to whoever listens, and its caller gets no more.
    expect(await other.create({}, as('admin'))).toEqual({ user: { id: 1 } });
  });

  it.each(['users', 'other'] as const)('is not in what everyone hears: %s', async (name) => {
    const service = build()[name];
    const expected = name === 'users' ? { id: 1 } : { user: { id: 1 } };
    expect(await heard(service, () => service.create({}, as('admin')))).toEqual(expected);
    expect(await heard(service, () => service.create({}, as('member')))).toEqual(expected);
    expect(await heard(service, () => service.create({}))).toEqual(expected);
  });

  it('is not in what everyone hears of a record that rules without roles describe, and its caller sees it', async () => {
    const app = framework();
    const made = async (..._given: readonly unknown[]): Promise<object> => record();
    app.use('users', { get: made }, { schema });
    const order = async (..._given: readonly unknown[]): Promise<object> => ({ id: 2, user: await app.service('users').get(1) });
    app.use(
      'orders',
      { create: order },
      { schema: serviceSchema({ record: Type.Object({ id: Type.Integer(), user: Type.Optional(Type.Any()) }) }) },
    );
    const orders = app.service('orders') as unknown as Called;
    const answers: unknown[] = [];
    const sent = await heard(orders, async () => void answers.push(await orders.create({}, as('admin'))));
    expect({ sent, answers }).toEqual({ sent: { id: 2, user: { id: 1 } }, answers: [{ id: 2, user: { id: 1, salary: 5 } }] });
  });

  it('of what hooks send in place of the result, and of the result', async () => {
    const { users } = build();
    const contexts: HookContext[] = [];
    users.hooks({
      after: { create: [async (context: HookContext) => void (context.dispatch = { id: 2, pin: 'y', salary: 6 })] },
      around: {
        create: [
          async (context: HookContext, next: () => Promise<void>) => {
            contexts.push(context);
            await next();
          },
        ],
      },
    });
    await users.create({}, as('admin'));
    await users.create({}, as('member'));
    await users.create({});
    expect(contexts.map(({ result }) => result)).toEqual([{ id: 1, salary: 5 }, { id: 1 }, record()]);
    expect(contexts.map(({ dispatch }) => dispatch)).toEqual([{ id: 2 }, { id: 2 }, { id: 2 }]);
  });

  it.each(['result', 'dispatch'])(
    'is in no event where a resolver of the %s makes it of who calls, and a rule asks for a caller',
    async (kind) => {
      const byline = resolve<{ byline?: string }, { params: AsRole }>({
        byline: virtual((_record, { params }) => `for ${params.role ?? 'nobody'}`),
      });
      const isKnown = ({ role }: AsRole): boolean => role !== undefined;
      const posts = serviceSchema({
        record: Type.Object({
          id: Type.Integer(),
          byline: Type.Optional(Type.Readonly(Field(Type.String(), { readable: isKnown }))),
        }),
        resolvers: { [kind]: byline },
      });
      const app = framework();
      const made = async (..._given: readonly unknown[]): Promise<object> => ({ id: 1 });
      app.use('posts', { get: made, create: made }, { schema: posts });
      const service = app.service('posts') as unknown as Called;
      for (const params of [as('member'), { role: 'member' }]) {
        expect(await heard(service, () => service.create({}, params))).toEqual({ id: 1 });
      }
      expect(await service.create({}, as('member'))).toEqual({ id: 1, byline: 'for member' });
      expect(await service.get(1, as('admin'))).toEqual({ id: 1, byline: 'for admin' });
      expect(await service.get(1, { provider: 'rest' })).toEqual({ id: 1 });
    },
  );

  it('of a record inside of one of its own service', async () => {
    const app = framework();
    app.use(
      'users',
      { get: async (id: number): Promise<object> => (id === 1 ? record() : { id, friend: await app.service('users').get(1) }) },
      {
        schema: serviceSchema({
          record: Type.Object({ id: Type.Integer(), pin: Type.Optional(Hidden(Type.String())) }, { additionalProperties: true }),
        }),
      },
    );
    const users = app.service('users') as unknown as Called;
    expect(await users.get(2, as('member'))).toEqual({ id: 2, friend: { id: 1, salary: 5 } });
    expect(await users.get(2)).toEqual({ id: 2, friend: record() });
  });
});
