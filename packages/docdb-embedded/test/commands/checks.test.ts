import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Binary, type Document, Long, UUID } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.db.dropDatabase();
  await harness.db.collection('c').insertMany([
    { _id: 1, at: new Date(0), text: 'a word' },
    { _id: 2, at: new Date('2200-01-01'), text: 'word' },
  ] as never[]);
});

const run = (command: Document): Promise<Document> => harness.db.command(command);
const codeOf = (command: Document): Promise<unknown> =>
  run(command).then(
    ({ writeErrors }) => (writeErrors as { code: number }[] | undefined)?.[0]?.code ?? 'accepted',
    (error: unknown) => (error as { code?: unknown }).code,
  );

const fields = (count: number): Document => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${String(at)}`, 1]));

describe('what a server refuses is refused', () => {
  const now = { $expr: { $lt: ['$at', '$$NOW'] } };
  it.each<[string, Document, unknown]>([
    ['the time of day in a count', { count: 'c', query: now }, 51144],
    ['the time of day in a distinct', { distinct: 'c', key: 'at', query: now }, 51144],
    ['and not in a find', { find: 'c', filter: now }, 'accepted'],
    ['the time of the cluster', { aggregate: 'c', pipeline: [{ $project: { t: '$$CLUSTER_TIME' } }], cursor: {} }, 51144],
    ['the time of the cluster to group by', { aggregate: 'c', pipeline: [{ $group: { _id: '$$CLUSTER_TIME' } }], cursor: {} }, 10071200],
    ['a filter that is none, where there is no collection', { count: 'nothing', query: { $jsonSchema: { colour: 1 } } }, 9],
    ['a name with a dollar', { find: '$c' }, 73],
    ['and one with a null', { find: 'c\0d' }, 73],
    ['an order of too many fields', { find: 'c', sort: fields(33) }, 13103],
    ['and not one of as many as there may be', { find: 'c', sort: fields(32) }, 'accepted'],
    [
      'where what a search has found out is no field',
      { aggregate: 'c', pipeline: [{ $sort: { ...fields(32), r: { $meta: 'randVal' } } }], cursor: {} },
      'accepted',
    ],
    [
      'a path of a variable that ends with a point',
      { aggregate: 'c', pipeline: [{ $set: { a: { $let: { vars: { x: 1 }, in: '$$x.' } } } }], cursor: {} },
      40353,
    ],
    [
      'a second id of a bucket',
      { aggregate: 'c', pipeline: [{ $bucket: { groupBy: '$_id', boundaries: [0, 9], output: { _id: { $sum: 1 } } } }], cursor: {} },
      15948,
    ],
    ...(
      [
        ['a range over an order that descends', { _id: -1 }, { range: [-1, 1] }, 8947401],
        ['a range over an order by two fields', { _id: 1, at: 1 }, { range: [-1, 1] }, 5339902],
        ['a window of documents in no order', undefined, { documents: [-1, 0] }, 5339901],
        ['and not one in an order by nothing', {}, { documents: [-1, 0] }, 'accepted'],
      ] as const
    ).map(([what, sortBy, window, code]): [string, Document, unknown] => [
      what,
      {
        aggregate: 'c',
        pipeline: [{ $setWindowFields: { ...(sortBy ? { sortBy } : {}), output: { n: { $sum: 1, window } } } }],
        cursor: {},
      },
      code,
    ]),
    [
      'a stage of the database in a facet of no collection',
      { aggregate: 1, pipeline: [{ $facet: { a: [{ $listLocalSessions: {} }] } }], cursor: {} },
      40600,
    ],
    ['a facet of no collection', { aggregate: 1, pipeline: [{ $facet: { a: [{ $limit: 1 }] } }], cursor: {} }, 73],
    ['an order of too many fields for an update', { update: 'c', updates: [{ q: {}, u: { $set: { a: 1 } }, sort: fields(33) }] }, 13103],
    ['an order of too many fields for a findAndModify', { findAndModify: 'c', query: {}, sort: fields(33), remove: true }, 13103],
    ['waiting without a tail', { find: 'c', awaitData: true }, 9],
    ['waiting without a tail, as a number', { find: 'c', awaitData: 1, tailable: 0 }, 9],
    ['array filters beside a pipeline', { findAndModify: 'c', query: {}, update: [{ $set: { a: 1 } }], arrayFilters: [{ x: 1 }] }, 9],
    [
      'array filters beside the pipeline of an update',
      { update: 'c', updates: [{ q: {}, u: [{ $set: { a: 1 } }], arrayFilters: [{ x: 1 }] }] },
      9,
    ],
    ['constants beside operators', { update: 'c', updates: [{ q: {}, u: { $set: { a: 1 } }, c: { x: 1 } }] }, 51198],
    ['an operator of a projection that is none', { find: 'c', projection: { a: { $inc: 1 } } }, 31325],
    ['a schema in a projection', { find: 'c', projection: { a: { $elemMatch: { $jsonSchema: {} } } } }, 224],
    ['and one in a branch there', { find: 'c', projection: { a: { $elemMatch: { $or: [{ $jsonSchema: {} }] } } } }, 224],
    ['but not a type that is no more in use', { find: 'c', filter: { a: { $type: ['undefined', 12] } } }, 'accepted'],
    ['nor one in a schema', { find: 'c', filter: { $jsonSchema: { properties: { a: { bsonType: 'dbPointer' } } } } }, 'accepted'],
    ['and one inside of another', { find: 'c', projection: { a: { $not: { $inc: 1 } } } }, 168],
    ['a list for $sigmoid', { aggregate: 'c', pipeline: [{ $project: { s: { $sigmoid: [1] } } }], cursor: {} }, 14],
    ['a field that holds a list for $sigmoid', { aggregate: 'c', pipeline: [{ $project: { s: { $sigmoid: ['$_id'] } } }], cursor: {} }, 14],
    ['no session, and not nothing in their list', { killSessions: [null] }, 'accepted'],
    ['a session that is named by other bytes', { killSessions: [{ id: new Binary(Buffer.alloc(16), 0) }] }, 14],
    ['a session whose name is too short', { killSessions: [{ id: new Binary(Buffer.alloc(8), 4) }] }, 207],
    ['but none that has ended', { killSessions: [{ id: new UUID() }] }, 'accepted'],
    ['killing sessions by the stable API', { killSessions: [{ id: new UUID() }], apiVersion: '1', apiStrict: true }, 323],
    ['explaining by the stable API', { aggregate: 'c', pipeline: [], cursor: {}, explain: true, apiVersion: '1', apiStrict: true }, 323],
    ['writing to a name that is too long', { aggregate: 'c', pipeline: [{ $out: 'x'.repeat(252) }], cursor: {} }, 20],
    ['an index that changes in nothing', { collMod: 'c', index: { name: '_id_', hidden: null } }, 72],
    [
      'a collation of an index with a strength that is text',
      { createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a', collation: { locale: 'en', strength: '1' } }] },
      14,
    ],
    ['an index whose name is a star', { createIndexes: 'c', indexes: [{ key: { a: 1 }, name: '*' }] }, 2],
    ['an index of ids that says it is unique', { createIndexes: 'c', indexes: [{ key: { _id: 1 }, name: 'a', unique: true }] }, 197],
    ['dropping an index that is named by a number', { dropIndexes: 'c', index: ['_id_', 1] }, 14],
    ['changing the index without a name', { collMod: 'c', index: { hidden: true } }, 72],
    ['and one with two names', { collMod: 'c', index: { name: '_id_', keyPattern: { _id: 1 }, hidden: true } }, 72],
    ['a view of what is none', { collMod: 'c', viewOn: 'd', pipeline: [] }, 72],
    ['the stages of a view of what is none', { collMod: 'c', pipeline: [] }, 72],
    ['what is for time series', { collMod: 'c', timeseriesBucketsMayHaveMixedSchemaData: false }, 72],
    ['a size of what is not capped', { create: 'd', size: 4096 }, 72],
    ['and a number of documents', { create: 'd', capped: false, max: 5 }, 72],
    ['writing the notes of the profiler', { insert: 'system.profile', documents: [{}] }, 73],
    ['changing views by their notes', { update: 'system.views', updates: [{ q: {}, u: { $set: { a: 1 } } }] }, 73],
    ['deleting what is of the system', { delete: 'system.own', deletes: [{ q: {}, limit: 1 }] }, 73],
    ['and changing it', { findAndModify: 'system.own', query: {}, remove: true }, 73],
    ['but not functions', { insert: 'system.js', documents: [{ _id: 'f' }] }, 'accepted'],
    ['a clustered index of another field', { createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a', clustered: true }] }, 67],
  ])('%s', async (_what, command, code) => {
    expect(await codeOf(command)).toBe(code);
  });

  it.each<[string, Document]>([
    ['an insert', { insert: 'c\0d', documents: [{ a: 1 }] }],
    ['an update', { update: 'c\0d', updates: [{ q: {}, u: { $set: { a: 1 } } }] }],
    ['a delete', { delete: 'c\0d', deletes: [{ q: {}, limit: 1 }] }],
  ])('%s into a name that no collection can have, as a whole', async (_what, command) => {
    await expect(run(command)).rejects.toMatchObject({ code: 73, codeName: 'InvalidNamespace' });
  });

  it('a search by text in the natural order', async () => {
    await harness.db.collection('c').createIndex({ text: 'text' });
    const filter = { $text: { $search: 'word' } };
    expect(await codeOf({ find: 'c', filter, sort: { $natural: 1 } })).toBe(2);
    expect(await codeOf({ find: 'c', filter, sort: { _id: 1 } })).toBe('accepted');
  });

  it('the natural order beside others', async () => {
    expect(await codeOf({ find: 'c', sort: { $natural: 1, _id: 1 } })).toBe(2);
    expect(await codeOf({ find: 'c', sort: { $natural: -1 } })).toBe('accepted');
  });

  it.each(['$alwaysTrue', '$alwaysFalse'])('%s with anything but 1', async (name) => {
    expect(await codeOf({ find: 'c', filter: { [name]: 0 } })).toBe(9);
    expect(await codeOf({ find: 'c', filter: { [name]: '1' } })).toBe(9);
    expect(await codeOf({ find: 'c', filter: { [name]: 1 } })).toBe('accepted');
  });

  it('constants of a bulkWrite that no pipeline takes', async () => {
    const update = { update: 0, filter: { _id: 1 }, updateMods: { $set: { a: 1 } }, constants: { x: 1 } };
    const reply = await harness.client.db('admin').command({ bulkWrite: 1, nsInfo: [{ ns: 'test.c' }], ops: [update] });
    expect(reply).toMatchObject({ nErrors: 1, nModified: 0, cursor: { firstBatch: [{ ok: 0, code: 51198 }] } });
  });
});

describe('a write', () => {
  it('counts a whole document that leaves the id away as a change', async () => {
    await harness.db.collection('same').insertOne({ _id: 1, a: 1 } as never);
    const replaced = (u: Document): Promise<Document> => run({ update: 'same', updates: [{ q: { _id: 1 }, u }] });
    expect(await replaced({ a: 1 })).toMatchObject({ n: 1, nModified: 1 });
    expect(await replaced({ _id: 1, a: 1 })).toMatchObject({ n: 1, nModified: 0 });
  });

  it('tells nothing when nobody asks for an answer', async () => {
    // The driver does not wait for an answer to 0; a server cuts what is behind the point.
    const writeConcern = { w: 0.5 };
    const multi = { q: {}, u: { a: 2 }, multi: true };
    for (const command of [
      { update: 'c', updates: [multi], writeConcern },
      { insert: 'c', documents: [{ _id: 1 }], writeConcern },
      { delete: 'c', deletes: [{ q: { _id: 2 }, limit: 1 }], writeConcern },
    ])
      expect(Object.keys(await run(command)).filter((name) => ['n', 'nModified', 'writeErrors'].includes(name))).toEqual([]);
    expect(await run({ delete: 'c', deletes: [{ q: { _id: 1 }, limit: 1 }], writeConcern: { w: 0.5, j: true } })).toMatchObject({ n: 1 });
  });
});

describe('the index of ids', () => {
  const idIndex = { key: { _id: 1 }, name: 'own' };

  it.each<[string, Document, unknown]>([
    ['as it is', { idIndex }, 'accepted'],
    [
      'with the collation of the collection',
      { collation: { locale: 'en' }, idIndex: { ...idIndex, collation: { locale: 'en' } } },
      'accepted',
    ],
    ['with the collation of nothing', { idIndex: { ...idIndex, collation: { locale: 'en' } } }, 2],
    ['with another collation', { collation: { locale: 'fr' }, idIndex: { ...idIndex, collation: { locale: 'simple' } } }, 2],
    ['of another field', { idIndex: { key: { a: 1 }, name: 'own' } }, 2],
    ['of nothing', { idIndex: {} }, 9],
    ['that is sparse', { idIndex: { ...idIndex, sparse: true } }, 197],
    ['of a view', { viewOn: 'c', idIndex }, 72],
    ['of an older version', { idIndex: { ...idIndex, v: 1 } }, 72],
  ])('may be described, %s', async (_what, options, code) => {
    expect(await codeOf({ create: 'd', ...options })).toBe(code);
    if (code === 'accepted') expect(await harness.db.collection('d').indexes()).toMatchObject([{ v: 2, key: { _id: 1 }, name: '_id_' }]);
  });
});

it('tells of the writes of a list that no client may do', async () => {
  const nsInfo = [{ ns: 'test.system.profile' }, { ns: `${harness.db.databaseName}.c` }];
  const ops = [
    { delete: 0, filter: {} },
    { insert: 1, document: { _id: 7 } },
  ];
  const { cursor } = await harness.client.db('admin').command({ bulkWrite: 1, ops, nsInfo, ordered: false });
  expect(cursor).toMatchObject({
    firstBatch: [
      { ok: 0, idx: 0, code: 73 },
      { ok: 1, idx: 1 },
    ],
  });
});

it('leaves out what is null in a list of cursors', async () => {
  const answer = await run({ killCursors: 'c', cursors: [null, Long.fromNumber(1), null] });
  expect(answer).toMatchObject({ cursorsNotFound: [1], ok: 1 });
});

it.each(['insert', 'update', 'delete'])('asks an operation of bulkWrite for its collection: %s', async (kind) => {
  const ops = [{ [kind]: null, document: { _id: 3 }, filter: {}, updateMods: { $set: { a: 1 } } }];
  await expect(harness.client.db('admin').command({ bulkWrite: 1, nsInfo: [{ ns: 'test.c' }], ops })).rejects.toMatchObject({
    code: 40414,
  });
});
