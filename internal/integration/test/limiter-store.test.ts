import { Random } from '@framework-internal/testing';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { randomBytes } from 'node:crypto';
import { DocDbLimiterStore } from '@framework/adapter-docdb';
import {
  AuthenticationBaseStrategy,
  AuthenticationService,
  nextAttempt,
  withoutAttempt,
  type AttemptAnswer,
  type AttemptState,
} from '@framework/authentication';
import { framework } from '@framework/core';
import { NotAuthenticated } from '@framework/errors';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

/** Refuses every login. */
class Wrong extends AuthenticationBaseStrategy {
  accountOf({ email }: { email?: unknown }): string {
    return String(email);
  }

  async authenticate(): Promise<never> {
    throw new NotAuthenticated('Invalid login');
  }
}

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
      const waits = possible.map((_, more) => Math.max(0, readyAt - before - more));
      expect(answer).toEqual({ admitted: held === 0, refused: held, readyAt, wait: answer.wait });
      // oxlint-disable-next-line tests/no-wall-clock -- As above.
      expect(waits).toContainEqual(answer.wait);
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

  it.each([
    ['ahead', 3_600_000],
    ['behind', -3_600_000],
  ])('tells how long a login is held back by its own clock, also to a process whose clock is an hour %s', async (_how, milliseconds) => {
    const app = framework();
    app.set('authentication', {
      secret: randomBytes(48).toString('base64'),
      entity: null,
      authStrategies: ['wrong'],
      limiter: {
        account: { attempts: 1, window: '10m', delay: '5m' },
        address: false,
        store: new DocDbLimiterStore(database.db.collection(`clocks${String(milliseconds)}`)),
      },
    });
    const authentication = new AuthenticationService(app);
    authentication.register('wrong', new Wrong());
    app.use('authentication', authentication);
    await app.setup();
    const logIn = async (): Promise<unknown> =>
      app
        .service('authentication')
        .create({ strategy: 'wrong', email: 'ann@example.com' }, { provider: 'rest' })
        .catch((error: unknown) => error);
    expect(await logIn()).toMatchObject({ code: 401 });
    const present = Date.now();
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => present + milliseconds);
    const held = await logIn();
    clock.mockRestore();
    // A minute for a machine that is slow.
    expect(held).toMatchObject({ code: 429, data: { retryAfter: expect.any(Number) } });
    const waits = Array.from({ length: 60 }, (_, late) => ({ retryAfter: 300 - late }));
    expect(waits).toContainEqual(Reflect.get(Object(held), 'data'));
  });
});
