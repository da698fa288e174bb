import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Document, Long } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
  await harness.db.collection('many').insertMany(Array.from({ length: 20_000 }, (_none, n) => ({ n })));
});
afterAll(() => harness.stop());

/** Takes minutes, also on a fast machine, and finds nothing behind the first document. */
const SLOW = { $expr: { $or: [{ $eq: ['$n', 0] }, { $gt: [{ $sum: { $range: [0, { $add: ['$n', 10_000] }] } }, 1e12] }] } };

const operation = async (kind: string): Promise<unknown> => {
  for (let tries = 0; tries < 1000; tries++) {
    const { inprog } = await harness.client.db('admin').command({ currentOp: 1 });
    const found = (inprog as Document[]).find(({ op, ns }) => op === kind && ns === 'test.many');
    if (found) return found.opid as unknown;
  }
  throw new Error(`no operation of the kind ${kind}`);
};

it.each<[string, Document]>([
  ['find', { find: 'many', filter: SLOW, batchSize: 1 }],
  ['aggregate', { aggregate: 'many', pipeline: [{ $match: SLOW }], cursor: { batchSize: 1 } }],
])('a getMore of %s that is killed ends', async (_name, command) => {
  const { cursor } = await harness.db.command(command, { promoteLongs: false });
  const { id } = cursor as { id: Long };
  const more = harness.db.command({ getMore: id, collection: 'many' }).then(
    () => 'read to its end',
    (error: unknown) => (error as { code?: unknown }).code,
  );
  await harness.client.db('admin').command({ killOp: 1, op: await operation('getmore') });
  expect(await more).toBe(11601);
});

it('a getMore that waits for changes ends when it is killed, and so does its cursor', async () => {
  const { cursor } = await harness.db.command(
    { aggregate: 'many', pipeline: [{ $changeStream: {} }], cursor: {} },
    { promoteLongs: false },
  );
  const { id } = cursor as { id: Long };
  const more = (): Promise<unknown> =>
    harness.db
      .command({ getMore: id, collection: 'many', maxTimeMS: 3_600_000 })
      .catch((error: unknown) => (error as { code?: unknown }).code);
  const waiting = more();
  await harness.client.db('admin').command({ killOp: 1, op: await operation('getmore') });
  expect(await waiting).toBe(11601);
  expect(await more()).toBe(43);
});

it('a write that waits for a transaction ends when it is killed', async () => {
  const many = harness.db.collection('many');
  await harness.client.withSession(async (session) => {
    session.startTransaction();
    await many.updateOne({ n: 1 }, { $set: { a: 1 } }, { session });
    const waiting = many.updateOne({ n: 1 }, { $set: { a: 2 } }).catch((error: unknown) => (error as { code?: unknown }).code);
    await harness.client.db('admin').command({ killOp: 1, op: await operation('update') });
    expect(await waiting).toBe(11601);
    await session.abortTransaction();
  });
  expect(await many.countDocuments({ a: { $exists: true } })).toBe(0);
});
