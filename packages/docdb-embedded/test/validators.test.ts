import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Decimal128, type Document, Long } from 'mongodb';
import { start, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.db.dropDatabase();
  await harness.db.collection('from').insertOne({ _id: 1, a: 'text' } as never);
  await harness.db.createCollection('into', { validator: { a: { $type: 'int' } } });
});

const into = (): Promise<Document[]> => harness.db.collection('into').find().toArray();
const run = (stage: Document, options: { bypassDocumentValidation?: boolean } = {}): Promise<Document[]> =>
  harness.db.collection('from').aggregate([stage], options).toArray();

describe('a validator', () => {
  it.each([{ $merge: 'into' }, { $out: 'into' }])('refuses what %j would write', async (stage) => {
    await expect(run(stage)).rejects.toMatchObject({ code: 121 });
    expect(await into()).toEqual([]);
  });

  it.each([
    ['warn', 'Document would fail validation', 'done'],
    ['errorAndLog', 'Document failed validation', 121],
    ['error', undefined, 121],
  ])('that does %s writes %s into the log, and answers %s', async (validationAction, message, answered) => {
    const told: unknown[] = [];
    const spy = jest.spyOn(console, 'warn').mockImplementation((line: unknown) => told.push(JSON.parse(String(line))));
    await harness.db.command({ collMod: 'into', validationAction });
    const document = { _id: Long.fromString('9007199254740993'), a: 'x' };
    const done = await harness.db.command({ insert: 'into', documents: [document] });
    expect(done.writeErrors === undefined ? 'done' : (done.writeErrors as Document[])[0]?.code).toBe(answered);
    spy.mockRestore();
    const attr = {
      namespace: 'test.into',
      document: expect.stringContaining('9007199254740993'),
      errInfo: expect.stringContaining('$type'),
    };
    expect(told).toEqual(message === undefined ? [] : [expect.objectContaining({ s: 'W', c: 'STORAGE', msg: message, attr })]);
    const { log } = await harness.client.db('admin').command({ getLog: 'global' });
    expect((log as string[]).filter((line) => line.includes(`"msg":"${String(message)}"`))).toHaveLength(told.length);
    await harness.db.command({ collMod: 'into', validationAction: 'error' });
  });

  it.each([{ $merge: 'into' }, { $out: 'into' }])('is passed by %j that asks for it', async (stage) => {
    await run(stage, { bypassDocumentValidation: true });
    expect(await into()).toEqual([{ _id: 1, a: 'text' }]);
  });

  it('refuses what a $merge would make of a document', async () => {
    await harness.db.collection('into').insertOne({ _id: 1, a: 1 } as never);
    await expect(run({ $merge: 'into' })).rejects.toMatchObject({ code: 121 });
    expect(await into()).toEqual([{ _id: 1, a: 1 }]);
  });

  it.each([
    [0.01, 19.99, true],
    [0.1, 0.3, true],
    [0.01, 19.995, false],
    [0.01, Decimal128.fromString('1234567.89'), true],
    [Decimal128.fromString('0.25'), 2.75, true],
    [2.5, 10, true],
    [0.1, Infinity, false],
  ])('takes multiples of %s as they are written: %s is one, %s', async (multipleOf, price, fits) => {
    await harness.db.createCollection('prices', { validator: { $jsonSchema: { properties: { price: { multipleOf } } } } });
    const inserted = harness.db.collection('prices').insertOne({ price });
    await (fits ? inserted : expect(inserted).rejects.toMatchObject({ code: 121 }));
    expect(await harness.db.collection('prices').countDocuments()).toBe(fits ? 1 : 0);
  });

  it.each([NaN, Infinity])('has no multiples of %s', async (multipleOf) => {
    const validator = { $jsonSchema: { properties: { price: { multipleOf } } } };
    await expect(harness.db.createCollection('prices', { validator })).rejects.toMatchObject({ code: 2 });
  });

  it('does not ask what becomes a capped collection', async () => {
    await harness.db.collection('into').insertOne({ a: 'text' }, { bypassDocumentValidation: true });
    await harness.db.command({ convertToCapped: 'into', size: 100_000 });
    expect(await into()).toMatchObject([{ a: 'text' }]);
  });
});

describe('a moderate validator', () => {
  beforeEach(async () => {
    await harness.db.collection('into').insertOne({ _id: 1, a: 'text' } as never, { bypassDocumentValidation: true });
    await harness.db.collection('into').insertOne({ _id: 2, a: 1 } as never);
    await harness.db.command({ collMod: 'into', validationLevel: 'moderate' });
  });

  it('lets a document change that did not fit before', async () => {
    await harness.db.collection('into').updateOne({ _id: 1 as never }, { $set: { b: 1 } });
    expect(await harness.db.collection('into').findOne({ _id: 1 as never })).toEqual({ _id: 1, a: 'text', b: 1 });
  });

  it('lets findAndModify change a document that did not fit before', async () => {
    const after = await harness.db
      .collection('into')
      .findOneAndUpdate({ _id: 1 as never }, { $set: { b: 1 } }, { returnDocument: 'after' });
    expect(after).toEqual({ _id: 1, a: 'text', b: 1 });
  });

  it('lets a $merge change a document that did not fit before', async () => {
    await run({ $merge: 'into' });
    await run({ $merge: { into: 'into', whenMatched: [{ $set: { b: 1 } }] } });
    expect(await harness.db.collection('into').findOne({ _id: 1 as never })).toEqual({ _id: 1, a: 'text', b: 1 });
  });

  it('refuses a change of a document that did fit', async () => {
    await expect(harness.db.collection('into').updateOne({ _id: 2 as never }, { $set: { a: 'text' } })).rejects.toMatchObject({
      code: 121,
    });
  });

  it('refuses a new document, by an upsert too', async () => {
    const upsert = harness.db.collection('into').updateOne({ _id: 3 as never }, { $set: { a: 'text' } }, { upsert: true });
    await expect(upsert).rejects.toMatchObject({ code: 121 });
  });
});

describe('what a validator says of a document that it refuses', () => {
  const detailsOf = async (validator: Document, doc: Document): Promise<unknown> => {
    const checked = await harness.db.createCollection('checked', { validator });
    const error = await checked.insertOne({ _id: 1, ...doc } as never).catch((given: unknown) => given);
    expect(error).toMatchObject({ code: 121, errInfo: { failingDocumentId: 1 } });
    return (error as { errInfo: Document }).errInfo.details;
  };
  const failed = { specifiedAs: { a: { $gt: 5 } }, operatorName: '$gt' };

  it.each<[Document, Document, Document]>([
    [{ a: { $gt: 5 } }, { a: 1 }, { ...failed, reason: 'comparison failed', consideredValue: 1 }],
    [{ a: { $gt: 5 } }, { a: [1, 2] }, { ...failed, reason: 'comparison failed', consideredValues: [1, 2, [1, 2]] }],
    [{ a: { $gt: 5 } }, {}, { ...failed, reason: 'field was missing' }],
    [
      { a: { $gt: 5 }, b: 1, c: { $exists: true } },
      { a: 9, b: 2 },
      {
        operatorName: '$and',
        clausesNotSatisfied: [
          { index: 1, details: { operatorName: '$eq', specifiedAs: { b: { $eq: 1 } }, reason: 'comparison failed', consideredValue: 2 } },
          { index: 2, details: { operatorName: '$exists', specifiedAs: { c: { $exists: true } }, reason: 'path does not exist' } },
        ],
      },
    ],
    [
      { $nor: [{ a: { $gt: 5 } }, { b: 1 }] },
      { a: 9 },
      {
        operatorName: '$nor',
        clausesSatisfied: [{ index: 0, details: { ...failed, reason: 'comparison succeeded', consideredValue: 9 } }],
      },
    ],
    [
      { a: { $not: { $gt: 5 } } },
      { a: 9 },
      { operatorName: '$not', details: { ...failed, reason: 'comparison succeeded', consideredValue: 9 } },
    ],
    [
      { a: { $ne: 5 } },
      { a: 5 },
      { operatorName: '$ne', specifiedAs: { a: { $ne: 5 } }, reason: 'comparison succeeded', consideredValue: 5 },
    ],
    [
      { a: { $type: 'string' } },
      { a: 5 },
      {
        operatorName: '$type',
        specifiedAs: { a: { $type: 'string' } },
        reason: 'type did not match',
        consideredValue: 5,
        consideredType: 'int',
      },
    ],
    [
      { $expr: { $gt: ['$a', '$b'] } },
      { a: 1, b: 2 },
      {
        operatorName: '$expr',
        specifiedAs: { $expr: { $gt: ['$a', '$b'] } },
        reason: 'expression did not match',
        expressionResult: false,
      },
    ],
  ])('of %j about %j is why', async (validator, doc, details) => {
    expect(await detailsOf(validator, doc)).toEqual(details);
  });

  it.each<[Document, Document, Document]>([
    [{ required: ['a', 'b'] }, { a: 1 }, { operatorName: 'required', specifiedAs: { required: ['a', 'b'] }, missingProperties: ['b'] }],
    [
      { properties: { a: { bsonType: 'object', properties: { b: { minimum: 5, exclusiveMinimum: true, description: 'more than 5' } } } } },
      { a: { b: 5 } },
      {
        operatorName: 'properties',
        propertiesNotSatisfied: [
          {
            propertyName: 'a',
            details: [
              {
                operatorName: 'properties',
                propertiesNotSatisfied: [
                  {
                    propertyName: 'b',
                    description: 'more than 5',
                    details: [
                      {
                        operatorName: 'minimum',
                        specifiedAs: { minimum: 5, exclusiveMinimum: true },
                        reason: 'comparison failed',
                        consideredValue: 5,
                      },
                    ],
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
    [
      { properties: { _id: {} }, patternProperties: { '^s': {} }, additionalProperties: false },
      { s1: 1, other: 1 },
      { operatorName: 'additionalProperties', specifiedAs: { additionalProperties: false }, additionalProperties: ['other'] },
    ],
    [
      { properties: { a: { items: [{}], additionalItems: { bsonType: 'int' } } } },
      { a: ['x', 1, 'y'] },
      {
        operatorName: 'properties',
        propertiesNotSatisfied: [
          {
            propertyName: 'a',
            details: [
              {
                operatorName: 'additionalItems',
                reason: 'At least one additional item did not match the sub-schema',
                itemIndex: 2,
                details: [
                  {
                    operatorName: 'bsonType',
                    specifiedAs: { bsonType: 'int' },
                    reason: 'type did not match',
                    consideredValue: 'y',
                    consideredType: 'string',
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
    [
      { anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      {},
      {
        operatorName: 'anyOf',
        schemasNotSatisfied: ['a', 'b'].map((name, index) => ({
          index,
          details: [{ operatorName: 'required', specifiedAs: { required: [name] }, missingProperties: [name] }],
        })),
      },
    ],
    [
      { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      { a: 1, b: 1 },
      { operatorName: 'oneOf', reason: 'more than one subschema matched', matchingSchemaIndexes: [0, 1] },
    ],
    [
      { dependencies: { a: ['b'], c: { required: ['d'] } } },
      { a: 1, c: 1, d: 1 },
      { operatorName: 'dependencies', failingDependencies: [{ conditionalProperty: 'a', missingProperties: ['b'] }] },
    ],
  ])('of the schema %j about %j is which rule', async (schema, doc, rule) => {
    expect(await detailsOf({ $jsonSchema: { title: 'An item', ...schema } }, doc)).toEqual({
      operatorName: '$jsonSchema',
      title: 'An item',
      schemaRulesNotSatisfied: [rule],
    });
  });

  it('is no more than that there is too much', async () => {
    expect(await detailsOf({ a: 1 }, { a: 'x'.repeat(2 ** 21) })).toEqual({
      operatorName: '$eq',
      reason: 'the details are too large to be told',
    });
  });
});
