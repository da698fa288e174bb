import { describe, expect, it } from '@jest/globals';
import { framework, mountedApplications, mountedAt, nestApplication } from '../../src/index.ts';

const finds = (name = 'x') => ({
  async find(): Promise<string[]> {
    return [name];
  },
});

describe('a mounted application', () => {
  it('may lie at several paths, and other applications at the same ones elsewhere', () => {
    const sub = framework().use('x', finds());
    const app = framework();
    app.use('a', sub);
    app.use('b', sub);
    const other = framework();
    other.use('a', sub);
    expect([Object.keys(app.services), Object.keys(other.services)]).toEqual([['a/x', 'b/x'], ['a/x']]);
    const beside = framework().use('y', finds());
    app.use('a', beside);
    expect(Object.keys(app.services)).toEqual(['a/x', 'b/x', 'a/y']);
  });

  it('may lie at the root, with a service at its own root', async () => {
    const sub = framework().use('/', finds('root'));
    const app = framework();
    app.use('/', sub);
    expect(Object.keys(app.services)).toEqual(['/']);
    expect(app.lookup('/')).toMatchObject({ path: '/' });
    await expect(app.unuse('/x')).resolves.toBeUndefined();
    await app.unuse('/');
    expect(Object.keys(app.services)).toEqual([]);
  });

  it('stays where another path is taken out', async () => {
    const sub = framework().use('x', finds());
    const app = framework();
    app.use('api', sub);
    await expect(app.unuse('nowhere')).resolves.toBeUndefined();
    expect(Object.keys(app.services)).toEqual(['api/x']);
    await expect(app.unuse('/api/')).resolves.toBe(sub);
    expect(Object.keys(app.services)).toEqual([]);
  });

  it('has no hooks of an application that it could not be mounted in', async () => {
    const sub = framework().use('a', finds()).use('b', finds());
    const app = framework().use('api/b', finds());
    app.hooks({ before: { all: [() => Promise.reject(new Error('refused'))] } });
    expect(() => app.use('api', sub)).toThrow(new Error('Path api/b already exists'));
    await expect(sub.service('a').find()).resolves.toEqual(['x']);
  });

  it('takes options that are not set, as a wrapper passes them on', () => {
    const app = framework();
    app.use('api', framework().use('x', finds()), { methods: undefined } as never);
    expect(Object.keys(app.services)).toEqual(['api/x']);
    // @ts-expect-error an application has no such method
    expect(() => app.use('other', framework(), { methods: ['find'] })).toThrow(
      new Error("The application mounted at 'other' takes no options and no middleware: give them to its services"),
    );
  });
});

describe('an application that requests are handed on to', () => {
  it('has its services in the outer one by name, without routes, beside one of the same path', async () => {
    const app = framework().use('api/both', finds('outer'));
    const sub = framework().use('inner', finds('inner')).use('both', finds('inner'));
    nestApplication(app, sub, 'api');
    expect(Object.keys(app.services)).toEqual(['api/both', 'api/inner']);
    await expect(app.service('api/both').find()).resolves.toEqual(['outer']);
    expect(app.service('api/inner' as never)).toBe(sub.service('inner'));
    expect([app.lookup('api/inner'), app.lookup('api/both')?.service]).toEqual([null, app.service('api/both')]);
  });

  it('has the hooks of each application that hands on to it', async () => {
    const sub = framework().use('x', finds());
    const log: string[] = [];
    for (const name of ['first', 'second']) {
      const outer = framework();
      outer.hooks({ before: { all: [() => void log.push(name)] } });
      nestApplication(outer, sub, 'api');
    }
    await sub.service('x').find();
    expect(log.sort()).toEqual(['first', 'second']);
  });
});

describe('mountedAt', () => {
  it('names the applications that a path leads through, from the outside in', () => {
    const [outer, between, inner, handedOn] = [framework(), framework(), framework(), framework()];
    const service = { get: async () => ({}), find: async () => [] };
    for (const app of [between, inner, handedOn]) app.use('notes', { ...service });
    outer.use('api-notes', { ...service });
    inner.use('/', { ...service });
    expect(mountedAt(outer, '/api-notes')).toEqual([]);
    between.use('v1', inner);
    outer.use('api', between).use('other', inner);
    nestApplication(outer, handedOn, 'nested');
    const found = ['/api/notes/1', '/api/v1/notes/', '/api/v1', '/other/notes', '/api-notes', '/nested/notes', '/api/none'].map((path) =>
      mountedAt(outer, path),
    );
    expect(found).toEqual([[between], [between, inner], [between, inner], [inner], [], [], []]);
    expect(mountedAt({}, '/notes')).toEqual([]);
    expect(() => mountedAt(outer, '/api/notes/%zz')).toThrow('bad percent-encoding');
  });
});

describe('mountedApplications', () => {
  it('names those that lie in an application, each once', () => {
    const [outer, between, inner, handedOn] = [framework(), framework(), framework(), framework()];
    between.use('v1', inner);
    outer.use('api', between).use('other', inner);
    nestApplication(outer, handedOn, 'nested');
    expect(mountedApplications(outer)).toEqual([between, inner, handedOn]);
    expect(mountedApplications(inner)).toEqual([]);
    expect(mountedApplications({})).toEqual([]);
  });
});
