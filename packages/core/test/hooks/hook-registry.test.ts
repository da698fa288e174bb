import { describe, expect, it } from '@jest/globals';
import { framework, inspectHooks } from '../../src/index.ts';

/** A service whose calls say which hooks ran. */
function noting() {
  const ran: string[] = [];
  const note = (name: string) => () => {
    ran.push(name);
  };
  const app = framework();
  app.use('notes', {
    async find() {
      return [];
    },
    async get(id: string) {
      return { id };
    },
  });
  const service = app.service('notes');
  const hooks = (map: unknown): unknown => service.hooks(map as never);
  const called = async (method: 'find' | 'get'): Promise<string[]> => {
    ran.length = 0;
    await (method === 'find' ? service.find() : service.get('1'));
    return [...ran];
  };
  return { app, service, hooks, note, called };
}

describe('the shapes in which hooks are registered', () => {
  it.each([
    ['one function of a type, for all methods', (a: unknown) => ({ before: a }), ['find', 'get']],
    ['a list of a type, for all methods', (a: unknown) => ({ before: [a] }), ['find', 'get']],
    ['one function of a method', (a: unknown) => ({ before: { get: a } }), ['get']],
    ['a list of a method', (a: unknown) => ({ after: { get: [a] } }), ['get']],
    ['a list for all methods by name', (a: unknown) => ({ after: { all: [a] } }), ['find', 'get']],
    ['beside types that are left open', (a: unknown) => ({ before: a, after: null, error: {}, around: undefined }), ['find', 'get']],
    ['beside methods that are left open', (a: unknown) => ({ before: { find: undefined, get: null, all: a } }), ['find', 'get']],
  ])('%s', async (_, shape, methods) => {
    const { hooks, note, called } = noting();
    hooks(shape(note('a')));
    expect(await called('find')).toEqual(methods.includes('find') ? ['a'] : []);
    expect(await called('get')).toEqual(methods.includes('get') ? ['a'] : []);
  });

  it('types and methods that are left open have no hooks', async () => {
    const { hooks, service } = noting();
    hooks({ before: undefined, after: null, error: { find: undefined, get: null } });
    expect([...inspectHooks(service, 'find'), ...inspectHooks(service, 'get')]).toEqual([]);
    expect(await service.get('1')).toEqual({ id: '1' });
  });

  it('a list without types is around hooks, the first outermost', async () => {
    const { hooks, called } = noting();
    const order: string[] = [];
    const around = (name: string) => async (_: unknown, next: () => Promise<void>) => {
      order.push(name);
      await next();
      order.push(`${name} again`);
    };
    hooks([around('a'), around('b')]);
    await called('find');
    expect(order).toEqual(['a', 'b', 'b again', 'a again']);
  });

  it.each([
    [undefined, 'hooks() needs hooks by type and method, and got undefined'],
    [null, 'hooks() needs hooks by type and method, and got null'],
    ['before', 'Hooks have to be a function, an array of functions or an object of those by method'],
    [7, 'Hooks have to be a function, an array of functions or an object of those by method'],
    [{ before: 'x' }, 'Hooks have to be a function, an array of functions or an object of those by method'],
    [{ before: true }, 'Hooks have to be a function, an array of functions or an object of those by method'],
    [{ before: ['x'] }, "A hook for 'all' is not a function but string"],
    [['x'], "A hook for 'all' is not a function but string"],
    [{ before: { get: 5 } }, "A hook for 'get' is not a function but number"],
    [{ before: { get: [null] } }, "A hook for 'get' is not a function but object"],
    [{ befor: { get: [] } }, "'befor' is not a valid hook type: use around, before, after or error"],
    [
      { before: {}, setup: [] },
      "Hooks of 'setup' are those of an application, in a call of their own beside other hooks: app.hooks({ setup: [ … ] })",
    ],
    [{ before: {}, befor: [] }, "'befor' is not a valid hook type: use around, before, after or error"],
    [{ before: { gett: [] } }, 'Method gett is not a hooks enabled service method'],
    [
      { before: { creat: [] } },
      "Method creat is not a hooks enabled service method. Did you mean 'create'? One of the service's own is named",
    ],
    [{ before: { al: [] } }, "Did you mean 'all'?"],
    [{ gett: [] }, 'Method gett is not a hooks enabled service method'],
    [{ gett: null }, 'Method gett is not a hooks enabled service method'],
    [{ gett: 'x' }, 'Method gett is not a hooks enabled service method'],
  ])('%j is refused with what to write instead', (map, message) => {
    const { hooks } = noting();
    expect(() => hooks(map)).toThrow(message);
  });

  it('of hooks that are refused none is registered', async () => {
    const { hooks, note, called } = noting();
    expect(() => hooks({ before: { find: note('a') }, after: { find: 'x' } })).toThrow("A hook for 'find'");
    expect(await called('find')).toEqual([]);
  });
});

describe('inspectHooks', () => {
  it('lists hooks of the application and the service by level, type and name, and none of other methods', () => {
    const { app, service, hooks } = noting();
    const named = (name: string) => Object.defineProperty(async () => undefined, 'name', { value: name });
    app.hooks({ before: { all: [named('ofApplication')] } });
    hooks([named('untyped')]);
    hooks({ around: { all: [named('around')] }, before: { get: [named('before')] }, after: { find: [named('other')] } });
    hooks({ after: { get: [named('after')] }, error: { all: [named('error')] } });
    expect(inspectHooks(service, 'get').map(({ level, type, name, guard }) => [level, type, name, guard])).toEqual([
      ['application', 'before', 'ofApplication', false],
      ['service', 'around', 'untyped', false],
      ['service', 'around', 'around', false],
      ['service', 'error', 'error', false],
      ['service', 'before', 'before', false],
      ['service', 'after', 'after', false],
    ]);
  });

  it('refuses what is no method of a registered service', () => {
    const { service } = noting();
    expect(() => inspectHooks(service, 'remove')).toThrow("'remove' is not a method of a registered service");
    expect(() => inspectHooks({}, 'get')).toThrow("'get' is not a method of a registered service");
  });
});
