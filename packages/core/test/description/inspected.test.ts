import { describe, expect, it } from '@jest/globals';
import {
  authenticating,
  describing,
  framework,
  inspectGuards,
  inspectHooks,
  type DescribedMethod,
  type HookedMethod,
} from '../../src/index.ts';

const service = () => ({
  async find(): Promise<string[]> {
    return [];
  },
  async get(id: number): Promise<number> {
    return id;
  },
});
/** A new hook: what is said of one stays with it. */
const hook = () => (): void => undefined;

/** What tools see of the one hook of a method. */
function inspected(given: object, method = 'find'): { credentials: unknown; description: unknown } {
  const app = framework().use('x', service());
  app.service('x').hooks({ before: { [method]: [given] } } as never);
  const [only, ...others] = inspectHooks(app.service('x'), method);
  expect(others).toEqual([]);
  return { credentials: only?.credentials, description: only?.description };
}

describe('authenticating', () => {
  it('says which credentials a hook asks for, of all methods or of some', () => {
    const needs = { strategies: ['jwt'], service: 'login' };
    const marked = hook();
    expect(authenticating(marked, needs)).toBe(marked);
    expect(inspected(marked).credentials).toEqual(needs);
    for (const [service, location] of [
      ['//v1/login/', 'v1/login'],
      ['/', '/'],
    ] as const)
      expect(inspected(authenticating(hook(), { strategies: ['jwt'], service })).credentials).toEqual({
        strategies: ['jwt'],
        service: location,
      });
    const forSome = authenticating(hook(), ({ method }) => (method === 'find' ? undefined : { strategies: ['jwt'] }));
    expect(inspected(forSome).credentials).toBeNull();
    expect(inspected(forSome, 'get').credentials).toEqual({ strategies: ['jwt'] });
    expect(inspected(hook()).credentials).toBeUndefined();
  });

  it('may be said anew of the same hook, and is not seen as one of its properties', () => {
    const marked = authenticating(authenticating(hook(), { strategies: ['jwt'] }), { strategies: ['key'] });
    expect(inspected(marked).credentials).toEqual({ strategies: ['key'] });
    expect(Object.keys(marked)).toEqual([]);
  });

  it('is told the path in the application that the hook belongs to', () => {
    const seen: HookedMethod[] = [];
    const told = authenticating(hook(), (called) => void seen.push({ path: called.path, method: called.method }));
    const sub = framework().use('x', service());
    const app = framework();
    app.use('api', sub);
    app.hooks({ before: { all: [told] } });
    sub.hooks({ before: { all: [told] } });
    expect(inspectGuards(sub.service('x'), 'get')).toHaveLength(2);
    expect(seen).toEqual([
      { path: 'api/x', method: 'get' },
      { path: 'x', method: 'get' },
    ]);
  });

  it('is no answer where what stands in its place is no function', () => {
    const marked = Object.assign(hook(), { [Symbol.for('@framework/authenticated-by')]: { strategies: ['jwt'] } });
    expect(inspected(marked).credentials).toBeUndefined();
  });
});

describe('describing', () => {
  const description = { headers: { 'X-Tenant': 'Whose records are meant.' }, errors: [403] };

  it('says what a hook adds, to all methods or to some', () => {
    const marked = hook();
    expect(describing(marked, description)).toBe(marked);
    expect(inspected(marked).description).toEqual(description);
    const forSome = describing(hook(), ({ method }) => (method === 'get' ? description : undefined));
    expect(inspected(forSome).description).toBeUndefined();
    expect(inspected(forSome, 'get').description).toEqual(description);
    expect(inspected(hook()).description).toBeUndefined();
  });

  it('may be said anew of the same hook, and is not seen as one of its properties', () => {
    const marked = describing(describing(hook(), { errors: [409] }), description);
    expect(inspected(marked).description).toEqual(description);
    expect(Object.keys(marked)).toEqual([]);
  });

  it('is told the registered service', () => {
    const seen: DescribedMethod[] = [];
    const app = framework().use('x', service());
    app.service('x').hooks({ before: { find: [describing(hook(), (called) => void seen.push(called))] } });
    inspectHooks(app.service('x'), 'find');
    expect(seen).toEqual([{ path: 'x', method: 'find', service: app.service('x') }]);
  });

  it('is no answer where what stands in its place is no function', () => {
    const marked = Object.assign(hook(), { [Symbol.for('@framework/hook-description')]: description });
    expect(inspected(marked).description).toBeUndefined();
  });
});
