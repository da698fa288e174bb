import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Binary, type Document, UUID } from 'mongodb';
import { start, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(() => harness.db.dropDatabase());

/** What a driver makes of a value: the kind of encryption, the id of the key, the type of the value, and the value. */
const encrypted = (type: number, kind = 1): Binary =>
  new Binary(Buffer.from([kind, ...new UUID().buffer, type, 1, 2, 3]), Binary.SUBTYPE_ENCRYPTED);
const STRING = 2;
const INT = 16;
const DETERMINISTIC = 'AEAD_AES_256_CBC_HMAC_SHA_512-Deterministic';

describe('a schema of encrypted fields', () => {
  const people = (field: Document): Promise<unknown> =>
    harness.db.createCollection('people', { validator: { $jsonSchema: { bsonType: 'object', properties: { field } } } });
  const inserted = async (field: unknown): Promise<unknown> =>
    harness.db
      .collection('people')
      .insertOne({ field })
      .then(
        () => 'taken',
        (error: unknown) => (error as { errInfo: { details: Document } }).errInfo.details.schemaRulesNotSatisfied as unknown,
      );
  const refused = (reason: string): Document[] => [
    { operatorName: 'properties', propertiesNotSatisfied: [{ propertyName: 'field', details: [{ operatorName: 'encrypt', reason }] }] },
  ];
  const plain = refused('value was not encrypted');
  const otherType = refused('encrypted value has wrong type');

  it.each<[string, Document, unknown, unknown]>([
    ['takes what is encrypted', {}, encrypted(STRING), 'taken'],
    ['takes what is encrypted in another way', {}, encrypted(STRING, 6), 'taken'],
    ['refuses a text', {}, 'plain', plain],
    ['refuses other binary data', {}, new Binary(Buffer.alloc(20), 0), plain],
    ['refuses a list of what is encrypted', {}, [encrypted(STRING)], plain],
    ['takes an encrypted text where one is wanted', { bsonType: 'string' }, encrypted(STRING), 'taken'],
    ['takes a text that was encrypted at random', { bsonType: ['int', 'string'] }, encrypted(STRING, 2), 'taken'],
    ['takes an encrypted number', { bsonType: 'number' }, encrypted(INT), 'taken'],
    ['refuses an encrypted number in place of a text', { bsonType: 'string' }, encrypted(INT), otherType],
    ['refuses an encrypted text in place of a number', { bsonType: 'number' }, encrypted(STRING), otherType],
    ['refuses what does not tell its type', { bsonType: 'string' }, encrypted(STRING, 6), otherType],
    ['refuses what is too short to', { bsonType: 'string' }, new Binary(Buffer.from([1, 2]), 6), otherType],
  ])('%s (%j)', async (_, encrypt, field, answer) => {
    await people({ encrypt: { ...encrypt, algorithm: DETERMINISTIC, keyId: [new UUID()] } });
    expect(await inserted(field)).toEqual(answer);
  });

  it('finds documents', async () => {
    await harness.db.collection('people').insertMany([{ field: encrypted(STRING) }, { field: 'plain' }, {}]);
    const found = await harness.db
      .collection('people')
      .find({ $jsonSchema: { required: ['field'], properties: { field: { encrypt: {} } } } })
      .toArray();
    expect(found).toHaveLength(1);
  });

  it.each<[Document, number]>([
    [{ encrypt: {}, type: 'object' }, 9],
    [{ encrypt: {}, bsonType: 'object' }, 9],
    [{ encrypt: {}, encryptMetadata: { keyId: '/key' } }, 9],
    [{ encrypt: 1 }, 14],
    [{ encrypt: { colour: 1 } }, 40415],
    [{ encrypt: { bsonType: 1 } }, 14],
    [{ encrypt: { bsonType: 'colour' } }, 2],
    [{ encrypt: { algorithm: 'none' } }, 2],
    [{ encrypt: { initializationVector: 'none' } }, 14],
    [{ encrypt: { keyId: 1 } }, 51085],
    [{ encrypt: { keyId: ['text'] } }, 51088],
    [{ encrypt: { keyId: [new Binary(Buffer.alloc(16), 0)] } }, 51084],
    [{ encryptMetadata: 1 }, 14],
    [{ encryptMetadata: {} }, 9],
    [{ encryptMetadata: { bsonType: 'string' } }, 40415],
  ])('is not %j', async (field, code) => {
    await expect(people(field)).rejects.toMatchObject({ code });
  });

  it.each<[Document]>([
    [{ encrypt: { keyId: '/key', algorithm: DETERMINISTIC, initializationVector: new Binary(Buffer.alloc(16)) } }],
    [{ encryptMetadata: { keyId: [new UUID()], algorithm: DETERMINISTIC }, bsonType: 'object', properties: { a: { encrypt: {} } } }],
  ])('may be %j', async (field) => {
    await people(field);
    expect(await inserted(encrypted(STRING))).toEqual('encrypt' in field ? 'taken' : expect.anything());
  });
});
