import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { answerBy, framework, guard, type HookContext, type NextFunction } from '../../src/index.ts';

it('the table of stages in the guide is the order of a call', async () => {
  const guide = readFileSync(new URL('../../../../docs/guides/schemas-and-relations.md', import.meta.url), 'utf8');
  const [, table = ''] = guide.split('| stage | what stands there |\n|---|---|\n');
  const said = [...table.matchAll(/^\| ([\w ]+) \|/gm)].map(([, stage]) => stage);

  const passed: string[] = [];
  const note = (stage: string) => (): void => void passed.push(stage);
  const around = (stage: string) => async (_context: HookContext, next: NextFunction) => {
    passed.push(stage);
    await next();
  };
  const app = framework();
  const outer = async (context: HookContext, next: NextFunction): Promise<void> => {
    passed.push('outer');
    await next();
    answerBy(context, async () => {
      passed.push('answer');
      return { id: 2 };
    });
  };
  const create = async (_data: object): Promise<object> => {
    passed.push('method');
    return { id: 1 };
  };
  const schema = { outerHooks: [outer], inputHooks: [around('input')], innerHooks: [around('inner')] };
  app.use('x', { create }, { schema });
  app.hooks({ around: [around('application around')] });
  app.service('x').hooks({ before: { create: [note('before'), guard(note('guard'))] }, around: { create: [around('around')] } });
  app.service('x').on('created', note('event'));
  expect(await app.service('x').create({})).toEqual({ id: 2 });
  expect(passed).toEqual(said);
});
