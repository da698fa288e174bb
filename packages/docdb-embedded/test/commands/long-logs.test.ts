import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Harness, start } from '../harness.ts';
import { answeredDuring } from '../turns.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

const MANY = 5000;

it('gives others their turn while a stream goes through a long log', async () => {
  const items = harness.db.collection('items');
  const stream = items.watch();
  await stream.tryNext();
  const { resumeToken } = stream;
  await stream.close();
  await items.insertMany(Array.from({ length: MANY }, (_none, at) => ({ at })));
  await items.insertOne({ last: true });
  const pipeline = [{ $changeStream: { resumeAfter: resumeToken } }, { $match: { 'fullDocument.last': true } }];
  const { result, answered } = await answeredDuring(harness.db, () => harness.db.command({ aggregate: 'items', pipeline, cursor: {} }));
  expect(result.cursor.firstBatch).toMatchObject([{ fullDocument: { last: true } }]);
  expect(answered).toBeGreaterThan(100);
});

it('gives up a stream whose time is over before it has gone through the log', async () => {
  const items = harness.db.collection('items');
  const pipeline = [
    { $changeStream: { startAtOperationTime: (await harness.db.command({ ping: 1 })).operationTime } },
    { $match: { a: 1 } },
  ];
  await items.insertMany(Array.from({ length: MANY }, (_none, at) => ({ at })));
  const open = (maxTimeMS: number): Promise<unknown> => harness.db.command({ aggregate: 'items', pipeline, cursor: {}, maxTimeMS });
  await expect(open(1)).rejects.toMatchObject({ code: 50 });
  expect(await open(60_000)).toMatchObject({ ok: 1 });
});
