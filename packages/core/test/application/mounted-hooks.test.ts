import { describe, expect, it } from '@jest/globals';
import { framework, nestApplication, type HookContext, type NextFunction } from '../../src/index.ts';

const gets = () => ({
  async get(id: number): Promise<{ id: number }> {
    return { id };
  },
});

type Mounts = ReturnType<typeof framework>;
const mount = (outer: Mounts, inner: Mounts, path = 'l'): unknown => outer.use(path, inner);

describe('the hooks of an outer application', () => {
  it('run around the services of a mounted one, which they see as their own', async () => {
    const log: unknown[] = [];
    const [app, sub, outer] = [framework(), framework(), framework()];
    const names = new Map<unknown, string>([
      [app, 'app'],
      [sub, 'sub'],
      [outer, 'outer'],
    ]);
    const place = (context: HookContext): string => `${String(names.get(context.app))} ${context.path}`;
    const around =
      (name: string) =>
      async (context: HookContext, next: NextFunction): Promise<void> => {
        log.push(`${name} > ${place(context)}`);
        await next();
        log.push(`${name} < ${place(context)}`);
      };
    const plain = (name: string) => (context: HookContext) => {
      log.push(`${name} ${place(context)}`);
    };
    sub.use('x', gets());
    sub.hooks({ around: [around('sub')] });
    app.use('api', sub);
    outer.use('v1', app);
    app.hooks({ around: [around('app')], after: [plain('app after')] });
    outer.hooks({ before: [plain('outer before')], after: [plain('outer after')] });
    sub.service('x').hooks({ before: [plain('service')] } as never);
    sub.service('x').on('read', () => undefined);
    await sub.service('x').get(1);
    expect(log).toEqual([
      'outer before outer v1/api/x',
      'app > app api/x',
      'sub > sub x',
      'service sub x',
      'sub < sub x',
      'app after app api/x',
      'app < app api/x',
      'outer after outer v1/api/x',
    ]);
  });

  it('guard calls of either application, added before or after the mount', async () => {
    const guard = (): never => {
      throw new Error('refused');
    };
    for (const when of ['before', 'after']) {
      const [app, sub] = [framework(), framework().use('x', gets())];
      await expect(sub.service('x').get(1)).resolves.toEqual({ id: 1 });
      if (when === 'before') app.hooks({ before: { all: [guard] } });
      app.use('api', sub);
      if (when === 'after') app.hooks({ before: { all: [guard] } });
      await expect(app.service('api/x' as never as 'x').get(1)).rejects.toThrow('refused');
      await expect(sub.service('x').get(1)).rejects.toThrow('refused');
      await app.unuse('api');
      await expect(sub.service('x').get(1)).resolves.toEqual({ id: 1 });
    }
  });

  it('run once where an application has a service twice', async () => {
    const app = framework();
    let count = 0;
    app.hooks([
      async (_context, next) => {
        count += 1;
        await next();
      },
    ]);
    app.use('a', gets());
    app.use('b', app.service('a'));
    await app.service('b').get(1);
    expect(count).toBe(1);
  });

  it.each<[string, (outer: Mounts, left: Mounts, right: Mounts, inner: Mounts) => unknown]>([
    [
      'in the order of their mounts',
      (outer, left, right, inner) => [mount(left, inner), mount(right, inner), mount(outer, left), mount(outer, right, 'r')],
    ],
    [
      'from the outside',
      (outer, left, right, inner) => [mount(outer, left), mount(outer, right, 'r'), mount(left, inner), mount(right, inner)],
    ],
    [
      'one after the other',
      (outer, left, right, inner) => [mount(left, inner), mount(outer, left), mount(right, inner), mount(outer, right, 'r')],
    ],
    [
      'where it is in that directly too',
      (outer, left, right, inner) => [
        mount(outer, inner, 'i'),
        mount(left, inner),
        mount(outer, left),
        mount(right, inner),
        mount(outer, right, 'r'),
      ],
    ],
  ])('run outside those of all that lie in it and have the service: %s', async (_title, mounts) => {
    const log: string[] = [];
    const named = (name: string): Mounts => framework().hooks({ before: { all: [() => void log.push(name)] } });
    const [outer, left, right, inner] = [named('outer'), named('left'), named('right'), named('inner')];
    inner.use('x', gets());
    mounts(outer, left, right, inner);
    await inner.service('x').get(1);
    expect([log[0], log.at(-1), log.length]).toEqual(['outer', 'inner', 4]);
  });

  it('get errors of what is inside, and put the place back', async () => {
    const [app, sub] = [framework(), framework().use('x', gets())];
    app.use('api', sub);
    const seen: unknown[] = [];
    app.hooks({ error: { all: [(context) => void seen.push(context.path)] } });
    sub.hooks({ error: { all: [(context) => void seen.push(context.path)] } });
    sub.service('x').hooks({
      before: {
        get: [
          () => {
            throw new Error('inside');
          },
        ],
      },
    });
    await expect(sub.service('x').get(1)).rejects.toThrow('inside');
    expect(seen).toEqual(['x', 'api/x']);
  });

  it('run around the services of one that a transport hands requests on to, whose routes stay its own', async () => {
    const [app, sub] = [framework(), framework().use('x', gets())];
    nestApplication(app, sub, '/api');
    nestApplication(app, sub, '/api');
    app.hooks({ before: { all: [() => Promise.reject(new Error('refused'))] } });
    expect(app.lookup('api/x')).toBeNull();
    await expect(sub.service('x').get(1)).rejects.toThrow('refused');
    expect(() => nestApplication(app, {}, 'x')).toThrow('Only applications');
  });
});

describe('hooks of an application for a method that no service has', () => {
  it('are refused when it is set up: what they were to check would not be checked', async () => {
    const app = framework().use('x', gets());
    app.hooks({ before: { gte: [() => undefined], remove: [() => undefined] } });
    await expect(app.setup()).rejects.toThrow("app.hooks has hooks for 'gte', and no service has such a method");
    app.hooks({ before: { lte: [() => undefined] } });
    await expect(app.setup()).rejects.toThrow("app.hooks has hooks for 'gte', 'lte', and no service has such a method");
    const custom = framework();
    custom.use('x', { shout: async (text: string) => text }, { methods: ['shout'] });
    custom.hooks({ before: { shout: [() => undefined] } });
    await expect(custom.setup()).resolves.toBe(custom);
  });
});
