import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BSON } from 'mongodb';
import { decodeFields, FieldNames } from '../../src/bson/decode-fields.ts';
import { type Harness, start } from '../harness.ts';

const LARGEST = 16 * 1024 * 1024;
const MANY = 10 * 1024 * 1024;

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

it('finds documents that are as large as a document can be', async () => {
  const documents = harness.db.collection<{ _id: number; text: string }>('largest');
  const text = 'x'.repeat(LARGEST - BSON.calculateObjectSize({ _id: 1, text: '' }));
  for (const _id of [1, 2]) await documents.insertOne({ _id, text });
  const sizes = await documents.find({}, { projection: { size: { $strLenBytes: '$text' } } }).toArray();
  expect(sizes).toEqual([
    { _id: 1, size: text.length },
    { _id: 2, size: text.length },
  ]);
  expect(await documents.countDocuments({ text: { $type: 'string' } })).toBe(2);
  expect((await documents.updateMany({ text: { $gt: '' } }, { $unset: { text: '' } })).modifiedCount).toBe(2);
  expect(await documents.find().toArray()).toEqual([{ _id: 1 }, { _id: 2 }]);
});

it('hands on a change whose documents are larger together than one may be', async () => {
  const documents = harness.db.collection<{ _id: number; text: string }>('changed');
  await documents.insertOne({ _id: 1, text: 'x'.repeat(MANY) });
  const changes = documents.watch();
  // It begins where it is asked for first.
  expect(await changes.tryNext()).toBeNull();
  await documents.updateOne({ _id: 1 }, { $set: { text: 'y'.repeat(MANY) } });
  const event = (await changes.next()) as { updateDescription?: { updatedFields?: { text?: string } } };
  expect(event.updateDescription?.updatedFields?.text === 'y'.repeat(MANY)).toBe(true);
  await changes.close();
});

it('never looks for fields behind the end of what it was given', () => {
  const fields = FieldNames.of(['other']);
  const whole = Buffer.from(BSON.serialize({ name: 'Ann' }));
  const read = (bytes: Buffer) => () => fields && decodeFields(bytes, 0, fields);
  expect(read(Buffer.alloc(0))).toThrow('cut off');
  expect(read(whole.subarray(0, whole.length - 1))).toThrow('cut off');
  expect(read(whole)).not.toThrow();
});
