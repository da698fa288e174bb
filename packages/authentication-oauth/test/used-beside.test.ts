import { framework } from '@framework/core';
import { expect, it } from '@jest/globals';
import { OAuthHost } from '../src/host.ts';

/** Takes a token at the authentication service of each application in turn. @returns whether each took it for the first time, wherever it counts */
async function taken(applications: readonly object[], token: string): Promise<boolean[]> {
  const answers: boolean[] = [];
  for (const app of applications) {
    const counts = new OAuthHost(app as never, 'authentication', 'jwt').usedBeside.map((used) => used.first('id-token', token, 60));
    answers.push((await Promise.all(counts)).every(Boolean));
  }
  return answers;
}

it('O16 an ID token counts once for all applications that lie in one, also where others lie in several', async () => {
  const [outer, other, both, beside, apart] = [framework(), framework(), framework(), framework(), framework()];
  outer.use('/both', both);
  other.use('/both', both);
  other.use('/beside', beside);
  expect(await taken([both, beside], 'a')).toEqual([true, false]);
  expect(await taken([beside, both], 'b')).toEqual([true, false]);
  expect(await taken([outer, both, other], 'c')).toEqual([true, false, false]);
  expect(await taken([both, apart, apart], 'd')).toEqual([true, true, false]);
});

it('O16 counts once in what is no application of this framework, too', async () => {
  const [one, other] = [{}, {}];
  expect(await taken([one, one, other], 'a')).toEqual([true, false, true]);
});
