import { hooks, middleware } from '@feathersjs/hooks';
import { describe, expect, it } from '@jest/globals';
import { framework, type HookContext, type NextFunction } from '../../src/index.ts';

const log: string[] = [];
const noting =
  (name: string) =>
  async (context: HookContext, next: NextFunction): Promise<void> => {
    log.push(`${name} ${context.path} ${context.method} ${String(context.id)}`);
    await next();
  };

function makeClass() {
  class Items {
    async get(id: number): Promise<{ id: number }> {
      return { id };
    }
    async patch(id: number, data: object): Promise<object> {
      return { id, ...data };
    }
  }
  return Items;
}

describe('middleware of @feathersjs/hooks', () => {
  it('on a class runs around its methods, between the hooks of the application and those of the service', async () => {
    const Items = makeClass();
    hooks(Items.prototype, [noting('class')] as never);
    hooks(Items.prototype, { get: [noting('method')] } as never);
    const app = framework().use('items', new Items());
    app.hooks([noting('application')]);
    app.service('items').hooks([noting('untyped')]);
    app.service('items').hooks({ get: [noting('untyped get')] } as never);
    app.service('items').hooks({ around: { all: [noting('around')] } });
    log.length = 0;
    await expect(app.service('items').get(1)).resolves.toEqual({ id: 1 });
    expect(log).toEqual([
      'application items get 1',
      'class items get 1',
      'untyped items get 1',
      'method items get 1',
      'untyped get items get 1',
      'around items get 1',
    ]);
    log.length = 0;
    await app.service('items').patch(2, {});
    expect(log).toEqual(['application items patch 2', 'class items patch 2', 'untyped items patch 2', 'around items patch 2']);
  });

  it('on a class guards calls: what it throws is not passed by', async () => {
    const Items = makeClass();
    hooks(Items.prototype, [
      async () => {
        throw new Error('not allowed');
      },
    ] as never);
    await expect(framework().use('items', new Items()).service('items').get(1)).rejects.toThrow('not allowed');
  });

  it('on an object runs too', async () => {
    const object = { get: async (id: number) => ({ id }) };
    hooks(object, { get: [noting('object')] } as never);
    log.length = 0;
    await framework().use('items', object).service('items').get(3);
    expect(log).toEqual(['object items get 3']);
  });

  it('is refused where it sets what the context of a service method has already', () => {
    const Items = makeClass();
    hooks(Items.prototype, { get: middleware([noting('x') as never]).params('id', 'params') });
    expect(() => framework().use('items', new Items())).toThrow("on 'get' of service 'items' set params, props or defaults");
    const Others = makeClass();
    hooks(Others.prototype, { get: middleware([noting('x') as never]).defaults(() => ({ extra: 1 })) });
    expect(() => framework().use('items', new Others())).toThrow('set params, props or defaults');
  });
});

describe('middleware of a version of @feathersjs/hooks that is not known', () => {
  const HOOKS = Symbol.for('@feathersjs/hooks');
  const manager = (parts: object) => ({ getProps: () => ({ method: 'get' }), getParams: () => null, getMiddleware: () => [], ...parts });
  const used = (parts: unknown) => () => {
    const Items = makeClass();
    Object.defineProperty(Items.prototype, HOOKS, { value: parts });
    return framework().use('items', new Items());
  };

  it.each([
    ['no list', manager({ getMiddleware: () => 'all' }), 'their middleware is no list of functions'],
    ['a list of something else', manager({ getMiddleware: () => [async () => undefined, 5] }), 'their middleware is no list of functions'],
    ['props', manager({ getProps: () => ({ method: 'get', more: 1 }) }), 'set params, props or defaults'],
    ['params', manager({ getParams: () => ['id'] }), 'set params, props or defaults'],
    ['defaults', manager({ _defaults: () => ({}) }), 'set params, props or defaults'],
    ['other questions', {}, 'they were made by a version that is not known'],
  ])('is refused where it has %s, and never passed by', (_, parts, message) => {
    expect(used(parts)).toThrow(`on the class of service 'items'`);
    expect(used(parts)).toThrow(message);
  });

  it.each([
    ['nothing', null],
    ['a text', 'x'],
    ['no props', manager({ getProps: () => null })],
    ['no middleware', manager({ getMiddleware: () => undefined })],
  ])('is none where it has %s', async (_, parts) => {
    await expect(used(parts)().service('items').get(1)).resolves.toEqual({ id: 1 });
  });

  it('on a method whose own function is not known is refused by name', () => {
    const Items = makeClass();
    Object.defineProperty(Items.prototype.get, HOOKS, { value: manager({}) });
    expect(() => framework().use('items', new Items())).toThrow(
      "The hooks of @feathersjs/hooks on 'get' of service 'items' can not run: the method under them is unknown",
    );
  });
});
