import { Random } from '@framework-internal/testing';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { DocDbLimiterStore } from '@framework/adapter-docdb';
import { nextAttempt, withoutAttempt, type AttemptAnswer, type AttemptState } from '@framework/authentication';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

let database: TestDatabase;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.close());

describe('S22 the limiter store of the adapter', () => {
  it('follows the rule of the package, step by step, for locks and for delays', async () => {
    const collection = database.db.collection<{ _id: string } & AttemptState>('rules');
    const seed = Number(process.env.RULE_SEED ?? 20_261);
    const random = new Random(seed);
    const store = new DocDbLimiterStore(collection as never);
    await store.reset('none');
    // The database takes away what has ended, at any moment: also between two looks at it.
    await collection.dropIndex('purgeAt_1');
    let [admitted, refused, expired, kept, freed] = [0, 0, 0, 0, 0];
    const given = new Map<string, AttemptAnswer>();
    for (let step = 0; step < 600; step++) {
      const key = `key ${random.below(3)}`;
      const rule = { attempts: 1 + random.below(4), window: random.pick([50, 60_000]), delay: random.pick([null, 20, 1000]) };
      const stored = await collection.findOne({ _id: key });
      // Time passes, and clocks are put back, by moving what is stored, so that nothing depends on how long a step takes.
      const past = random.pick([0, 500, 100_000, -300_000]);
      if (stored) await collection.updateOne({ _id: key }, { $inc: { readyAt: -past, resetAt: -past } });
      const state = stored ? { ...stored, readyAt: stored.readyAt - past, resetAt: stored.resetAt - past } : undefined;
      const before = Date.now();
      const answer = await store.attempt(key, rule);
      const possible = Array.from({ length: Date.now() - before + 1 }, (_, more) => nextAttempt(state, rule, before + more));
      const { count, refused: held, readyAt, resetAt } = (await collection.findOne({ _id: key })) as AttemptState;
      // oxlint-disable-next-line tests/no-wall-clock -- Any length of the step will do: the store has counted at one of its milliseconds.
      expect(possible).toContainEqual(expect.objectContaining({ count, refused: held, readyAt, resetAt }));
      expect(answer).toEqual({ admitted: held === 0, refused: held, readyAt });
      if (answer.admitted) admitted += 1;
      else refused += 1;
      if (state && state.resetAt <= before) expired += 1;
      // Some attempts are taken back, at once or after another one.
      const slow = given.get(key);
      given.delete(key);
      if (random.oneIn(3)) given.set(key, answer);
      else if (slow && held === 0) {
        const left = withoutAttempt({ count, refused: held, readyAt, resetAt }, rule, slow);
        await store.restore(key, rule, slow);
        expect(await collection.findOne({ _id: key })).toMatchObject({ count: left.count, readyAt: left.readyAt });
        if (left.readyAt === 0) freed += 1;
        else kept += 1;
      }
    }
    process.stdout.write(
      `limiter rule: seed ${seed}, ${admitted} admitted, ${refused} held back, ${expired} begun anew, ${kept} delays kept, ${freed} freed\n`,
    );
    for (const variety of [admitted, refused, expired]) expect(variety).toBeGreaterThan(10);
    for (const variety of [kept, freed]) expect(variety).toBeGreaterThan(3);
  });
});
