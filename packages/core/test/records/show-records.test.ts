import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Application, contributedRules, createContext, framework, type HookContext, type Params } from '../../src/index.ts';

/** A service whose records count how often somebody asks what they look like. */
interface Users {
  find(params?: Params, context?: HookContext): Promise<unknown>;
  create(data: object): Promise<unknown>;
  hooks(map: object): unknown;
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
let app: Application;
let users: Users;
beforeEach(() => {
  looks = 0;
  app = framework();
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

describe('a result that is a promise', () => {
  const later = (value: unknown): Promise<unknown> => new Promise((resolve) => setImmediate(resolve, value));
  const hooks = (...[name, type]: [property: string, type: 'before' | 'after']): object => ({
    [type]: { find: [(context: Record<string, unknown>) => void (context[name] = later([record()]))] },
  });
  it.each([
    ['a before hook', hooks('result', 'before'), 'result'],
    ['an after hook', hooks('result', 'after'), 'result'],
    ['an after hook, as what others get', hooks('dispatch', 'after'), 'dispatch'],
    [
      'an error hook',
      {
        after: { find: [() => Promise.reject(new Error('no'))] },
        error: { find: [(context: HookContext) => void (context.result = later([record()]))] },
      },
      'result',
    ],
    [
      'an around hook',
      {
        around: {
          find: [
            async (context: HookContext, next: () => Promise<void>) => {
              await next();
              context.result = later([record()]);
            },
          ],
        },
      },
      'result',
    ],
  ])('is refused where %s sets it, as nobody has looked at its records', async (_what, map, property) => {
    users.hooks(map);
    const refused = `context.${property} of 'users.find' is a promise: wait for it in the hook that sets it, as context.${property} = await …`;
    await expect(users.find({ provider: 'socketio' })).rejects.toThrow(new TypeError(refused));
    await expect(users.find()).rejects.toThrow(new TypeError(refused));
    expect(looks).toBe(0);
  });

  it('is refused before hooks of the application see it, which may keep it', async () => {
    const seen: unknown[] = [];
    const watch = async (context: HookContext, next: () => Promise<void>): Promise<void> => {
      await next();
      seen.push(context.result);
    };
    app.hooks({ around: { all: [watch] } });
    users.hooks(hooks('result', 'after'));
    await expect(users.find({ provider: 'rest' })).rejects.toThrow('is a promise');
    expect(seen).toEqual([]);
  });

  it('is refused of a service whose records have no rules, which may hold records that have some', async () => {
    app.use('reports', { find: async () => [] });
    const reports = app.service('reports');
    reports.hooks({ around: { find: [async (context, next) => (await next(), void Object.assign(context, { result: users.find() }))] } });
    await expect(reports.find({ provider: 'socketio' })).rejects.toThrow("context.result of 'reports.find' is a promise");
  });

  it('ends no process when it fails', async () => {
    users.hooks({ after: { find: [(context: HookContext) => void (context.result = Promise.reject(new Error('no such record')))] } });
    await expect(users.find({ provider: 'rest' })).rejects.toThrow('is a promise');
    await new Promise(setImmediate);
  });
});
