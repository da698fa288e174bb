import { Random, startDatabase, type TestDatabase } from '@framework-internal/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { send, sendJson, type Answer } from './harness.ts';
import { ModelProcess } from './model-process.ts';
import { bearer } from './session-server.ts';

/** 200 steps in the suite, 10,000 by `pnpm --filter @framework-internal/integration model`. */
const STEPS = Number(process.env.MODEL_STEPS ?? 200);
const SEED = Number(process.env.MODEL_SEED ?? 16_2026);
const CLOCKS = [-5000, 0, 5000];
const SERVICES = ['authentication', 'admin-authentication'] as const;
type Service = (typeof SERVICES)[number];

/** A user as the model knows it. */
interface User {
  readonly service: Service;
  readonly entities: string;
  readonly id: string;
  readonly email: string;
  password: string;
  disabled: boolean;
}

/** A login as the model knows it. */
interface Family {
  readonly user: User;
  access: string;
  refresh: string;
  /** Refresh tokens before, the latest last. */
  readonly before: string[];
  /** When it ended, by the clock of this process; `undefined` while it lives. */
  ended: number | undefined;
  /** The step that ended it, for the message of a failure. */
  why: string;
}

let database: TestDatabase;
let processes: ModelProcess[];
const users: User[] = [];
beforeAll(async () => {
  database = await startDatabase();
  processes = CLOCKS.map((clock) => new ModelProcess(database, clock));
  await Promise.all(processes.map((one) => one.start()));
  const first = processes[0] as ModelProcess;
  for (const [index, service] of SERVICES.entries()) {
    const entities = index === 0 ? 'users' : 'admins';
    for (const name of ['ann', 'bob']) {
      const user = { service, entities, email: `${name}@example.com`, password: 'first password', disabled: false };
      const { body } = await sendJson(first.url, 'POST', `/${entities}`, { email: user.email, password: user.password });
      users.push({ ...user, id: String((body as { _id: string })._id) });
    }
  }
}, 60_000);
afterAll(async () => {
  for (const one of processes) one.stop();
  await database.close();
});

it(
  `sessions follow a simple model through ${STEPS} random steps`,
  async () => {
    const random = new Random(SEED);
    const families: Family[] = [];
    const counts: Record<string, number> = {};
    const count = (what: string): void => void (counts[what] = (counts[what] ?? 0) + 1);
    let failing = false;
    let failures = 0;

    const at = (): ModelProcess => random.pick(processes);
    const alive = (): Family[] => families.filter(({ ended }) => ended === undefined);
    let step = 0;
    let name = '';
    const end = (which: (family: Family) => boolean): void => {
      for (const family of families) {
        if (family.ended === undefined && which(family))
          Object.assign(family, { ended: performance.now(), why: `${name} in step ${step}` });
      }
    };
    const setFailing = async (share: number): Promise<void> => {
      for (const one of processes) {
        const { value } = await one.order('fail', { share });
        failures += share === 0 && failing ? (value as { failures: number }).failures : 0;
      }
      failing = share > 0;
    };
    /** Does something, and once more without failures when the store failed: what failed must have cost nothing. */
    const settled = async (work: () => Promise<Answer>): Promise<Answer> => {
      const answer = await work();
      if (answer.status < 500) return answer;
      expect(failing).toBe(true);
      count('a failure of the store');
      await setFailing(0);
      const again = await work();
      expect(again.status).toBeLessThan(500);
      return again;
    };
    const order = async (name: string, options: object): Promise<void> => {
      for (const share of [undefined, 0]) {
        if (share !== undefined) await setFailing(share);
        const { error } = await at().order(name, options);
        if (error === undefined) return;
        expect(failing).toBe(true);
      }
      throw new Error(`${name} failed without a reason`);
    };
    const refresh = (token: string, service: Service, where: ModelProcess = at()): Promise<Answer> =>
      sendJson(where.url, 'POST', `/${service}`, { strategy: 'refresh', refreshToken: token });
    const take = (family: Family, { body }: Answer): void => {
      family.before.push(family.refresh);
      family.access = (body as { accessToken: string }).accessToken;
      family.refresh = (body as { refreshToken: string }).refreshToken;
    };
    const check = async (family: Family): Promise<void> => {
      const { access, user, ended } = family;
      if (ended !== undefined && performance.now() - ended < 1000) return;
      const answer = await settled(() => send(at().url, `/${user.service}-echo`, { headers: bearer(access) }));
      count(ended === undefined ? 'access while it lives' : 'access after its end');
      expect([family.why, step, answer.status]).toEqual([family.why, step, ended === undefined ? 200 : 401]);
    };

    const steps: Record<string, () => Promise<void>> = {
      login: async () => {
        const user = random.pick(users);
        const data = { strategy: 'local', email: user.email, password: user.password };
        const answer = await settled(() => sendJson(at().url, 'POST', `/${user.service}`, data));
        expect(answer.status).toBe(user.disabled ? 401 : 201);
        if (answer.status === 201)
          families.push({
            user,
            access: answer.body.accessToken,
            refresh: answer.body.refreshToken,
            before: [],
            ended: undefined,
            why: 'alive',
          });
      },
      refresh: async () => {
        const family = random.pick(families);
        if (!family) return;
        const answer = await settled(() => refresh(family.refresh, family.user.service));
        expect([family.why, step, answer.status]).toEqual([family.why, step, family.ended === undefined ? 201 : 401]);
        if (answer.status === 201) take(family, answer);
      },
      'refresh again': async () => {
        const family = random.pick(alive().filter(({ before }) => before.length > 0));
        if (!family) return;
        const token = random.pick(family.before);
        expect((await settled(() => refresh(token, family.user.service))).status).toBe(401);
        // A token that came a second time a moment ago may have been on its way: then nothing has ended.
        const next = await settled(() => refresh(family.refresh, family.user.service));
        const isLast = token === family.before.at(-1);
        if (next.status === 201 && isLast) take(family, next);
        else {
          expect(next.status).toBe(401);
          end((one) => one === family);
        }
      },
      'refresh elsewhere': async () => {
        const family = random.pick(families);
        if (!family) return;
        const other = family.user.service === 'authentication' ? 'admin-authentication' : 'authentication';
        expect((await settled(() => refresh(family.refresh, other))).status).toBe(401);
      },
      logout: async () => {
        const family = random.pick(alive());
        if (!family) return;
        const byToken = random.oneIn(2);
        const headers = byToken ? bearer(family.access) : { 'content-type': 'application/json' };
        const body = byToken ? {} : { body: JSON.stringify({ refreshToken: family.refresh }) };
        const answer = await settled(() => send(at().url, `/${family.user.service}`, { method: 'DELETE', headers, ...body }));
        // Where the first try has ended it and could not say so, the second finds nothing to end.
        expect([200, 401]).toContain(answer.status);
        end((one) => one === family);
      },
      'end all': async () => {
        const user = random.pick(users);
        await order('endAll', { service: user.service, id: user.id });
        end((family) => family.user === user);
      },
      'change password': async () => {
        const user = random.pick(users);
        const password = `password ${random.below(1_000_000)} of ${user.email}`;
        await order('patch', { service: user.entities, id: user.id, data: { password } });
        user.password = password;
        end((family) => family.user === user);
      },
      'disable or enable': async () => {
        const user = random.pick(users);
        user.disabled = !user.disabled;
        await order('patch', { service: user.entities, id: user.id, data: { disabled: user.disabled } });
        if (user.disabled) end((family) => family.user === user);
      },
      'kill a process': async () => {
        await setFailing(0);
        const dying = at();
        const family = random.pick(alive());
        const answer = family && refresh(family.refresh, family.user.service, dying).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, random.below(25)));
        await dying.kill();
        const given = await answer;
        if (family && given?.status === 201) take(family, given);
        else if (family) {
          // Its answer is lost, and costs nothing.
          const again = await refresh(family.refresh, family.user.service, random.pick(processes.filter((one) => one !== dying)));
          expect(again.status).toBe(201);
          take(family, again);
        }
        await dying.start();
      },
      'let the store fail': async () => {
        await setFailing(failing ? 0 : 0.2);
      },
    };
    const plan = Object.keys(steps).flatMap((name) => Array.from({ length: WEIGHTS[name] ?? 1 }, () => name));

    for (; step < STEPS; step++) {
      name = random.pick(plan);
      count(name);
      await (steps[name] as () => Promise<void>)();
      for (let round = 0; round < 2 && families.length > 0; round++) await check(random.pick(families));
      // The model stays small: what ended long ago has been checked.
      if (families.length > 60) families.splice(0, 20);
    }
    await setFailing(0);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    for (const family of families) await check(family);

    process.stdout.write(`model: seed ${SEED}, ${STEPS} steps, store failures ${failures}, ${JSON.stringify(counts)}\n`);
    for (const name of Object.keys(steps)) expect([name, (counts[name] ?? 0) > 0]).toEqual([name, true]);
    for (const what of ['access while it lives', 'access after its end', 'a failure of the store'])
      expect([what, (counts[what] ?? 0) > 2]).toEqual([what, true]);
  },
  Math.max(240_000, STEPS * 1000),
);

const WEIGHTS: Readonly<Record<string, number>> = {
  login: 12,
  refresh: 12,
  'refresh again': 3,
  'refresh elsewhere': 3,
  logout: 4,
  'let the store fail': 4,
};
