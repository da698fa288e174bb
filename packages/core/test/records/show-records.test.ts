import { beforeEach, expect, it } from '@jest/globals';
import { contributedRules, createContext, framework, type HookContext, type Params } from '../../src/index.ts';

/** A service whose records count how often somebody asks what they look like. */
interface Users {
  find(params?: Params, context?: HookContext): Promise<unknown>;
  create(data: object): Promise<unknown>;
  on(event: string, listener: (record: unknown, context: HookContext) => void): unknown;
}

const record = (): object => ({
  id: 1,
  pin: 'x',
  toJSON() {
    looks += 1;
    return { id: 1, pin: 'x' };
  },
});

let looks = 0;
let users: Users;
beforeEach(() => {
  looks = 0;
  const app = framework();
  app.use('users', { find: async () => [record()], create: async () => record(), [contributedRules]: { hidden: ['pin'] } });
  users = app.service('users') as unknown as Users;
});

it('looks at the records that a call from outside gets', async () => {
  expect(await users.find({ provider: 'rest' })).toEqual([{ id: 1 }]);
  expect(looks).toBe(1);
});

it('does not look at records that only the server gets', async () => {
  expect(await users.find()).toMatchObject([{ id: 1, pin: 'x' }]);
  expect(looks).toBe(0);
});

it('shows them to whoever reads the context of a call on the server', async () => {
  const context = createContext(users, 'find');
  expect(await users.find({}, context)).toBe(context);
  expect(looks).toBe(0);
  expect([context.dispatch, context.dispatch, { ...context }.dispatch, looks]).toEqual([[{ id: 1 }], [{ id: 1 }], [{ id: 1 }], 1]);
});

it('lets whoever holds such a context set what others would get', async () => {
  const context = createContext(users, 'find');
  await users.find({}, context);
  context.dispatch = 'other';
  expect([context.dispatch, Object.keys(context).includes('dispatch'), looks]).toEqual(['other', true, 0]);
});

it('has looked at them when the event of a call on the server is heard', async () => {
  const heard: unknown[] = [];
  users.on('created', (_made, context) => void heard.push(Object.getOwnPropertyDescriptor(context, 'dispatch')?.value));
  expect(await users.create({})).toHaveProperty('pin', 'x');
  expect(heard).toEqual([{ id: 1 }]);
});
