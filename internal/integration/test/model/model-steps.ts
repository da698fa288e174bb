import type { Random } from '@framework-internal/testing';
import { expect } from '@jest/globals';
import type { ModelWorld } from './model-world.ts';
import { refreshSteps } from './refresh-steps.ts';
import { SERVICES, type Family, type SessionModel, type User } from './session-model.ts';
import { statusExpecter, tokensOf, type Step } from './step.ts';

/** Where a process that writes a user kills itself. */
const POINTS = ['after user', 'before epoch', 'after epoch', 'before changes'];

/** @returns the steps of the model by name */
export function modelSteps(model: SessionModel, world: ModelWorld, random: Random): Readonly<Record<string, Step>> {
  const expectStatus = statusExpecter(model);
  const newPassword = (user: User): string => `password ${random.below(1_000_000)} of ${user.email}`;
  const disable = (user: User): { disabled: boolean } => ({ disabled: !user.disabled });

  /** Asks every process, so that each of them knows the session from now on. */
  const expectAccess = async (family: Family | undefined, status: number, what: string): Promise<void> => {
    if (family) for (const at of world.processes) expectStatus(await world.use(family, at), status, what);
  };

  /** Notes what has become of a user. */
  const changed = (user: User, change: { password?: string; disabled?: boolean }): void => {
    Object.assign(user, change);
    if (change.disabled !== false) model.end((family) => family.user === user);
  };

  return {
    ...refreshSteps(model, world, random),
    login: async () => {
      const user = random.pick(model.users);
      const answer = await world.settled(() => world.logIn(user));
      expectStatus(answer, user.disabled ? 401 : 201, 'a login');
      if (answer.status === 201) model.begin(user, tokensOf(answer));
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
      // Mostly somebody is enabled: who is disabled shows little.
      const disabled = model.users.filter((user) => user.disabled);
      const user = random.pick(disabled.length === 0 || random.oneIn(4) ? model.users : disabled);
      const data = disable(user);
      await world.ordered('patch', { service: SERVICES[user.service], id: user.id, data });
      changed(user, data);
    },
    'die while a user is written': async () => {
      await world.setFailing(false);
      // Of a user who is logged in, where there is one: else nothing can be seen.
      const user = model.living()?.user ?? random.pick(model.users);
      const data = random.oneIn(2) ? { password: newPassword(user) } : disable(user);
      const before = await world.stored(user);
      const family = model.living((one) => one.user === user);
      await expectAccess(family, 200, 'access before the write');
      const dying = world.any();
      const { kind } = await dying.order('patch', { service: SERVICES[user.service], id: user.id, data, dieAt: random.pick(POINTS) });
      if ((await world.stored(user)) !== before) changed(user, data);
      model.forget(dying.url);
      if (kind === 'dead') await dying.start();
      // What was written has ended it in that moment: nobody has to hear of it, and no second passes.
      if (family?.ended === undefined) return;
      if (user.disabled && random.oneIn(2)) {
        world.took('enabled after a death');
        await world.ordered('patch', { service: SERVICES[user.service], id: user.id, data: disable(user) });
        changed(user, { disabled: false });
      }
      if (random.oneIn(2)) expectStatus(await world.refresh(family.refresh, family.user.service), 401, 'a refresh after the write');
      else await expectAccess(family, 401, 'access after the write');
    },
    'kill a process': async () => {
      await world.setFailing(false);
      const dying = world.any();
      const family = model.living();
      model.forget(dying.url);
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
  refresh: 16,
  'refresh again': 4,
  'refresh everywhere at once': 3,
  'refresh elsewhere': 3,
  'refresh while users can not be read': 2,
  'die while a user is written': 2,
  'disable or enable': 2,
  logout: 4,
  'let the stores fail': 4,
};
