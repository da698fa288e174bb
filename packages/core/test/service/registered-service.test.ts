import { EventEmitter } from 'node:events';
import { hooks, middleware } from '@feathersjs/hooks';
import { describe, expect, it, jest } from '@jest/globals';
import {
  checking,
  createContext,
  framework,
  guard,
  inspectGuards,
  inspectHooks,
  isUnpublished,
  keepUnpublished,
  paramsFor,
  passedOnParams,
  type CheckedMethod,
  type HookContext,
  type NextFunction,
  type Params,
} from '../../src/index.ts';

const items = () => ({
  async find(_params?: Params): Promise<string[]> {
    return [];
  },
  async create(data: unknown, _params?: Params): Promise<unknown> {
    return data;
  },
});

const passing = async (_context: HookContext, next: NextFunction): Promise<void> => next();

describe('the hooks of a registered service', () => {
  it('check what they need when the application is set up: each, for each method, with its application and when it runs', async () => {
    const seen: CheckedMethod[] = [];
    const noting = () =>
      checking(
        () => undefined,
        (called) => void seen.push(called),
      );
    const app = framework().use('x', items()).use('y', items());
    app.hooks({ error: { create: [noting()] } });
    app.service('x').hooks({ before: { find: [noting()] } });
    await app.setup();
    expect(seen).toHaveLength(3);
    expect(seen).toEqual(
      expect.arrayContaining([
        { app, path: 'x', method: 'create', type: 'error' },
        { app, path: 'y', method: 'create', type: 'error' },
        { app, path: 'x', method: 'find', type: 'before' },
      ]),
    );
  });

  it('fail the setup by what their check throws, also middleware of a class and of a method', async () => {
    const failing = (name: string) =>
      checking(
        async (_context: unknown, next: NextFunction): Promise<void> => next(),
        ({ method }) => {
          throw new Error(`${name} of ${method} misses something`);
        },
      );
    class OfClass {
      async find(): Promise<string[]> {
        return [];
      }
    }
    hooks(OfClass.prototype, [failing('class')] as never);
    await expect(framework().use('x', new OfClass()).setup()).rejects.toThrow('class of find misses something');
    class OfMethod {
      async get(id: number): Promise<number> {
        return id;
      }
    }
    hooks(OfMethod.prototype, { get: middleware([failing('method')] as never) } as never);
    await expect(framework().use('x', new OfMethod()).setup()).rejects.toThrow('method of get misses something');
  });

  it('are told to tools in the order in which they are registered, those of a class as around hooks of the service', () => {
    class OfClass {
      async find(): Promise<string[]> {
        return [];
      }
    }
    hooks(OfClass.prototype, [
      async function ofClass(_context: unknown, next: NextFunction) {
        await next();
      },
    ] as never);
    const app = framework().use('x', new OfClass());
    app.hooks({ before: { all: [function ofApp(): void {}] } });
    app.service('x').hooks({ after: { find: [function ofService(): void {}] } });
    expect(inspectHooks(app.service('x'), 'find').map(({ name, type, level }) => [name, type, level])).toEqual([
      ['ofApp', 'before', 'application'],
      ['ofClass', 'around', 'service'],
      ['ofService', 'after', 'service'],
    ]);
  });

  it('that are guards are told in the order in which they run', () => {
    const app = framework().use('x', items());
    const marked = (name: string, hook: object) => guard(Object.defineProperty(hook, 'name', { value: name }) as () => void);
    app.service('x').hooks({
      before: { find: [marked('before', () => undefined), () => undefined] },
      after: { find: [marked('after', () => undefined)] },
    });
    app.service('x').hooks({ around: { find: [marked('around', passing) as never] } });
    expect(inspectGuards(app.service('x'), 'find').map(({ name }) => name)).toEqual(['around', 'before']);
  });

  it.each([undefined, null, 5, 'x', {}, items()])('are those of no service that is not registered: %p', (service) => {
    for (const look of [inspectHooks, inspectGuards, createContext])
      expect(() => look(service, 'find')).toThrow("'find' is not a method of a registered service");
  });
});

describe('the methods of a registered service', () => {
  it('keep their names, and the marks that users put on them', () => {
    const MARK = Symbol('mark');
    const service = items();
    Object.defineProperty(service.find, MARK, { value: 'kept', enumerable: false });
    const { find } = framework().use('x', service).service('x');
    expect(find.name).toBe('find');
    expect(Object.getOwnPropertyDescriptor(find, MARK)).toEqual({ value: 'kept', enumerable: false, writable: false, configurable: false });
    expect(find).not.toBe(service.find);
  });

  it('may be called with a context that was made for them, which has what was said of it, and is what comes back', async () => {
    const service = framework().use('x', items()).service('x');
    const context = createContext(service, 'create', { note: 'mine' });
    expect(context).toMatchObject({ path: 'x', method: 'create', note: 'mine' });
    await expect((service.create as (...args: unknown[]) => Promise<unknown>)({ a: 1 }, context)).resolves.toBe(context);
    expect(context).toMatchObject({ data: { a: 1 }, params: {}, result: { a: 1 }, event: 'created' });
    expect(context.arguments).toHaveLength(2);
  });

  it('get parameters where they are called without arguments', async () => {
    const given: unknown[][] = [];
    const service = framework()
      .use('x', {
        async find(...args: unknown[]): Promise<unknown[]> {
          given.push(args);
          return [];
        },
        async get(...args: unknown[]): Promise<unknown> {
          given.push(args);
          return {};
        },
      } as ReturnType<typeof items> & { get(...args: unknown[]): Promise<unknown> })
      .service('x');
    await service.find();
    await service.get();
    expect(given).toEqual([[{}], [undefined, {}]]);
  });
});

describe('the events of a registered service', () => {
  it('are its own where it has on or emit alone, and no emitter', async () => {
    const heard: unknown[] = [];
    for (const [path, members] of Object.entries({ on: { on: 'a text' }, only: { on: () => undefined }, emit: { emit: () => false } })) {
      const service = framework()
        .use(path, { ...items(), ...members })
        .service(path) as unknown as EventEmitter & ReturnType<typeof items>;
      service.on('created', (record) => heard.push([path, record]));
      await service.create(1);
    }
    expect(heard).toEqual([
      ['on', 1],
      ['only', 1],
      ['emit', 1],
    ]);
  });

  it('may be limited, and are warned of where nobody removes listeners', () => {
    const service = framework().use('x', items()).service('x') as unknown as EventEmitter;
    expect(service.getMaxListeners()).toBe(EventEmitter.defaultMaxListeners);
    service.setMaxListeners(3);
    expect(service.getMaxListeners()).toBe(3);
    const listener = jest.fn();
    service.on('a', listener).on('b', listener);
    expect(service.eventNames()).toEqual(['a', 'b']);
    service.removeListener('a', listener);
    expect(service.eventNames()).toEqual(['b']);
    service.removeAllListeners('b');
    expect(service.eventNames()).toEqual([]);
    expect([service.emit('b'), listener.mock.calls]).toEqual([false, []]);
  });

  it('may be for the server alone, which is said as often as one likes', () => {
    const service = framework().use('x', items()).service('x');
    expect(isUnpublished(service)).toBe(false);
    const keys = Object.keys(service);
    keepUnpublished(service);
    keepUnpublished(service);
    expect(isUnpublished(service)).toBe(true);
    expect(Object.keys(service)).toEqual(keys);
  });
});

it('parameters that are passed on keep who calls, and what the service makes of them', () => {
  const params = { provider: 'rest', user: { id: 1 }, query: { a: 1 }, paginate: false, adapter: {}, precondition: {} } as Params;
  expect(paramsFor({}, params)).toEqual({ provider: 'rest', user: { id: 1 } });
  const service = {
    name: 'own',
    [passedOnParams](this: { name: string }, kept: object): object {
      return { ...kept, by: this.name };
    },
  };
  expect(paramsFor(service, params)).toEqual({ provider: 'rest', user: { id: 1 }, by: 'own' });
  expect(paramsFor({ [passedOnParams]: 'a text' }, params)).toEqual({ provider: 'rest', user: { id: 1 } });
});
