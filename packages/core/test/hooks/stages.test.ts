import { describe, expect, it } from '@jest/globals';
import { framework, guard, type HookContext, type NextFunction } from '../../src/index.ts';

const log: string[] = [];
const around =
  (name: string) =>
  async (_context: HookContext, next: NextFunction): Promise<void> => {
    log.push(`${name} >`);
    await next();
    log.push(`< ${name}`);
  };
const plain = (name: string) => (): void => {
  log.push(name);
};
const extension = {
  outerHooks: [around('outer')],
  inputHooks: { around: { all: [around('input')] } },
  innerHooks: { around: { all: [around('inner')] } },
};
const makeService = () => ({
  async get(id: number): Promise<{ id: number }> {
    log.push('method');
    return { id };
  },
});

/** Each stage that a hook can stand in, outermost first. */
const STAGES = ['outer', 'application around', 'application before', 'untyped', 'around', 'guard', 'input', 'before', 'inner', 'method'];

function appWithAllStages() {
  const app = framework();
  app.use('x', makeService(), { schema: extension });
  app.hooks({ around: [around('application around')], before: [plain('application before')], after: [plain('application after')] });
  const service = app.service('x');
  service.hooks({
    around: { get: [around('around')] },
    before: { all: [plain('before all')], get: [plain('before'), guard(plain('guard'))] },
    after: { get: [plain('after')] },
  });
  service.hooks([around('untyped')]);
  return app;
}

describe('the stages of a call (decisions 0014)', () => {
  it('stand in one order, whatever order they were registered in', async () => {
    const app = appWithAllStages();
    log.length = 0;
    await app.service('x').get(1);
    expect(log).toEqual([
      'outer >',
      'application around >',
      'application before',
      'untyped >',
      'around >',
      'guard',
      'input >',
      'before all',
      'before',
      'inner >',
      'method',
      '< inner',
      'after',
      '< input',
      '< around',
      '< untyped',
      'application after',
      '< application around',
      '< outer',
    ]);
    expect(log.filter((line) => STAGES.includes(line.replace(' >', ''))).map((line) => line.replace(' >', ''))).toEqual(STAGES);
  });

  it('let a guard refuse a call before anything is checked of it', async () => {
    const app = framework();
    app.use('x', makeService(), { schema: extension });
    app.service('x').hooks({
      before: {
        all: [plain('before all')],
        get: [
          guard(() => {
            throw new Error('refused');
          }),
        ],
      },
      error: { all: [plain('error all')], get: [plain('error')] },
    });
    log.length = 0;
    await expect(app.service('x').get(1)).rejects.toThrow('refused');
    expect(log).toEqual(['outer >', 'error all']);
  });

  it('give errors of the method to its error hooks, and what they leave to those for all methods', async () => {
    const app = framework();
    app.use('x', { get: (_id: number) => Promise.reject(new Error('fails')) }, { schema: extension });
    app.service('x').hooks({
      before: { all: [guard(plain('guard'))] },
      after: { all: [plain('after')] },
      error: { all: [plain('error all')], get: [plain('error')] },
    });
    log.length = 0;
    await expect(app.service('x').get(1)).rejects.toThrow('fails');
    expect(log).toEqual(['outer >', 'guard', 'input >', 'inner >', 'error', 'error all']);
  });

  it('are those of typed maps and of single methods in what came with the registration', async () => {
    const app = framework();
    const outer = { before: { get: [plain('outer before')] }, after: { all: [plain('outer after')] } };
    app.use('x', makeService(), { schema: { outerHooks: outer, innerHooks: { get: [around('inner get')], find: [around('never')] } } });
    log.length = 0;
    await app.service('x').get(1);
    expect(log).toEqual(['outer before', 'inner get >', 'method', '< inner get', 'outer after']);
  });
});
