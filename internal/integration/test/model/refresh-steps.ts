import type { Random } from '@framework-internal/testing';
import { expect } from '@jest/globals';
import type { Answer } from '../harness.ts';
import type { ModelProcess } from './model-process.ts';
import type { ModelWorld } from './model-world.ts';
import type { Family, SessionModel } from './session-model.ts';
import { statusExpecter, tokensOf, type Step } from './step.ts';

/** Milliseconds in which a token that another process replaced may have been on its way, whatever the clocks say: half of what it is. */
const ON_THE_WAY = 30_000;

/** What a refresh token that comes again is to bring about. */
type Again = 'ends' | 'is refused' | 'unknown';

/** @returns the steps that refresh sessions, by name */
export function refreshSteps(model: SessionModel, world: ModelWorld, random: Random): Readonly<Record<string, Step>> {
  const expectStatus = statusExpecter(model);
  const refresh = (family: Family, at: ModelProcess): Promise<Answer> =>
    world.settled(() => world.refresh(family.refresh, family.user.service, at));

  /** Only the process that has answered knows that the answer left before; to the others both may have come at one time. */
  const meaning = ({ before, giver }: Family, token: string, at: ModelProcess): Again => {
    if (token !== before.at(-1) || giver?.url === at.url) return 'ends';
    return giver !== undefined && performance.now() - giver.at < ON_THE_WAY ? 'is refused' : 'unknown';
  };

  return {
    refresh: async () => {
      const family = random.oneIn(3) ? model.any() : model.living();
      if (!family) return;
      const at = world.any();
      const giver = world.giver(at);
      const answer = await refresh(family, at);
      expectStatus(answer, family.ended === undefined ? 201 : 401, `a refresh after: ${family.why}`);
      if (answer.status === 201) model.refreshed(family, tokensOf(answer), giver);
    },
    'refresh again': async () => {
      const family = model.living(({ before }) => before.length > 0);
      if (!family) return;
      const token = random.oneIn(2) ? family.before.at(-1)! : random.pick(family.before);
      const at = world.any();
      const again = meaning(family, token, at);
      world.took(`again: ${again}`);
      const answer = await world.settled(() => world.refresh(token, family.user.service, at));
      // An answer that was not noted is given again: the same one.
      const repeated = answer.status === 201 && again === 'unknown';
      if (repeated) expect([model.step, tokensOf(answer).refreshToken]).toEqual([model.step, family.refresh]);
      else expectStatus(answer, 401, 'a refresh token that was used');
      const next = await refresh(family, world.any());
      const lives = again === 'is refused' || repeated || (again === 'unknown' && next.status === 201);
      expectStatus(next, lives ? 201 : 401, `the family of a refresh token that came again (${again})`);
      if (lives) model.refreshed(family, tokensOf(next));
      else model.end((one) => one === family);
    },
    'refresh everywhere at once': async () => {
      await world.setFailing(false);
      const family = model.living();
      if (!family) return;
      const answers = await Promise.all(world.processes.map((at) => world.refresh(family.refresh, family.user.service, at)));
      const winners = answers.filter(({ status }) => status === 201);
      expect([model.step, new Set(winners.map((answer) => tokensOf(answer).refreshToken)).size]).toEqual([model.step, 1]);
      const winner = winners.length === 1 ? world.processes[answers.indexOf(winners[0]!)]?.url : undefined;
      model.refreshed(family, tokensOf(winners[0]!), winner);
    },
    'refresh elsewhere': async () => {
      const family = model.any();
      if (!family) return;
      const other = family.user.service === 'authentication' ? 'admin-authentication' : 'authentication';
      expectStatus(await world.settled(() => world.refresh(family.refresh, other)), 401, 'a refresh at another service');
    },
    'refresh while users can not be read': async () => {
      const family = model.living();
      if (!family) return;
      const at = world.any();
      const { service } = family.user;
      const failed = await world.withoutUsers(at, () => world.refresh(family.refresh, service, at));
      expectStatus(failed, 500, 'a refresh without users');
      // Nothing was written, so nothing remembers who asked: the token counts for another program too.
      const answer = await world.refresh(family.refresh, service, world.any(), 'another program');
      expectStatus(answer, 201, 'a refresh after one that failed');
      model.refreshed(family, tokensOf(answer));
    },
  };
}
