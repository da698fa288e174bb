import { describe, expect, it } from '@jest/globals';
import { contributedRules, framework, type HookContext, type Params } from '../../src/index.ts';

const outside = { provider: 'rest' };
const stored = (): object => ({ id: 1, pin: 'x', name: 'a' });
const visible = { id: 1, name: 'a' };

interface Called {
  get(id: number, params?: Params): Promise<unknown>;
  find(params?: Params): Promise<unknown>;
}

/** What another service, without rules, gives of what a service with a hidden `pin` gives behind a hook. */
function handedOn(after: (context: HookContext) => void, paginate: object | false = false): Called {
  const app = framework();
  const page = { total: 1, limit: 10, skip: 0 };
  app.use('users', {
    options: { paginate },
    get: async () => stored(),
    find: async () => (paginate === false ? [stored(), stored()] : { ...page, data: [stored()] }),
    [contributedRules]: { hidden: ['pin'] },
  } as never);
  app.service('users').hooks({ after: { all: [after] } });
  const users = app.service('users') as unknown as Called;
  app.use('others', { get: async () => users.get(1), find: async () => users.find() });
  return app.service('others') as unknown as Called;
}

describe('a record that a hook puts into something else keeps its rules for a service that hands it on', () => {
  it('where there is an object around it', async () => {
    const others = handedOn((context) => (context.result = { item: context.result }));
    expect(await others.get(1, outside)).toEqual({ item: visible });
    expect(await others.get(1)).toEqual({ item: stored() });
  });

  it.each<[string, (result: any) => unknown, unknown]>([
    ['one of a list alone', ([first]) => ({ first }), { first: visible }],
    ['the last of a list alone', (list) => ({ last: list[1] }), { last: visible }],
    ['a list in another order in an object', (list) => ({ list: [...list].reverse() }), { list: [visible, visible] }],
    ['a list in another list', (list) => [{ list }], [{ list: [visible, visible] }]],
  ])('where it is %s', async (_title, made, expected) => {
    const others = handedOn((context) => (context.result = made(context.result)));
    expect(await others.find(outside)).toEqual(expected);
  });

  it('where it is of a page', async () => {
    const others = handedOn((context) => (context.result = { all: (context.result as { data: unknown }).data }), { default: 10 });
    expect(await others.find(outside)).toEqual({ all: [visible] });
  });

  it('where the hook empties the list that the method gave', async () => {
    const others = handedOn((context) => {
      const list = context.result as object[];
      context.result = { taken: list.splice(0) } as never;
    });
    expect(await others.find(outside)).toEqual({ taken: [visible, visible] });
  });
});
