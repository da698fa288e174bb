import { describe, expect, it } from '@jest/globals';
import { framework, getRules, rememberOrigin, type HookContext, type NextFunction } from '../../src/index.ts';

const MARK = Symbol.for('@feathersjs/schema/dispatch');

interface User {
  id: number;
  phone?: string;
  pin?: string;
  friend?: User;
}

/** Marks records and what holds them, as the resolvers of FeathersJS do. */
async function mark(context: HookContext, next: NextFunction): Promise<void> {
  await next();
  const of = (user: User): object => {
    const { phone: _phone, ...dispatch } = user;
    Object.defineProperty(user, MARK, { value: dispatch });
    return dispatch;
  };
  const result = context.result as User | User[] | { data: User[] };
  const list = Array.isArray(result) ? result : 'data' in result ? result.data : undefined;
  const made = list ? list.map(of) : of(result as User);
  context.dispatch = list && !Array.isArray(result) ? { ...result, data: made } : made;
  if (list) Object.defineProperty(result, MARK, { value: context.dispatch });
}

/** Remembers what others see, as the resolvers of this framework do. */
async function remember(context: HookContext, next: NextFunction): Promise<void> {
  await next();
  const user = context.result as User;
  const { phone: _phone, ...dispatch } = user;
  rememberOrigin(user, { dispatch });
  context.dispatch = dispatch;
}

const user = (id: number): User => ({ id, phone: '1', pin: '2' });

describe('what resolvers of FeathersJS have made of records for others', () => {
  it.each([
    ['a record', { get: async () => user(1) }, (own: any) => own.get(1), { id: 1, pin: '2' }],
    [
      'a list',
      { find: async () => [user(1), user(2)] },
      (own: any) => own.find(),
      [
        { id: 1, pin: '2' },
        { id: 2, pin: '2' },
      ],
    ],
    [
      'a page',
      { find: async () => ({ total: 1, limit: 1, skip: 0, data: [user(1)] }) },
      async (own: any) => (await own.find()).data,
      [{ id: 1, pin: '2' }],
    ],
  ])('goes with %s into the result of another service', async (_what, service, read, seen) => {
    const app = framework();
    app.use('users', service);
    app.service('users').hooks({ around: { all: [mark] } });
    app.use('teams', { get: async () => ({ members: await read(app.service('users')) }) });
    const teams = app.service('teams') as unknown as { get(id: number, params?: object): Promise<unknown> };
    expect(await teams.get(1, { provider: 'rest' })).toEqual({ members: seen });
    expect(JSON.stringify(await teams.get(1))).toContain('"phone":"1"');
  });

  it('are asked beside the rules of the service', async () => {
    const app = framework();
    app.use('users', { get: async (id: number) => user(id) });
    getRules(app.service('users'))?.add({ writeOnly: ['pin'] });
    app.service('users').hooks({ around: { all: [mark] } });
    const users = app.service('users') as unknown as { get(id: number, params?: object): Promise<unknown> };
    expect(await users.get(1, { provider: 'rest' })).toEqual({ id: 1 });
    expect(await users.get(1)).toEqual(user(1));
  });
});

describe('what a resolver has made of a record', () => {
  it('is what callers from outside get beside its rules, and holds in a record of the same service', async () => {
    const app = framework();
    app.use('users', {
      get: async (id: number): Promise<User> => (id === 1 ? user(1) : { ...user(2), friend: await users.get(1) }),
    });
    const users = app.service('users') as unknown as { get(id: number, params?: object): Promise<User> };
    getRules(app.service('users'))?.add({ writeOnly: ['pin'] });
    app.service('users').hooks({ around: { all: [remember] } });
    expect(await users.get(1, { provider: 'rest' })).toEqual({ id: 1 });
    expect(await users.get(2, { provider: 'rest' })).toEqual({ id: 2, friend: { id: 1 } });
  });
});
