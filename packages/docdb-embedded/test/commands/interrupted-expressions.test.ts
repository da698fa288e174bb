import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

const times = (count: number, initialValue: unknown, in_: Document): Document => ({
  $reduce: { input: { $range: [0, count] }, initialValue, in: in_ },
});
/** Makes more than an expression may: a text of 8 MB two hundred times. */
const TOO_MUCH: Document = {
  $let: {
    vars: { text: times(23, 'x', { $concat: ['$$value', '$$value'] }) },
    in: times(200, 0, { $add: ['$$value', { $cond: [{ $eq: [{ $concat: ['$$text', 'x'] }, ''] }, 1, 0] }] }),
  },
};
const HEAVY = { kind: 'heavy', $expr: { $gte: [TOO_MUCH, 0] } };

let harness: Harness;
beforeAll(async () => {
  harness = await start();
  await harness.db.collection('items').insertOne({ a: 1 });
  await harness.db.createCollection('shown', { viewOn: 'items', pipeline: [] });
  await harness.db.createCollection('log', { capped: true, size: 100_000 });
  await harness.db.collection('log').insertOne({ kind: 'light' });
});
afterAll(() => harness.stop());

/** Resolves when somebody waits for news of a collection. */
const waited = async (collection: string): Promise<void> => {
  const waiting = { currentOp: 1, op: 'getmore', ns: `test.${collection}` };
  while ((await harness.client.db('admin').command(waiting)).inprog.length === 0);
};

it('bounds what a change stream makes of an event that it has waited for', async () => {
  const events = harness.db.collection('events');
  const stream = events.watch([{ $addFields: { much: TOO_MUCH } }]);
  await stream.tryNext();
  const next = expect(stream.next()).rejects.toMatchObject({ code: 146 });
  await waited('events');
  await events.insertOne({});
  await next;
  await stream.close();
});

it('bounds what a tailable cursor makes of a document that it has waited for', async () => {
  const log = harness.db.collection('log');
  const cursor = log.find({ $or: [{ kind: 'light' }, HEAVY] }, { tailable: true, awaitData: true, maxAwaitTimeMS: 60_000 });
  await cursor.next();
  const next = expect(cursor.next()).rejects.toMatchObject({ code: 146 });
  await waited('log');
  await log.insertOne({ kind: 'heavy' });
  await next;
  await cursor.close();
});

it.each<[string, Document]>([
  ['an aggregation', { aggregate: 'items', pipeline: [{ $match: { $expr: '$$much' } }], cursor: {} }],
  ['a search of a view', { find: 'shown', filter: { $expr: '$$much' } }],
  ['a search of a state', { find: 'items', filter: { $expr: '$$much' }, readConcern: { level: 'snapshot' } }],
])('bounds what the variables of a command make: %s', async (_what, command) => {
  await expect(harness.db.command({ ...command, let: { much: TOO_MUCH } })).rejects.toMatchObject({ code: 146 });
});
