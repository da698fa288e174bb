import { Forbidden, NotFound } from '@framework/errors';
import { describe, expect, it } from '@jest/globals';
import { answerBy, framework, getRules, watchErrors, type HookContext, type NextFunction } from '../../src/index.ts';

const refusing = () => ({
  async get(id: string): Promise<{ id: string }> {
    if (id === 'closed') throw new Forbidden('Not for you', { id });
    return { id };
  },
});

describe('watchErrors', () => {
  it('tells of the error that a call ends with, once all error hooks have run', async () => {
    const app = framework().use('x', refusing());
    const seen: unknown[] = [];
    watchErrors(app, (error, { app: of, path, method }) => seen.push([error, of === app, path, method]));
    const missing = new NotFound('There is none');
    app.service('x').hooks({
      error: {
        all: [
          (context: HookContext) => {
            context.error = missing;
          },
        ],
      },
    });
    await expect(app.service('x').get('open')).resolves.toEqual({ id: 'open' });
    expect(seen).toEqual([]);
    await expect(app.service('x').get('closed')).rejects.toBe(missing);
    expect(seen).toEqual([[missing, true, 'x', 'get']]);
  });

  it('tells of no error that a hook has answered', async () => {
    const app = framework().use('x', refusing());
    const seen: unknown[] = [];
    watchErrors(app, (error) => seen.push(error));
    app.service('x').hooks({
      error: {
        get: [
          (context: HookContext) => {
            context.result = null;
          },
        ],
      },
    });
    await expect(app.service('x').get('closed')).resolves.toBeNull();
    expect(seen).toEqual([]);
  });

  it('tells of an error of what is made for the caller alone, which shows a caller from outside what it may see', async () => {
    const app = framework().use('x', refusing());
    const seen: unknown[] = [];
    watchErrors(app, (error) => seen.push(error));
    getRules(app.service('x'))?.add({ hidden: ['secret'] });
    const failure = new NotFound('There is none', { id: 'open', secret: 'of the record' });
    app.service('x').hooks({
      around: {
        get: [
          async (context: HookContext, next: NextFunction) => {
            await next();
            answerBy(context, () => Promise.reject(failure));
          },
        ],
      },
    });
    const get: (id: string, params?: object) => Promise<object> = app.service('x').get.bind(app.service('x'));
    await expect(get('open', { provider: 'rest' })).rejects.toMatchObject({
      message: 'There is none',
      data: { id: 'open' },
    });
    expect(seen).toHaveLength(1);
    expect(JSON.stringify(seen)).not.toContain('of the record');
  });

  it('tells each application around the service, each with its own place', async () => {
    const [app, sub] = [framework(), framework().use('x', refusing())];
    const seen: unknown[] = [];
    watchErrors(sub, (_error, context) => seen.push(['sub', context.app === sub, context.path]));
    watchErrors(app, (_error, context) => seen.push(['app', context.app === app, context.path]));
    app.use('api', sub).use('again', sub.service('x'));
    await expect(sub.service('x').get('closed')).rejects.toThrow('Not for you');
    expect(seen).toEqual([
      ['sub', true, 'x'],
      ['app', true, 'api/x'],
    ]);
  });

  it('keeps the error of a call as it is when a watcher throws, and reports what it threw', async () => {
    const app = framework().use('x', refusing());
    const reported: unknown[] = [];
    app.on('listenerError', (error: Error) => reported.push(error.message));
    const seen: unknown[] = [];
    watchErrors(app, () => {
      throw new Error('A watcher fails');
    });
    watchErrors(app, async () => {
      throw new Error('So does another one');
    });
    watchErrors(app, (error) => seen.push((error as Error).message));
    await expect(app.service('x').get('closed')).rejects.toThrow('Not for you');
    expect({ reported, seen }).toEqual({ reported: ['A watcher fails', 'So does another one'], seen: ['Not for you'] });
  });

  it('takes only applications', () => {
    expect(() => {
      watchErrors({}, () => undefined);
    }).toThrow(TypeError);
  });
});
