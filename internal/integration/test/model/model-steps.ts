import type { Random } from '@framework-internal/testing';
import { expect } from '@jest/globals';
import type { Answer } from '../harness.ts';
import type { ModelWorld } from './model-world.ts';
import { SERVICES, type SessionModel, type Tokens, type User } from './session-model.ts';

/** A step: does something to the processes, says so to the model, and expects what the model expects. */
export type Step = () => Promise<void>;

/** Where a process that writes a user kills itself. */
const POINTS = ['after user', 'before epoch', 'after epoch', 'before changes'];

const tokensOf = ({ body }: Answer): Tokens => body as Tokens;

/** @returns the steps of the model by name */
export function modelSteps(model: SessionModel, world: ModelWorld, random: Random): Readonly<Record<string, Step>> {
  const expectStatus = (answer: Answer, status: number, what: string): void =>
    expect([model.step, what, answer.status]).toEqual([model.step, what, status]);
  const newPassword = (user: User): string => `password ${random.below(1_000_000)} of ${user.email}`;
  const disable = (user: User): { disabled: boolean } => ({ disabled: !user.disabled });

  /** Notes what has become of a user. */
  const changed = (user: User, change: { password?: string; disabled?: boolean }): void => {
    Object.assign(user, change);
    if (change.disabled !== false) model.end((family) => family.user === user);
  };

  return {
    login: async () => {
      const user = random.pick(model.users);
      const answer = await world.settled(() => world.logIn(user));
      expectStatus(answer, user.disabled ? 401 : 201, 'a login');
      if (answer.status === 201) model.begin(user, tokensOf(answer));
    },
    refresh: async () => {
      const family = model.any();
      if (!family) return;
      const answer = await world.settled(() => world.refresh(family.refresh, family.user.service));
      expectStatus(answer, family.ended === undefined ? 201 : 401, `a refresh after: ${family.why}`);
      if (answer.status === 201) model.refreshed(family, tokensOf(answer));
    },
    'refresh again': async () => {
      const family = model.living(({ before }) => before.length > 0);
      if (!family) return;
      const token = random.pick(family.before);
      const isLast = token === family.before.at(-1);
      expectStatus(await world.settled(() => world.refresh(token, family.user.service)), 401, 'a refresh token that was used');
      // The last one may have been on its way when it came a second time: then nothing has ended.
      const next = await world.settled(() => world.refresh(family.refresh, family.user.service));
      if (next.status === 201 && isLast) return model.refreshed(family, tokensOf(next));
      expectStatus(next, 401, 'the family of a refresh token that was used twice');
      model.end((one) => one === family);
    },
    'refresh everywhere at once': async () => {
      await world.setFailing(false);
      const family = model.living();
      if (!family) return;
      const answers = await Promise.all(world.processes.map((at) => world.refresh(family.refresh, family.user.service, at)));
      const winners = answers.filter(({ status }) => status === 201);
      expect([model.step, new Set(winners.map((answer) => tokensOf(answer).refreshToken)).size]).toEqual([model.step, 1]);
      model.refreshed(family, tokensOf(winners[0] as Answer));
    },
    'refresh elsewhere': async () => {
      const family = model.any();
      if (!family) return;
      const other = family.user.service === 'authentication' ? 'admin-authentication' : 'authentication';
      expectStatus(await world.settled(() => world.refresh(family.refresh, other)), 401, 'a refresh at another service');
    },
    logout: async () => {
      const family = model.living();
      if (!family) return;
      const byToken = random.oneIn(2);
      const answer = await world.settled(() => world.logOut(family, byToken));
      // Where the first try has ended it and could not say so, the second finds nothing to end.
      expect([model.step, [200, 401].includes(answer.status)]).toEqual([model.step, true]);
      model.end((one) => one === family);
    },
    'end all': async () => {
      const user = random.pick(model.users);
      await world.ordered('endAll', { service: user.service, id: user.id });
      model.end((family) => family.user === user);
    },
    'change password': async () => {
      const user = random.pick(model.users);
      const data = { password: newPassword(user) };
      await world.ordered('patch', { service: SERVICES[user.service], id: user.id, data });
      changed(user, data);
    },
    'disable or enable': async () => {
      const user = random.pick(model.users);
      const data = disable(user);
      await world.ordered('patch', { service: SERVICES[user.service], id: user.id, data });
      changed(user, data);
    },
    'die while a user is written': async () => {
      await world.setFailing(false);
      const user = random.pick(model.users);
      const data = random.oneIn(2) ? { password: newPassword(user) } : disable(user);
      const before = await world.stored(user);
      const dying = world.any();
      const { kind } = await dying.order('patch', { service: SERVICES[user.service], id: user.id, data, dieAt: random.pick(POINTS) });
      if ((await world.stored(user)) !== before) changed(user, data);
      if (kind === 'dead') await dying.start();
    },
    'kill a process': async () => {
      await world.setFailing(false);
      const dying = world.any();
      const family = model.living();
      const answer = family && world.refresh(family.refresh, family.user.service, dying).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, random.below(25)));
      await dying.kill();
      const given = await answer;
      if (family && given?.status === 201) model.refreshed(family, tokensOf(given));
      else if (family) {
        // Its answer is lost, and costs nothing.
        const other = random.pick(world.processes.filter((one) => one !== dying));
        const again = await world.refresh(family.refresh, family.user.service, other);
        expectStatus(again, 201, 'a refresh whose answer was lost');
        model.refreshed(family, tokensOf(again));
      }
      await dying.start();
    },
    'let the stores fail': async () => {
      await world.setFailing(!world.isFailing);
    },
  };
}

/** How often each step is taken; 1 for those that are not named. */
export const WEIGHTS: Readonly<Record<string, number>> = {
  login: 16,
  refresh: 14,
  'refresh again': 3,
  'refresh everywhere at once': 3,
  'refresh elsewhere': 3,
  logout: 4,
  'let the stores fail': 4,
};
