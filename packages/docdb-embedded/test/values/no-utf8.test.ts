import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deserialize, type Document, serialize } from 'bson';
import { type Harness, start } from '../harness.ts';
import { WireClient } from '../wire-client.ts';

let harness: Harness;
let client: WireClient;

beforeAll(async () => {
  harness = await start();
  client = await WireClient.connect(harness.server);
});
afterAll(async () => {
  client.close();
  await harness.stop();
});

/** The bytes c3 01, as often as they replace an é: the first begins a character that does not end. */
const BROKEN = Buffer.from('c301c301', 'hex');

/** @returns the answer to a command, with each é of it sent as {@link BROKEN}, in the other direction too */
async function ask(command: Document): Promise<Document> {
  const swap = (bytes: Uint8Array, what: Buffer, by: Buffer): Buffer =>
    Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll(what.toString('latin1'), by.toString('latin1')), 'latin1');
  const answer = await client.askBytes(swap(serialize({ ...command, $db: 'test' }), Buffer.from('éé'), BROKEN));
  return deserialize(swap(answer, BROKEN, Buffer.from('éé')));
}

describe('a text that is no UTF-8', () => {
  it('is stored and sent as it came, found by itself, and no other', async () => {
    const { db } = harness;
    await db.collection('texts').createIndex({ text: 1 }, { unique: true });
    await ask({ insert: 'texts', documents: [{ _id: 1, text: 'aéé' }] });
    await db.collection('texts').insertMany([{ text: 'a\ufffd\u0001\ufffd\u0001' }, { text: 'aéé' }]);
    expect((await ask({ find: 'texts', filter: { text: 'aéé' } })).cursor.firstBatch).toEqual([{ _id: 1, text: 'aéé' }]);
    expect((await ask({ insert: 'texts', documents: [{ text: 'aéé' }] })).writeErrors[0].code).toBe(11000);
    expect(
      await db
        .collection('texts')
        .aggregate([{ $match: { _id: 1 } }, { $project: { bytes: { $strLenBytes: '$text' } } }])
        .toArray(),
    ).toEqual([{ _id: 1, bytes: 5 }]);
  });

  it('stands in the message about a duplicate key that is cut off within a character', async () => {
    const long = '\u{1f92a}'.repeat(100);
    const names = harness.db.collection<{ _id: string }>('names');
    await names.insertOne({ _id: long });
    await expect(names.insertOne({ _id: long })).rejects.toThrow(`dup key: { _id: "${'\u{1f92a}'.repeat(37)}\ufffd..." }`);
    await names.insertMany([{ _id: 'x'.repeat(159) }, { _id: 'y'.repeat(160) }, { _id: '"' }]);
    await expect(names.insertOne({ _id: 'x'.repeat(159) })).rejects.toThrow(`dup key: { _id: "${'x'.repeat(159)}" }`);
    await expect(names.insertOne({ _id: 'y'.repeat(160) })).rejects.toThrow(`dup key: { _id: "${'y'.repeat(150)}..." }`);
    await expect(names.insertOne({ _id: '"' })).rejects.toThrow('dup key: { _id: """ }');
  });
});
