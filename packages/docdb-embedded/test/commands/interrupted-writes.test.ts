import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

const LONG = 30_000;
const each = (in_: Document | number): Document => ({
  $reduce: { input: { $range: [0, LONG] }, initialValue: 0, in: { $add: ['$$value', in_, { $ifNull: ['$none', 0] }] } },
});
/** Takes minutes, also on a fast machine. */
const SLOW = each(each(1));
const NOT_NEGATIVE = { $expr: { $gte: [SLOW, 0] } };

let harness: Harness;
beforeAll(async () => {
  harness = await start();
  await harness.db.collection<{ _id: number }>('items').insertOne({ _id: 1 });
  await harness.db.createCollection('checked', { validator: NOT_NEGATIVE });
});
afterAll(() => harness.stop());

it.each<[string, Document, string?]>([
  ['the filter of an update', { update: 'items', updates: [{ q: NOT_NEGATIVE, u: { $set: { a: 1 } } }] }],
  ['the pipeline of an update', { update: 'items', updates: [{ q: {}, u: [{ $set: { a: SLOW } }] }] }],
  ['the filter of an upsert', { update: 'items', updates: [{ q: { _id: 2 }, u: [{ $set: { a: SLOW } }], upsert: true }] }],
  ['the variables of an update', { update: 'items', updates: [{ q: { $expr: '$$v' }, u: { $set: { a: 1 } } }], let: { v: SLOW } }],
  ['the filter of a deletion', { delete: 'items', deletes: [{ q: NOT_NEGATIVE, limit: 0 }] }],
  ['the variables of a deletion', { delete: 'items', deletes: [{ q: { $expr: '$$v' }, limit: 0 }], let: { v: SLOW } }],
  ['the filter of a findAndModify', { findAndModify: 'items', query: NOT_NEGATIVE, remove: true }],
  [
    'the projection of a findAndModify',
    { findAndModify: 'items', query: { _id: 3 }, update: {}, upsert: true, new: true, fields: { a: SLOW } },
  ],
  ['a validator', { insert: 'checked', documents: [{ _id: 1 }] }],
  ['one of many statements', { insert: 'checked', documents: [{ _id: 1 }, { _id: 2 }], ordered: false }],
  [
    'what a $merge makes',
    { aggregate: 'items', pipeline: [{ $merge: { into: 'items', whenMatched: [{ $set: { a: SLOW } }] } }], cursor: {} },
  ],
  ['what an $out fills', { aggregate: 'items', pipeline: [{ $out: 'checked' }], cursor: {} }],
  ['a bulkWrite', { bulkWrite: 1, ops: [{ delete: 0, filter: NOT_NEGATIVE }], nsInfo: [{ ns: 'test.items' }] }, 'admin'],
])('ends a write in time whose expression takes long: %s', async (_what, command, database = 'test') => {
  await expect(harness.client.db(database).command({ ...command, maxTimeMS: 30 })).rejects.toMatchObject({ code: 50 });
  expect(await harness.db.collection<{ _id: number }>('items').findOne({ _id: 1 })).toEqual({ _id: 1 });
});

it('ends a retryable write in time, of which nothing is kept', async () => {
  const items = harness.db.collection<{ _id: number }>('items');
  await expect(items.updateOne(NOT_NEGATIVE, { $set: { a: 1 } }, { maxTimeMS: 30 })).rejects.toMatchObject({ code: 50 });
  expect(await items.findOne({ _id: 1 })).toEqual({ _id: 1 });
});
