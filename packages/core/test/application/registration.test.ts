import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { framework, getServiceOptions } from '../../src/index.ts';

const finds = (name = 'x') => ({
  async find(): Promise<string[]> {
    return [name];
  },
});

describe('a registration that fails', () => {
  it('leaves nothing behind when a mixin throws, and can be repeated', async () => {
    const app = framework();
    let broken = true;
    app.mixins.push((service) => Object.assign(service, { added: true }));
    app.mixins.push(() => {
      if (broken) throw new Error('mixin');
    });
    class Finds extends EventEmitter {
      async find(): Promise<string[]> {
        return ['x'];
      }
    }
    const service = new Finds();
    expect(() => app.use('x', service)).toThrow('mixin');
    expect([app.lookup('x'), app.lookup('x/1'), Object.keys(app.services)]).toEqual([null, null, []]);
    expect(Object.getOwnPropertyNames(service)).not.toContain('added');
    expect(getServiceOptions(service)).toBeUndefined();
    broken = false;
    app.use('x', service);
    await expect(app.service('x').find()).resolves.toEqual(['x']);
  });

  it('leaves no route behind when the second one is refused', () => {
    const app = framework();
    expect(() => app.use('users/:__id', finds())).toThrow(
      "The path 'users/:__id/:__id' has the placeholder ':__id' twice, and params.route one value. " +
        "Give them names of their own (':__id' is that of the ids of records, which each service has)",
    );
    expect([app.lookup('users/5'), app.lookup('users/5/6'), Object.keys(app.services)]).toEqual([null, null, []]);
  });

  it('in an outer application takes back the one in the mounted one', () => {
    const sub = framework();
    const app = framework().use('api/x', finds('outer'));
    app.use('api', sub);
    expect(() => sub.use('x', finds('inner'))).toThrow('already exists');
    expect(Object.keys(sub.services)).toEqual([]);
    expect(sub.lookup('x')).toBeNull();
  });

  it('of a mounted application takes back those of its services that were done', () => {
    const sub = framework().use('a', finds()).use('b', finds());
    const app = framework().use('api/b', finds());
    expect(() => app.use('api', sub)).toThrow('already exists');
    expect(Object.keys(app.services)).toEqual(['api/b']);
    expect(app.lookup('api/a')).toBeNull();
    sub.use('late', finds());
    expect(Object.keys(app.services)).toEqual(['api/b']);
  });
});

describe('mixins', () => {
  it('may add methods: those that the options name, and default ones, get hooks', async () => {
    const app = framework();
    app.mixins.push((service, _path, options) => {
      Object.assign(service, { restore: async (data: string) => `restored ${data}`, get: async (id: number) => id });
      (options.methods as string[]).push('restore');
    });
    app.use('x', finds());
    const log: string[] = [];
    const service = app.service('x') as unknown as {
      hooks(map: object): void;
      restore(data: string): Promise<string>;
      get(id: number): Promise<number>;
    };
    service.hooks({ before: { restore: [() => void log.push('restore')], get: [() => void log.push('get')] } });
    await expect(service.restore('a')).resolves.toBe('restored a');
    await expect(service.get(1)).resolves.toBe(1);
    expect(log).toEqual(['restore', 'get']);
    expect(getServiceOptions(service)?.methods).toEqual(['find', 'restore']);
  });

  it('may not add what no service has', () => {
    const app = framework();
    app.mixins.push((_service, _path, options) => {
      (options.methods as string[]).push('missing');
    });
    expect(() => app.use('x', finds())).toThrow("'missing' is not a function on service 'x'");
    expect(app.lookup('x')).toBeNull();
  });

  it('of an outer application see the services of a mounted one', () => {
    const app = framework();
    const seen: string[] = [];
    app.mixins.push((_service, path) => void seen.push(path));
    app.use('api', framework().use('x', finds()));
    expect(seen).toEqual(['api/x']);
  });
});

describe('unuse', () => {
  it('takes a service out of all applications that have it by being mounted', async () => {
    const sub = framework().use('x', finds());
    const app = framework();
    app.use('api', sub);
    const outer = framework();
    outer.use('v1', app);
    expect(outer.lookup('v1/api/x')).not.toBeNull();
    await sub.unuse('x');
    for (const [lookup, services] of [
      [app.lookup('api/x'), app.services],
      [outer.lookup('v1/api/x'), outer.services],
      [sub.lookup('x'), sub.services],
    ]) {
      expect([lookup, Object.keys(services ?? {})]).toEqual([null, []]);
    }
  });

  it('on an outer application leaves the mounted one alone, and tears nothing down', async () => {
    const log: string[] = [];
    const sub = framework().use('x', { ...finds(), teardown: () => void log.push('down') });
    const app = framework();
    app.use('api', sub);
    await app.unuse('api/x');
    expect([app.lookup('api/x'), sub.lookup('x') === null]).toEqual([null, false]);
    expect(log).toEqual([]);
    await sub.unuse('x');
    expect(log).toEqual(['down']);
  });

  it('does not take out what has come in the place of a service', async () => {
    const sub = framework().use('x', finds('inner'));
    const app = framework();
    app.use('api', sub);
    await app.unuse('api/x');
    app.use('api/x' as string, finds('outer'));
    await sub.unuse('x');
    await expect(app.service('api/x').find()).resolves.toEqual(['outer']);
  });

  it('takes out a whole mounted application, and services that come later stay out', async () => {
    const sub = framework().use('x', finds());
    const app = framework();
    app.use('api', sub);
    await expect(app.unuse('api')).resolves.toBe(sub);
    sub.use('late', finds());
    expect(Object.keys(app.services)).toEqual([]);
    app.use('api', sub);
    expect(Object.keys(app.services)).toEqual(['api/x', 'api/late']);
  });

  it('tears down once, however often it is called', async () => {
    const log: string[] = [];
    const app = framework().use('x', { ...finds(), teardown: () => void log.push('down') });
    await Promise.all([app.unuse('x'), app.unuse('x')]);
    await app.teardown();
    expect(log).toEqual(['down']);
  });
});

describe('mounting', () => {
  it('refuses an application in itself, twice at one path, and options', () => {
    const [app, sub] = [framework(), framework()];
    app.use('api', sub);
    expect(() => sub.use('back', app)).toThrow('can not be mounted in itself');
    expect(() => app.use('self', app)).toThrow('can not be mounted in itself');
    expect(() => app.use('api', sub)).toThrow("mounted at 'api' already");
    expect(() => app.use('other', framework(), { methods: [] })).toThrow('takes no options and no middleware');
  });
});

describe('the default authentication service', () => {
  it('is the one whose configKey the setting names, or the one at a path', () => {
    const app = framework();
    expect(app.defaultAuthentication()).toBeNull();
    app.use('login', { ...finds(), configKey: 'authentication' }).use('admin/login', { ...finds(), configKey: 'admin' });
    expect(app.defaultAuthentication()).toBeNull();
    app.set('defaultAuthentication', 'admin');
    expect(app.defaultAuthentication()).toBe(app.service('admin/login'));
    expect(app.defaultAuthentication('/login')).toBe(app.service('login'));
    expect(() => app.defaultAuthentication('nowhere')).toThrow("Can not find service 'nowhere'");
    app.use('/', finds());
    expect(app.defaultAuthentication('/')).toBe(app.service('/'));
  });

  it('is none before one is named, though a service has no configKey', () => {
    const app = framework().use('x', finds());
    expect(app.defaultAuthentication()).toBeNull();
    app.set('defaultAuthentication', 'authentication');
    expect(app.defaultAuthentication()).toBeNull();
  });

  it('is registered, with its hooks, when it is made on demand', async () => {
    const app = framework();
    app.defaultService = () => finds();
    const log: string[] = [];
    app.hooks({ before: { find: [() => void log.push('guard')] } });
    const made = app.defaultAuthentication('login') as { find(): Promise<string[]> };
    expect(made).toBe(app.service('login'));
    await made.find();
    expect(log).toEqual(['guard']);
  });

  it('has to be asked for by a path', () => {
    expect(() => framework().defaultAuthentication(5 as never)).toThrow(
      new TypeError('defaultAuthentication() needs the path of a service, and got number'),
    );
  });
});
