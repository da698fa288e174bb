import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DocDbIdempotencyStore } from '../../src/index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startDatabase({ monitorCommands: true });
});
afterAll(() => database.close());

const LONG = 60_000;
const held = (key: string, holder = 'me'): { key: string; holder: string } => ({ key, holder });
const storeAt = (name: string): DocDbIdempotencyStore => new DocDbIdempotencyStore(database.db.collection(name));

describe('DocDbIdempotencyStore', () => {
  it('takes a key once, keeps what came of its call, and gives it back', async () => {
    const store = storeAt('calls');
    expect(await store.take(held('a'), 'f', LONG)).toBe(undefined);
    expect(await store.take(held('a', 'other'), 'g', LONG)).toMatchObject({ fingerprint: 'f', outcome: undefined });
    await store.keep(held('a'), '{"kind":"made"}');
    expect(await store.take(held('a', 'other'), 'f', LONG)).toMatchObject({ fingerprint: 'f', outcome: '{"kind":"made"}' });
    expect(await store.take(held('b'), 'g', LONG)).toBe(undefined);
    await store.free(held('a'));
    expect(await store.take(held('a', 'other'), 'g', LONG)).toBe(undefined);
  });

  it('leaves a key alone that another call has', async () => {
    const store = storeAt('others');
    await store.take(held('a'), 'f', LONG);
    await store.keep(held('a', 'other'), 'of the other one');
    await store.free(held('a', 'other'));
    expect(await store.take(held('a', 'third'), 'f', LONG)).toMatchObject({ fingerprint: 'f', outcome: undefined });
    await store.keep(held('none'), 'of nobody');
    await store.free(held('none'));
    expect(await store.take(held('none'), 'f', LONG)).toBe(undefined);
  });

  it('takes a key that has ended anew, with nothing of the call before', async () => {
    const store = storeAt('ended');
    await store.take(held('a'), 'before', LONG);
    await store.keep(held('a'), 'of the call before');
    await database.db.collection('ended').updateOne({}, { $set: { until: new Date(Date.now() - 1) } });
    expect(await store.take(held('a', 'next'), 'now', LONG)).toBe(undefined);
    await store.keep(held('a'), 'late');
    await store.free(held('a'));
    expect(await store.take(held('a', 'third'), 'now', LONG)).toMatchObject({ fingerprint: 'now', outcome: undefined });
  });

  it('tells how long ago a key was taken, by the clock of the database', async () => {
    const store = storeAt('ages');
    await store.take(held('a'), 'f', LONG);
    expect((await store.take(held('a', 'other'), 'f', LONG))?.age).toBeGreaterThanOrEqual(0);
    const hour = 3_600_000;
    await database.db.collection('ages').updateOne({}, [{ $set: { since: { $subtract: ['$since', hour] } } }]);
    const age = (await store.take(held('a', 'third'), 'f', LONG))?.age;
    expect(age).toBeGreaterThanOrEqual(hour);
    expect(age).toBeLessThan(2 * hour);
    await database.db.collection('ages').updateOne({}, { $set: { until: new Date(Date.now() - 1) } });
    await store.take(held('a', 'next'), 'g', LONG);
    expect((await store.take(held('a', 'last'), 'g', LONG))?.age).toBeLessThan(hour);
  });

  it('takes a key for as long as it is told, by the clock of the database, which removes it then', async () => {
    await storeAt('times').take(held('a'), 'f', 5000);
    const [record] = await database.db
      .collection('times')
      .aggregate([{ $project: { left: { $subtract: ['$until', '$$NOW'] } } }])
      .toArray();
    expect(record?.left).toBeGreaterThan(0);
    expect(record?.left).toBeLessThanOrEqual(5000);
    expect(await database.db.collection('times').indexes()).toContainEqual(
      expect.objectContaining({ key: { until: 1 }, expireAfterSeconds: 0 }),
    );
  });

  it('gives a key to one of many calls at once from several processes, with one command each', async () => {
    const stores = Array.from({ length: 4 }, () => storeAt('many'));
    await Promise.all(stores.map((store) => store.free(held('none'))));
    const commands: string[] = [];
    const note = ({ commandName }: { commandName: string }): number => commands.push(commandName);
    database.client.on('commandStarted', note);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => stores[index % 4]!.take(held('a', `call ${index}`), `f ${index}`, LONG)),
    );
    database.client.off('commandStarted', note);
    const winner = answers.indexOf(undefined);
    expect(answers.filter((answer) => answer !== undefined)).toEqual(
      Array.from({ length: 39 }, () => ({ fingerprint: `f ${winner}`, outcome: undefined, age: expect.any(Number) })),
    );
    expect(new Set(commands)).toEqual(new Set(['findAndModify']));
  });

  it('takes names for texts that the database would read as fields', async () => {
    const store = storeAt('texts');
    expect(await store.take(held('$a', '$until'), '$holder', LONG)).toBe(undefined);
    await store.keep(held('$a', '$until'), '$$ROOT');
    expect(await store.take(held('$a', '$$NOW'), 'f', LONG)).toMatchObject({ fingerprint: '$holder', outcome: '$$ROOT' });
  });

  it('tries again after it could not connect', async () => {
    let reachable = false;
    const store = new DocDbIdempotencyStore(async () => {
      if (!reachable) throw new Error('no database');
      return database.db.collection('later');
    });
    await expect(store.take(held('a'), 'f', LONG)).rejects.toThrow('no database');
    reachable = true;
    expect(await store.take(held('a'), 'f', LONG)).toBe(undefined);
  });
});
