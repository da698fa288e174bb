import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ClientSession, type Document, Long, Timestamp } from 'mongodb';
import { start, type Harness } from './harness.ts';

let harness: Harness;
/** Streams are read in the session that they were opened in. */
let reading: ClientSession;
beforeAll(async () => {
  harness = await start();
  reading = harness.client.startSession();
});
afterAll(async () => {
  await reading.endSession();
  await harness.stop();
});
beforeEach(async () => {
  await harness.db.dropDatabase();
  await harness.db.collection<{ _id: number }>('items').insertOne({ _id: 1 });
});

interface Stream {
  readonly id: Long;
  readonly coll: string;
  readonly firstBatch: Document[];
}

const watch = async (target: string | 1 = 'items', spec: Document = {}, rest: Document[] = [], more: Document = {}): Promise<Stream> => {
  const command = { aggregate: target, pipeline: [{ $changeStream: spec }, ...rest], cursor: {}, ...more };
  const { cursor } = await harness.db.command(command, { promoteLongs: false, session: reading });
  const { id, firstBatch } = cursor as Stream;
  return { id, firstBatch, coll: target === 1 ? '$cmd.aggregate' : target };
};
const next = async ({ id, coll }: Stream, more: Document = {}): Promise<Document[]> => {
  const command = { getMore: id, collection: coll, maxTimeMS: 50, ...more };
  const { cursor } = await harness.db.command(command, { promoteLongs: false, session: reading });
  return (cursor as { nextBatch: Document[] }).nextBatch;
};
const kindsOf = (events: readonly Document[]): unknown[] => events.map(({ operationType }) => operationType as unknown);
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'nothing was refused',
    (error: unknown) => (error as { code?: unknown }).code,
  );
const items = () => harness.db.collection<{ _id: number; a?: unknown }>('items');

describe('a change stream', () => {
  it.each<[string, Document, number]>([
    ['a kind of document that there is not', { fullDocument: 'all' }, 2],
    ['a kind of document that is no text', { fullDocument: 1 }, 14],
    ['a kind of image that there is not', { fullDocumentBeforeChange: 'updateLookup' }, 2],
    ['two places to begin at', { resumeAfter: { _data: '82' }, startAfter: { _data: '82' } }, 50865],
    ['a place and a time', { resumeAfter: { _data: '820000000000000001' }, startAtOperationTime: new Timestamp({ t: 1, i: 1 }) }, 40674],
    ['a time that is none', { startAtOperationTime: 5 }, 14],
    ['a place that is none', { resumeAfter: 1 }, 14],
    ['a flag that is none', { showExpandedEvents: 'yes' }, 14],
    ['all databases on one', { allChangesForCluster: true }, 72],
    ['the database config', { allowToRunOnConfigDB: true }, 72],
    ['an option that there is not', { nothing: 1 }, 40415],
  ])('is refused with %s', async (_what, spec, code) => {
    expect(await codeOf(watch('items', spec))).toBe(code);
  });

  it.each<[string, Document[], Document, number]>([
    ['a part that splits and is not the last', [{ $changeStreamSplitLargeEvent: {} }, { $match: {} }], {}, 7182802],
    ['a part that splits by something', [{ $changeStreamSplitLargeEvent: { by: 1 } }], {}, 7182800],
    ['another read concern', [], { readConcern: { level: 'local' } }, 72],
  ])('is refused with %s', async (_what, rest, more, code) => {
    expect(await codeOf(watch('items', {}, rest, more))).toBe(code);
  });

  it.each([
    ['resumeAfter', 'drop'],
    ['startAfter', 'drop'],
    ['resumeAfter', 'rename'],
  ])('ends also where it goes on (%s) behind what ended it: %s', async (by, kind) => {
    const stream = await watch();
    await (kind === 'drop' ? items().drop() : items().rename('others'));
    const [event] = await next(stream);
    expect(event?.operationType).toBe(kind);
    const again = await watch('items', { [by]: event?._id });
    expect(kindsOf(again.firstBatch)).toEqual(['invalidate']);
    expect(again.id.toNumber()).toBe(0);
    const without = await watch('items', { [by]: event?._id }, [{ $match: { operationType: 'insert' } }]);
    expect([without.firstBatch, without.id.toNumber()]).toEqual([[], 0]);
  });

  it('goes on behind what was dropped before it was opened', async () => {
    await items().drop();
    const { id, postBatchResumeToken } = (await watch()) as Stream & { postBatchResumeToken: Document };
    expect(id.toNumber()).not.toBe(0);
    const again = await watch('items', { resumeAfter: postBatchResumeToken });
    await items().insertOne({ _id: 2 });
    expect(kindsOf(await next(again))).toEqual(['insert']);
    const database = await watch(1);
    await items().drop();
    const [event] = (await next(database)).slice(-1);
    const rest = await watch(1, { resumeAfter: event?._id });
    await items().insertOne({ _id: 3 });
    expect(kindsOf(await next(rest))).toEqual(['insert']);
  });

  it('shows the token of the last event of an answer until there is more behind it', async () => {
    const { id, coll: collection } = await watch();
    const more = async (): Promise<{ nextBatch: Document[]; postBatchResumeToken: Document }> => {
      const { cursor } = await harness.db.command({ getMore: id, collection, maxTimeMS: 50 }, { session: reading });
      return cursor as { nextBatch: Document[]; postBatchResumeToken: Document };
    };
    await items().insertMany([{ _id: 4 }, { _id: 5 }]);
    const { nextBatch, postBatchResumeToken } = await more();
    expect(postBatchResumeToken).toEqual(nextBatch[1]?._id);
    expect((await more()).postBatchResumeToken).toEqual(postBatchResumeToken);
    await harness.db.collection('others').insertOne({ n: 1 });
    const { nextBatch: none, postBatchResumeToken: further } = await more();
    expect(none).toEqual([]);
    expect(further._data).not.toBe(postBatchResumeToken._data);
    for (const resumeAfter of [postBatchResumeToken, further]) {
      await items().deleteMany({});
      await items().insertOne({ _id: 6 });
      expect(kindsOf((await watch('items', { resumeAfter })).firstBatch).slice(-1)).toEqual(['insert']);
    }
  });

  it('goes on behind an event of its own alone', async () => {
    const all = await watch(1);
    const items = harness.db.collection<{ _id: number }>('items');
    const others = harness.db.collection<{ _id: number }>('others');
    await others.insertOne({ _id: 1 });
    await items.insertOne({ _id: 2 });
    await items.drop();
    await items.insertOne({ _id: 3 });
    const [ofOthers, ofItems, dropped] = await next(all);
    expect(kindsOf([ofOthers as Document, ofItems as Document, dropped as Document])).toEqual(['insert', 'insert', 'drop']);
    const refused = { code: 280, errorLabels: ['NonResumableChangeStreamError'] };
    for (const name of ['resumeAfter', 'startAfter']) {
      await expect(watch('items', { [name]: ofOthers?._id })).rejects.toMatchObject(refused);
      await expect(watch('others', { [name]: ofItems?._id })).rejects.toMatchObject(refused);
      expect(kindsOf((await watch('items', { [name]: ofItems?._id })).firstBatch)).toEqual(['drop', 'invalidate']);
      expect(kindsOf((await watch(1, { [name]: ofOthers?._id })).firstBatch)).toEqual(['insert', 'drop', 'insert']);
    }
    const [, end] = (await watch('items', { startAfter: ofItems?._id })).firstBatch;
    await expect(watch('others', { startAfter: end?._id })).rejects.toMatchObject(refused);
    expect(kindsOf((await watch('items', { startAfter: end?._id })).firstBatch)).toEqual(['insert']);
  });

  it('is refused on a view', async () => {
    await harness.db.createCollection('view', { viewOn: 'items' });
    expect(await codeOf(watch('view'))).toBe(166);
  });

  it.each<[string, Document, number]>([
    ['admin', { aggregate: 1 }, 73],
    ['admin', { aggregate: 'items' }, 73],
    ['config', { aggregate: 1 }, 73],
    ['test', { aggregate: 'system.js' }, 73],
  ])('is refused on what is the server’s own: %s, %j', async (database, target, code) => {
    const command = { ...target, pipeline: [{ $changeStream: {} }], cursor: {} };
    expect(await codeOf(harness.client.db(database).command(command))).toBe(code);
  });

  it('uses the variables of its command', async () => {
    const stream = await watch('items', {}, [{ $match: { $expr: { $eq: ['$operationType', '$$kind'] } } }], { let: { kind: 'delete' } });
    await items().insertOne({ _id: 2 });
    await items().deleteOne({ _id: 2 });
    expect(kindsOf(await next(stream))).toEqual(['delete']);
  });

  it('gives no more events at once than it is asked for', async () => {
    const { operationTime } = await harness.db.command({ ping: 1 });
    await items().insertMany([{ _id: 2 }, { _id: 3 }, { _id: 4 }]);
    const stream = await watch(
      'items',
      { startAtOperationTime: operationTime as Timestamp },
      [{ $match: { 'documentKey._id': { $gt: 1 } } }],
      {
        cursor: { batchSize: 1 },
      },
    );
    expect(stream.firstBatch).toHaveLength(1);
    expect(await next(stream, { batchSize: 1 })).toHaveLength(1);
  });

  it('gives nothing of before its time, also when that is to come', async () => {
    const { operationTime } = await harness.db.command({ ping: 1 });
    const later = new Timestamp({ t: (operationTime as Timestamp).getHighBits() + 10_000, i: 1 });
    const stream = await watch('items', { startAtOperationTime: later });
    await items().insertOne({ _id: 2 });
    expect(await next(stream)).toEqual([]);
  });

  it.each<[string, Document]>([
    ['without', { $project: { _id: 0 } }],
    ['with another', { $addFields: { _id: { _data: 'another' } } }],
    ['with more of an', { $addFields: { '_id.more': 1 } }],
  ])('ends with events %s id', async (_what, stage) => {
    const stream = await watch('items', {}, [stage]);
    await items().insertOne({ _id: 2 });
    await expect(next(stream)).rejects.toMatchObject({ code: 280, errorLabels: ['NonResumableChangeStreamError'] });
  });

  it('says what a pipeline has to leave as it is', async () => {
    const stream = await watch('items', {}, [{ $unset: '_id' }]);
    await items().insertOne({ _id: 2 });
    await expect(next(stream)).rejects.toThrow('Only transformations that retain the unmodified _id field are allowed');
  });

  it('of a database has no events of the system’s collections, but those that it asks for', async () => {
    const [plain, all] = [await watch(1), await watch(1, { showSystemEvents: true })];
    await harness.db.createCollection('system.js');
    await harness.db.collection('system.js').insertOne({ a: 1 });
    expect(kindsOf(await next(plain))).toEqual([]);
    expect(kindsOf(await next(all))).toEqual(['insert']);
  });

  it('of all databases has no events of those of the server', async () => {
    const admin = harness.client.db('admin');
    const command = { aggregate: 1, pipeline: [{ $changeStream: { allChangesForCluster: true } }], cursor: {} };
    const { cursor } = await admin.command(command, { promoteLongs: false });
    await admin.collection('own').insertOne({});
    await items().insertOne({ _id: 2 });
    const { id } = cursor as { id: Long };
    const answer = await admin.command({ getMore: id, collection: '$cmd.aggregate', maxTimeMS: 50 }, { promoteLongs: false });
    expect((answer.cursor as { nextBatch: Document[] }).nextBatch.map(({ ns }) => (ns as { db: string }).db)).toEqual(['test']);
    await admin.collection('own').drop();
  });

  it('shows the events of a transaction behind its commit, in order and at one time', async () => {
    const stream = await watch();
    await harness.client.withSession(async (session) => {
      session.startTransaction();
      await items().insertOne({ _id: 2 }, { session });
      await items().deleteOne({ _id: 1 }, { session });
      await items().insertOne({ _id: 3 }, { session });
      expect(await next(stream)).toEqual([]);
      await session.commitTransaction();
    });
    const events = await next(stream);
    expect(kindsOf(events)).toEqual(['insert', 'delete', 'insert']);
    expect(new Set(events.map(({ clusterTime }) => String(clusterTime))).size).toBe(1);
  });
});

describe('the images of a change stream', () => {
  const both = { fullDocument: 'whenAvailable', fullDocumentBeforeChange: 'whenAvailable' };
  const keep = (enabled: boolean) => harness.db.command({ collMod: 'items', changeStreamPreAndPostImages: { enabled } });

  it('are those that were kept when the change was made', async () => {
    const stream = await watch('items', both);
    await items().updateOne({ _id: 1 }, { $set: { a: 1 } });
    await keep(true);
    await items().updateOne({ _id: 1 }, { $set: { a: 2 } });
    await keep(false);
    expect(await next(stream)).toMatchObject([
      { fullDocument: null, fullDocumentBeforeChange: null },
      { fullDocument: { _id: 1, a: 2 }, fullDocumentBeforeChange: { _id: 1, a: 1 } },
    ]);
  });

  it('are there for what was dropped since', async () => {
    await keep(true);
    const stream = await watch('items', both);
    await items().updateOne({ _id: 1 }, { $set: { a: 1 } });
    await items().drop();
    expect((await next(stream))[0]).toMatchObject({ fullDocument: { _id: 1, a: 1 }, fullDocumentBeforeChange: { _id: 1 } });
  });

  it.each(['fullDocument', 'fullDocumentBeforeChange'])('end it when %s is required and was not kept', async (name) => {
    const stream = await watch('items', { [name]: 'required' });
    await items().updateOne({ _id: 1 }, { $set: { a: 1 } });
    await expect(next(stream)).rejects.toMatchObject({ code: 47, codeName: 'NoMatchingDocument' });
  });
});

describe('the present document of an update', () => {
  it('is none of another collection that has the name by now', async () => {
    const stream = await watch(1, { fullDocument: 'updateLookup' });
    await items().updateOne({ _id: 1 }, { $set: { a: 'first' } });
    await items().drop();
    await items().insertOne({ _id: 1, a: 'of another' });
    const [update] = await next(stream);
    expect(update).toMatchObject({ operationType: 'update', fullDocument: null });
  });

  it('is that of the collection, whatever it is called by now', async () => {
    const stream = await watch(1, { fullDocument: 'updateLookup' });
    await items().updateOne({ _id: 1 }, { $set: { a: 'first' } });
    await items().updateOne({ _id: 1 }, { $set: { a: 'second' } });
    await harness.db.renameCollection('items', 'others');
    const [update] = await next(stream);
    expect(update).toMatchObject({ operationType: 'update', fullDocument: { _id: 1, a: 'second' } });
  });
});

describe('a collection that is renamed', () => {
  it('ends the streams of both names', async () => {
    const [from, to] = [await watch('items'), await watch('other')];
    await items().rename('other');
    expect(kindsOf(await next(from))).toEqual(['rename', 'invalidate']);
    expect(kindsOf(await next(to))).toEqual(['rename', 'invalidate']);
  });

  it('says that it took the place of another one, and nothing besides', async () => {
    await harness.db.collection('other').insertOne({});
    const [other, all] = [await watch('other'), await watch(1)];
    await items().rename('other', { dropTarget: true });
    expect(kindsOf(await next(other))).toEqual(['rename', 'invalidate']);
    expect(kindsOf(await next(all))).toEqual(['rename']);
  });

  it('is what $out puts in its place', async () => {
    const stream = await watch('made');
    await items()
      .aggregate([{ $out: 'made' }])
      .toArray();
    expect(kindsOf(await next(stream))).toEqual(['rename', 'invalidate']);
  });

  /** What a stream told until a document of `marks` came. */
  const untilMark = async (stream: Stream): Promise<Document[]> => {
    await harness.db.collection('marks').insertOne({});
    const told: Document[] = [];
    const end = (): number => told.findIndex(({ ns }) => (ns as { coll?: unknown }).coll === 'marks');
    while (end() < 0) told.push(...(await next(stream)));
    return told.slice(0, end());
  };

  it('tells what was in it before it got its place, so that whoever follows the database knows its documents', async () => {
    await harness.db.collection('marks').insertOne({});
    await harness.db.collection('made').createIndex({ a: 1 });
    await items().insertOne({ _id: 2 } as never);
    const [stream, expanded] = [await watch(1), await watch(1, { showExpandedEvents: true })];
    await items()
      .aggregate([{ $sort: { _id: 1 } }, { $out: 'made' }])
      .toArray();
    await items()
      .aggregate([{ $set: { _id: 1 } }, { $out: 'failed' }])
      .toArray()
      .catch(() => undefined);
    await harness.db.command({ cloneCollectionAsCapped: 'made', toCollection: 'clone', size: 100_000 });
    const told = await untilMark(stream);
    expect(kindsOf(told)).toEqual(['insert', 'insert', 'rename', 'insert', 'drop', 'insert', 'insert', 'rename']);
    expect(told[0]).toMatchObject({ ns: (told[2] as Document).ns as Document, documentKey: { _id: 1 } });
    expect(told[2]).toMatchObject({ to: { db: 'test', coll: 'made' } });
    const more = await untilMark(expanded);
    const created = [
      'create',
      'createIndexes',
      'insert',
      'insert',
      'rename',
      'create',
      'insert',
      'drop',
      'create',
      'insert',
      'insert',
      'rename',
    ];
    expect(kindsOf(more)).toEqual(created);
  });
});

describe('an event of more than 16 MB', () => {
  const whole = { fullDocument: 'required', fullDocumentBeforeChange: 'required' };
  const SPLIT = [{ $changeStreamSplitLargeEvent: {} }];
  const large = (letter: string): string => letter.repeat(9_000_000);

  beforeEach(async () => {
    await harness.db.command({ collMod: 'items', changeStreamPreAndPostImages: { enabled: true } });
    await items().updateOne({ _id: 1 }, { $set: { a: large('a') } });
  });

  it('ends the stream', async () => {
    const stream = await watch('items', whole);
    await items().updateOne({ _id: 1 }, { $set: { a: large('b') } });
    await expect(next(stream)).rejects.toMatchObject({ code: 10334 });
  });

  it('comes in parts that together are the event, where it is to be split, and goes on behind the part that was seen last', async () => {
    const stream = await watch('items', whole, SPLIT);
    await items().updateOne({ _id: 1 }, { $set: { a: large('b') } });
    const parts: Document[] = [];
    for (let tries = 0; tries < 6 && parts.length < 3; tries++) parts.push(...(await next(stream)));
    expect(parts.map(({ splitEvent }) => splitEvent as unknown)).toEqual([1, 2, 3].map((fragment) => ({ fragment, of: 3 })));
    const names = parts.flatMap((part) => Object.keys(part)).filter((name) => name !== '_id' && name !== 'splitEvent');
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(['operationType', 'fullDocument', 'fullDocumentBeforeChange', 'updateDescription']));
    // Who comes back goes on behind the part that was seen last.
    await items().insertOne({ _id: 2 });
    const { firstBatch, ...resumed } = await watch('items', { ...whole, resumeAfter: parts[0]?._id as Document }, SPLIT);
    const rest = [...firstBatch];
    for (let tries = 0; tries < 6 && rest.length < 3; tries++) rest.push(...(await next({ firstBatch, ...resumed })));
    expect(
      rest.map(({ splitEvent, operationType }) => (splitEvent as { fragment: number } | undefined)?.fragment ?? (operationType as string)),
    ).toEqual([2, 3, 'insert']);
  });

  it('that is not large is not split', async () => {
    const stream = await watch('items', whole, SPLIT);
    await items().insertOne({ _id: 2 });
    const [event] = await next(stream);
    expect(event).not.toHaveProperty('splitEvent');
  });
});

describe('a stream with all kinds of events', () => {
  it('tells the parts of those paths that were changed and can be read in another way', async () => {
    const text = 'long'.repeat(32);
    const document = { _id: 2, 'a.b': [1, text], o: { 0: 1, text }, list: [{ 1: 'x', text }, 2, 3], plain: 1 };
    await harness.db.collection<Document & { _id: number }>('items').insertOne(document);
    const stream = await watch('items', { showExpandedEvents: true });
    const set = (field: string, value: unknown): Document => ({ $setField: { field, input: '$$ROOT', value: { $literal: value } } });
    const roots = [
      set('plain', 2),
      set('list', [{ 1: 'x', text }]),
      set('o', { 0: 2, text }),
      set('a.b', [3, text]),
      set('list', [{ 1: 'y', text }]),
    ];
    for (const newRoot of roots) await items().updateOne({ _id: 2 }, [{ $replaceWith: newRoot }]);
    expect((await next(stream)).map(({ updateDescription }) => (updateDescription as Document).disambiguatedPaths as unknown)).toEqual([
      {},
      {},
      { 'o.0': ['o', '0'] },
      { 'a.b.0': ['a.b', 0] },
      { 'list.0.1': ['list', 0, '1'] },
    ]);
  });

  it('tells of pipelines the differences, as long as they need less than the whole', async () => {
    const text = 'long'.repeat(32);
    const document = { _id: 2, text, a: 1, few: [0, 1, 2, 3], many: [text, { text }, 1, 2], o: { x: { a: 1, b: 1, text } } };
    await harness.db.collection<Document & { _id: number }>('items').insertOne({ ...document, small: { v: 1 } });
    await harness.db.collection<Document & { _id: number }>('items').insertOne({ _id: 3, a: 1 });
    const stream = await watch();
    const update = async (_id: number, change: Document): Promise<void> => void (await items().updateOne({ _id }, [change]));
    await update(2, { $set: { a: 2, few: [0], many: [text, { text, b: 3 }], new: 3, small: { v: 2 } } });
    await update(2, { $set: { many: [text, { text, b: 3 }, 'new'], few: [0, 1], o: { $literal: { x: { b: 2, text } } } } });
    await update(2, { $replaceWith: { _id: 2, text, many: '$many', a: 2 } });
    await update(3, { $set: { a: 2 } });
    const events = await next(stream);
    expect(events.map(({ updateDescription }) => updateDescription as unknown)).toEqual([
      {
        updatedFields: { a: 2, few: [0], small: { v: 2 }, new: 3, 'many.1.b': 3 },
        removedFields: [],
        truncatedArrays: [{ field: 'many', newSize: 2 }],
      },
      { updatedFields: { 'few.1': 1, 'many.2': 'new', 'o.x.b': 2 }, removedFields: ['o.x.a'], truncatedArrays: [] },
      { updatedFields: { a: 2 }, removedFields: ['few', 'new', 'o', 'small'], truncatedArrays: [] },
      undefined,
    ]);
    expect(events[3]).toMatchObject({ operationType: 'replace', documentKey: { _id: 3 }, fullDocument: { _id: 3, a: 2 } });
  });

  it('tells of operators the paths that they name, with whole values, and of a list that grows its new elements', async () => {
    const document = { _id: 2, list: [1], other: [1, 2], o: { a: 1, b: 2 }, none: [], n: 1, rows: [{ v: 1 }, { v: 2 }] };
    await harness.db.collection<Document & { _id: number }>('items').insertOne(document);
    const stream = await watch('items', { showExpandedEvents: true });
    const updates: Document[] = [
      { $push: { list: 2, none: 'first' } },
      { $push: { list: { $each: [3, 4], $slice: 9 } } },
      { $push: { list: { $each: [0], $position: 0 }, other: { $each: [3], $slice: -2 } } },
      { $push: { list: { $each: [5], $sort: 1 }, other: { $each: [4], $position: 9 } } },
      { $addToSet: { other: 7 }, $pop: { list: 1 } },
      { $set: { o: { a: 1, c: 3 }, n: 1, 'new.deep.field': 1, 'new.deep.next': 2 } },
      { $set: { 'other.5': 'far' }, $unset: { 'rows.0': '', gone: '', 'o.c': '' }, $rename: { n: 'renamed' } },
      { $set: { 'rows.$[row].v': 3 }, $inc: { 'o.a': 1 } },
    ];
    for (const [at, update] of updates.entries())
      await items().updateOne({ _id: 2 }, update, at === 7 ? { arrayFilters: [{ 'row.v': 2 }] } : {});
    const shown = (await next(stream)).map(({ updateDescription }) => updateDescription as Document);
    expect(shown.map(({ updatedFields }) => updatedFields as Document)).toEqual([
      { 'list.1': 2, none: ['first'] },
      { 'list.2': 3, 'list.3': 4 },
      { list: [0, 1, 2, 3, 4], other: [2, 3] },
      { list: [0, 1, 2, 3, 4, 5], 'other.2': 4 },
      { other: [2, 3, 4, 7], list: [0, 1, 2, 3, 4] },
      { o: { a: 1, c: 3 }, new: { deep: { field: 1, next: 2 } } },
      { 'other.5': 'far', 'rows.0': null, renamed: 1 },
      { 'rows.1.v': 3, 'o.a': 2 },
    ]);
    expect(shown.map(({ removedFields }) => removedFields as string[])).toEqual([[], [], [], [], [], [], ['n', 'o.c'], []]);
    expect(shown.every(({ truncatedArrays }) => (truncatedArrays as Document[]).length === 0)).toBe(true);
  });

  it('tells what was changed of fields whose names all objects of JavaScript have', async () => {
    await harness.db.collection<Document & { _id: number }>('items').insertOne({ _id: 2, toString: 1, valueOf: 1 });
    const stream = await watch();
    const update: Document = { $unset: { toString: '' }, $set: { constructor: 1 } };
    await items().updateOne({ _id: 2 }, update);
    expect(await next(stream)).toMatchObject([
      { updateDescription: { updatedFields: { constructor: 1 }, removedFields: ['toString'], truncatedArrays: [] } },
    ]);
  });

  it('says what collMod has changed, and how it was', async () => {
    await harness.db.createCollection('plain', { validationLevel: 'strict' });
    const stream = await watch('plain', { showExpandedEvents: true });
    await harness.db.command({ collMod: 'plain', validationLevel: 'off' });
    const [event] = await next(stream);
    expect(event).toMatchObject({
      operationType: 'modify',
      operationDescription: { validationLevel: 'off' },
      stateBeforeChange: { collectionOptions: { validationLevel: 'strict' } },
    });
  });

  it('says what collMod has changed of an index', async () => {
    await items().createIndexes([{ key: { a: 1 } }]);
    const stream = await watch('items', { showExpandedEvents: true });
    await harness.db.command({ collMod: 'items', index: { name: 'a_1', hidden: true } });
    const events = await next(stream);
    expect(kindsOf(events)).toEqual(['modify']);
    expect(events[0]?.operationDescription).toMatchObject({ index: { name: 'a_1', hidden: true } });
  });
});
