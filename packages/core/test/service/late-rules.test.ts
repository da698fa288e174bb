import { describe, expect, it } from '@jest/globals';
import { framework, guard, PathRules, type Params } from '../../src/index.ts';

/** Rules that contradict what else is known of the records, which is found when they are fixed. */
class Contradicting extends PathRules {
  override freeze(): never {
    throw new Error('The data takes what is hidden');
  }
}

describe('a service that comes after setup, and whose rules can not be fixed', () => {
  it('refuses each call, and makes none without its hooks', async () => {
    const app = framework();
    await app.setup();
    let reached = 0;
    const find = async (_params?: Params): Promise<number> => ++reached;
    app.use('late', { find }, { schema: { outerHooks: {}, rules: new Contradicting() } });
    const refuse = (): never => {
      throw new Error('refused');
    };
    app.service('late').hooks({ before: { find: [guard(refuse)] } });
    for (const params of [{ provider: 'rest' }, { provider: 'rest' }, {}])
      await expect(app.service('late').find(params)).rejects.toThrow('The data takes what is hidden');
    expect(reached).toBe(0);
  });
});
