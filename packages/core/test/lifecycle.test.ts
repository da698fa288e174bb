import { describe, expect, it } from '@jest/globals';
import { framework } from '../src/index.ts';

const logging = (log: string[], name: string) => ({
  async find(): Promise<string[]> {
    return [name];
  },
  async setup(_app: unknown, path: string): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 5));
    log.push(`setup ${path}`);
  },
  async teardown(_app: unknown, path: string): Promise<void> {
    log.push(`teardown ${path}`);
  },
});

describe('setup and teardown', () => {
  it('run one after the other in the order of registration, and resolve with the application', async () => {
    const log: string[] = [];
    const app = framework().use('a', logging(log, 'a')).use('b', logging(log, 'b'));
    await expect(app.setup()).resolves.toBe(app);
    await expect(app.teardown()).resolves.toBe(app);
    expect(log).toEqual(['setup a', 'setup b', 'teardown a', 'teardown b']);
  });

  it('have around hooks with app and server', async () => {
    const log: unknown[] = [];
    const app = framework();
    app.use('a', logging(log as string[], 'a'));
    app.hooks({
      setup: [
        async (context, next) => {
          log.push([context.app === app, context.server]);
          await next();
          log.push('after');
        },
      ],
      teardown: async (_context, next) => {
        log.push('teardown hook');
        await next();
      },
    });
    await app.setup('the server');
    await app.teardown();
    expect(log).toEqual([[true, 'the server'], 'setup a', 'after', 'teardown hook', 'teardown a']);
  });

  it('reject with the error of a service', async () => {
    const app = framework().use('a', {
      async find() {
        return [];
      },
      async setup() {
        throw new Error('no database');
      },
    });
    await expect(app.setup()).rejects.toThrow('no database');
  });
});

describe('a service that is added after setup', () => {
  it('is set up, and calls wait for it', async () => {
    const log: string[] = [];
    const app = framework();
    await app.setup();
    app.use('late', logging(log, 'late'));
    const result = app
      .service('late')
      .find({})
      .then((found) => {
        log.push('found');
        return found;
      });
    await expect(result).resolves.toEqual(['late']);
    expect(log).toEqual(['setup late', 'found']);
  });

  it('can call itself while it is set up', async () => {
    const app = framework();
    await app.setup();
    app.use('late', {
      async find(): Promise<string[]> {
        return ['x'];
      },
      async setup(): Promise<void> {
        await app.service('late').find();
      },
    });
    await expect(app.service('late').find()).resolves.toEqual(['x']);
  });

  it('gives the error of its setup to those who call it', async () => {
    const app = framework();
    await app.setup();
    app.use('late', {
      async find() {
        return [];
      },
      async setup() {
        throw new Error('broken');
      },
    });
    await expect(app.service('late').find()).rejects.toThrow('broken');
  });
});
