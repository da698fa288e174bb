import { Random, Variety } from '@framework-internal/testing';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { ModelProcess } from './model-process.ts';
import { modelSteps, WEIGHTS } from './model-steps.ts';
import { ModelWorld } from './model-world.ts';
import type { Step } from './step.ts';
import { SERVICES, SessionModel, type Family, type ServiceName, type User } from './session-model.ts';

/** 200 steps in the suite, 10,000 by `pnpm --filter @framework-internal/integration model`. */
const STEPS = Number(process.env.MODEL_STEPS ?? 200);
const SEED = Number(process.env.MODEL_SEED ?? 162_026);
/** Milliseconds that the clocks of the processes are off. */
const CLOCKS = [-5000, 0, 5000];

let database: TestDatabase;
let processes: ModelProcess[];
let users: User[];
beforeAll(async () => {
  database = await startDatabase();
  processes = CLOCKS.map((clock) => new ModelProcess(database, clock));
  await Promise.all(processes.map((one) => one.start()));
  users = [];
  for (const name of ['ann', 'bob']) users.push(...(await createUsers(`${name}@example.com`)));
});
afterAll(async () => {
  await Promise.all(processes.map((one) => one.stop()));
  await database.close();
});

/** One for each service, with the same id and the same hash: the worst case for sessions that belong to one of them. */
async function createUsers(email: string): Promise<User[]> {
  const [id, password] = [String(new ObjectId()), 'first password'];
  await (processes[0] as ModelProcess).order('create', { service: 'users', data: { email, password } });
  const created = (await database.db.collection('users').findOneAndDelete({ email })) ?? {};
  for (const entities of Object.values(SERVICES)) await database.db.collection(entities).insertOne({ ...created, _id: new ObjectId(id) });
  return (Object.keys(SERVICES) as ServiceName[]).map((service) => ({ service, id, email, password, disabled: false }));
}

it(
  `sessions follow a simple model through ${STEPS} random steps`,
  async () => {
    // The steps themselves take numbers of their own: how one ends does not change which one is next.
    const [order, random, variety] = [new Random(SEED), new Random(SEED + 1), new Variety()];
    const model = new SessionModel(users, random);
    const world = new ModelWorld(database, processes, random, variety);
    const steps = modelSteps(model, world, random);
    const plan = Object.keys(steps).flatMap((name) => Array.from({ length: WEIGHTS[name] ?? 1 }, () => name));

    /** What has ended is refused a second later, by every process; what has not ended is accepted. */
    const check = async (family: Family | undefined): Promise<void> => {
      if (!family || (family.ended !== undefined && performance.now() - family.ended < 1000)) return;
      const { status } = await world.settled(() => world.use(family));
      variety.took(family.ended === undefined ? 'access while it lives' : 'access after its end');
      const found = `${model.step}, access after: ${family.why}`;
      expect([found, status]).toEqual([found, family.ended === undefined ? 200 : 401]);
    };

    for (let number = 0; number < STEPS; number++) {
      const name = order.pick(plan);
      model.step = `step ${number} of seed ${SEED}: ${name}`;
      variety.took(name);
      await (steps[name] as Step)();
      variety.tried(`${name}, ${model.families.map(({ ended }) => (ended === undefined ? 1 : 0)).join('')}, ${world.isFailing}`);
      await check(model.living());
      await check(model.any());
    }
    await world.setFailing(false);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    for (const family of model.families) await check(family);

    process.stdout.write(`${variety.report(`sessions, ${STEPS} steps`, SEED)}\n`);
    const least = Object.keys(steps).map((name): [string, number] => [name, Math.floor(((WEIGHTS[name] ?? 1) * STEPS) / 500)]);
    variety.expect(STEPS / 3, {
      ...Object.fromEntries(least),
      'access while it lives': STEPS / 4,
      'access after its end': STEPS / 4,
      'a failure of a store': STEPS / 100,
    });
  },
  Math.max(240_000, STEPS * 1000),
);
