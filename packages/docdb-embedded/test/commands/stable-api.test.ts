import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Document, type Long, UUID } from 'mongodb';
import { start, type Harness } from '../harness.ts';
import { WireClient } from '../wire-client.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
  await harness.db.collection('items').insertMany([
    { _id: 1, a: 1 },
    { _id: 2, a: 2 },
  ] as never[]);
  await harness.db.collection('items').createIndex({ a: 1 });
});
afterAll(() => harness.stop());

const STRICT = { apiVersion: '1', apiStrict: true };
const outcome = (command: Document): Promise<unknown> =>
  harness.db.command(command).then(
    () => 'accepted',
    (error: unknown) => (error as { code?: unknown }).code,
  );

describe('who asks for the stable API only is refused', () => {
  it.each(['min', 'max', 'returnKey', 'noCursorTimeout', 'showRecordId', 'tailable', 'oplogReplay', 'awaitData', 'readOnce'])(
    'the field %s of find',
    async (field) => {
      const value = field === 'min' || field === 'max' ? { a: 1 } : false;
      expect(await outcome({ find: 'items', [field]: value, ...STRICT })).toBe(323);
    },
  );

  it.each<[string, Document]>([
    ['a field of aggregate', { aggregate: 'items', pipeline: [], cursor: {}, isMapReduceCommand: false }],
    ['an index of words', { createIndexes: 'items', indexes: [{ key: { a: 'text' }, name: 'words' }] }],
    ['the preparation of a unique index', { collMod: 'items', index: { name: 'a_1', prepareUnique: true } }],
    ['a capped collection', { create: 'capped', capped: true, size: 1000 }],
    ['a former name of hello', { isMaster: 1 }],
    ['the other one', { ismaster: 1 }],
    ['an insertion into system.js', { insert: 'system.js', documents: [{ _id: 'a' }] }],
    ['an update of system.js', { update: 'system.js', updates: [{ q: {}, u: { b: 1 } }] }],
    ['a deletion from system.js', { delete: 'system.js', deletes: [{ q: {}, limit: 1 }] }],
    ['a change in system.js', { findAndModify: 'system.js', query: {}, remove: true }],
  ])('%s', async (_what, command) => {
    expect(await outcome({ ...command, ...STRICT })).toBe(323);
  });

  it.each<[string, Document[]]>([
    ['statistics of a collection', [{ $collStats: { count: {}, latencyStats: {} } }]],
    ['operations', [{ $currentOp: {} }]],
    ['statistics of indexes', [{ $indexStats: {} }]],
    ['sessions', [{ $listLocalSessions: {} }]],
    ['the catalogue', [{ $listClusterCatalog: {} }]],
    ['such a stage of another collection', [{ $unionWith: { coll: 'other', pipeline: [{ $collStats: { latencyStats: {} } }] } }]],
    ['such a stage of a join', [{ $lookup: { from: 'other', as: 'found', pipeline: [{ $indexStats: {} }] } }]],
    ['such a stage of a branch', [{ $facet: { one: [], two: [{ $indexStats: {} }] } }]],
  ])('a pipeline with %s, and a view of it', async (_what, pipeline) => {
    expect(await outcome({ aggregate: 'items', pipeline, cursor: {}, ...STRICT })).toBe(323);
    expect(await outcome({ create: 'view', viewOn: 'items', pipeline, ...STRICT })).toBe(323);
  });
});

it.each<[string, Document, number]>([
  ['a search for words', { find: 'words', filter: { $text: { $search: 'b' } } }, 291],
  ['a count of words', { count: 'words', query: { $text: { $search: 'b' } } }, 291],
  ['a pipeline that searches for words', { aggregate: 'words', pipeline: [{ $match: { $text: { $search: 'b' } } }], cursor: {} }, 291],
  ['a sparse index by its key', { find: 'words', filter: { n: 1 }, hint: { n: 1 } }, 2],
  ['a sparse index by its name', { find: 'words', filter: { n: 1 }, hint: 'n_1' }, 2],
])('who asks for the stable API only can not use %s', async (_what, command, code) => {
  const words = harness.db.collection('words');
  await words.createIndexes([
    { key: { t: 'text' }, name: 't_text' },
    { key: { n: 1 }, name: 'n_1', sparse: true },
  ]);
  await words.insertOne({ t: 'a b', n: 1 });
  expect(await outcome(command)).toBe('accepted');
  expect(await outcome({ ...command, ...STRICT })).toBe(code);
});

it.each<[string, Document]>([
  ['hello', { hello: 1 }],
  ['a search', { find: 'items', hint: { a: 1 }, batchSize: 5 }],
  ['a search in system.js', { find: 'system.js' }],
  ['a count of documents', { aggregate: 'items', pipeline: [{ $collStats: { count: {} } }], cursor: {} }],
  ['a collection that is not capped', { create: 'plain', capped: false }],
])('who asks for the stable API only may ask for %s', async (_what, command) => {
  expect(await outcome({ ...command, ...STRICT })).toBe('accepted');
});

const ASKED: readonly Document[] = [
  {},
  { apiVersion: '1' },
  { apiVersion: '1', apiDeprecationErrors: true },
  { apiVersion: '1', apiStrict: false },
  STRICT,
];

it.each(ASKED)('a cursor that was opened with %j is read with the same', async (opening) => {
  for (const reading of ASKED) {
    const { cursor } = await harness.db.command({ find: 'items', batchSize: 1, ...opening }, { promoteLongs: false });
    const more = { getMore: (cursor as { id: Long }).id, collection: 'items', ...reading };
    expect(await outcome(more)).toBe(opening === reading ? 'accepted' : 347);
  }
});

it.each(ASKED)('a transaction that was begun with %j goes on with the same, and stays open', async (beginning) => {
  const wire = await WireClient.connect(harness.server);
  // The driver has sessions and numbers of its own.
  const code = async (database: string, command: Document): Promise<unknown> => (await wire.ask(database, command)).code ?? 'accepted';
  for (const goingOn of ASKED) {
    const expected = beginning === goingOn ? 'accepted' : 347;
    const part = { lsid: { id: new UUID() }, txnNumber: 1n, autocommit: false };
    const insert = { insert: 'items', documents: [{ b: 1 }], ...part };
    expect(await code('test', { ...insert, startTransaction: true, ...beginning })).toBe('accepted');
    expect(await code('test', { ...insert, ...goingOn })).toBe(expected);
    expect(await code('admin', { commitTransaction: 1, ...part, ...goingOn })).toBe(expected);
    expect(await code('admin', { commitTransaction: 1, ...part, ...beginning })).toBe('accepted');
  }
  wire.close();
});
