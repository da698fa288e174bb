import { describe, expect, it } from '@jest/globals';
import { checkedQuery, contributedRules, framework, type HookContext, type Params } from '../../src/index.ts';

const CHECKED = Symbol.for('@framework/checked-query');
/** What parameters say of a service: whether what was asked of it was checked; `undefined` where they say nothing. */
function said(params: object, of: object): unknown {
  const saying: unknown = Reflect.get(params, CHECKED);
  return typeof saying === 'function' ? Reflect.apply(saying, undefined, [of]) : saying;
}

class Users {
  find(): Promise<unknown[]> {
    return Promise.resolve([]);
  }
}
const service = new Users();
const call = (method: string, params: Params): HookContext => ({ method, params, service }) as never;

describe('that a query was checked', () => {
  it('is said of a call from outside, for its service and what that is made of', () => {
    const added = checkedQuery(call('find', { provider: 'rest' })) ?? {};
    expect([service, Users.prototype, new Users(), {}].map((one) => said(added, one))).toEqual([true, true, false, false]);
    expect(Object.keys(added)).toEqual([]);
  });

  it.each<[string, string, Params]>([
    ['a call on the server', 'find', {}],
    ['a method of its own on the server', 'report', {}],
    ['a method of its own', 'report', { provider: 'rest' }],
  ])('is not said of %s', (_title, method, params) => {
    expect(checkedQuery(call(method, params))).toBeUndefined();
  });

  it('is in the parameters of hooks behind the check, of calls from outside alone', async () => {
    const app = framework();
    const heard: unknown[] = [];
    const users = { find: () => Promise.resolve([]), [contributedRules]: { hidden: ['pin'] } };
    app.use('users', users as never);
    app.service('users').hooks({ before: { find: [(context: HookContext) => void heard.push(said(context.params, context.service))] } });
    const called = app.service('users') as unknown as { find(params?: Params): Promise<unknown> };
    await called.find({ provider: 'rest' });
    await called.find();
    expect(heard).toEqual([true, undefined]);
  });
});
