import { describe, expect, it } from '@jest/globals';
import { createContext, framework, guard, inspectGuards, type HookContext } from '../../src/index.ts';

function contextOf(method: 'find' | 'update'): HookContext {
  const app = framework();
  app.use('notes', {
    async find() {
      return [];
    },
    async update(_id: string, data: object) {
      return data;
    },
  });
  return createContext(app.service('notes'), method) as HookContext;
}

describe('the context of a call', () => {
  it.each([
    ['app', {}],
    ['path', 'elsewhere'],
    ['service', {}],
    ['method', 'other'],
    ['id', 5],
    ['data', { a: 1 }],
  ])('a hook may set %s for its call, and for no other', (name, value) => {
    const [context, other] = [contextOf('update'), contextOf('update')];
    const before = Reflect.get(other, name);
    Reflect.set(context, name, value);
    expect(Reflect.get(context, name)).toBe(value);
    expect(Reflect.get(other, name)).toBe(before);
    Reflect.set(context, name, undefined);
    expect(Reflect.get(context, name)).toBeUndefined();
    expect({ ...context.toJSON() }).toHaveProperty(name, undefined);
  });

  it.each(['id', 'data'])('a method without %s has none, and a hook may set one', (name) => {
    const context = contextOf('find');
    expect(Reflect.get(context, name)).toBeUndefined();
    expect(context.toJSON()).not.toHaveProperty(name);
    Reflect.set(context, name, 'x');
    expect(Reflect.get(context, name)).toBe('x');
    expect(Reflect.deleteProperty(context, name)).toBe(true);
    expect(Reflect.get(context, name)).toBeUndefined();
  });

  it('its JSON has what calls share, and what HTTP is told', () => {
    const context = contextOf('update');
    context.id = 1;
    context.statusCode = 202;
    expect(context.toJSON()).toMatchObject({
      path: 'notes',
      method: 'update',
      type: 'around',
      id: 1,
      http: { status: 202 },
      statusCode: 202,
    });
  });

  it('statusCode is the status of http, taken away by undefined', () => {
    const context = contextOf('find');
    expect(context.statusCode).toBeUndefined();
    context.statusCode = 201;
    expect(context.http).toEqual({ status: 201 });
    context.statusCode = undefined;
    expect(context.http).toEqual({});
    context.http = { status: 204, headers: { a: 'b' } };
    expect([context.statusCode, context.http]).toEqual([204, { status: 204, headers: { a: 'b' } }]);
    context.http = undefined as never;
    expect([context.statusCode, context.http]).toEqual([undefined, {}]);
  });
});

describe('guard', () => {
  it('marks a hook, which tools can tell, once and again', () => {
    const hook = guard(async () => undefined);
    expect(guard(hook)).toBe(hook);
    const app = framework();
    app.use('notes', {
      async find() {
        return [];
      },
    });
    app.service('notes').hooks({ before: { find: [hook, async () => undefined] } });
    expect(inspectGuards(app.service('notes'), 'find').map((one) => one.hook)).toEqual([hook]);
    expect(Object.keys(hook)).toEqual([]);
  });
});
