import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.db.dropDatabase();
});

const codeOf = (command: Document): Promise<unknown> =>
  harness.db.command(command).then(
    ({ writeErrors }) => (writeErrors as Document[] | undefined)?.[0]?.code as unknown,
    (error: unknown) => (error as { code?: unknown }).code,
  );

it('collMod changes no index where the rest of it is refused', async () => {
  await harness.db.createCollection('ring', { capped: true, size: 10_000 });
  await harness.db.collection('ring').createIndex({ a: 1 });
  expect(await codeOf({ collMod: 'ring', index: { name: 'a_1', hidden: true }, cappedSize: 0 })).toBe(72);
  const [, index] = await harness.db.collection('ring').indexes();
  expect(index).toEqual({ v: 2, key: { a: 1 }, name: 'a_1' });
});

it.each<[string, Document, number]>([
  ['indexes of one name', { createIndexes: 'made', indexes: [1, -1].map((way) => ({ key: { a: way }, name: 'a' })) }, 86],
  [
    'too many indexes',
    { createIndexes: 'made', indexes: Array.from({ length: 64 }, (_, n) => ({ key: { [`f${String(n)}`]: 1 }, name: String(n) })) },
    67,
  ],
  ['a document with a list for its id', { insert: 'made', documents: [{ _id: [1] }] }, 53],
])('no collection is made for %s', async (_what, command, code) => {
  expect(await codeOf(command)).toBe(code);
  expect(await harness.db.listCollections().toArray()).toEqual([]);
});
