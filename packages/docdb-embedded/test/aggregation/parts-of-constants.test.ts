import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Decimal128, type Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

const AT = new Date('2024-05-15T10:30:00Z');
let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.db.dropDatabase();
  await harness.db.collection('c').insertOne({ _id: 1, at: AT, bad: null } as never);
});

const ask = (expression: Document, options: Document = {}): Promise<unknown> =>
  harness.db
    .collection('c')
    .aggregate([{ $project: { value: expression } }], options)
    .toArray()
    .then(
      ([doc]) => doc?.value as unknown,
      (error: unknown) => (error as { code?: unknown }).code,
    );

describe('the day that weeks begin with, where no week is asked for', () => {
  const day = new Date('2024-05-15T00:00:00Z');
  it.each<[string, Document, unknown]>([
    ['is not looked at where all is constant', { $dateTrunc: { date: AT, unit: 'day', startOfWeek: null } }, day],
    ['nor where it is wrong', { $dateTrunc: { date: AT, unit: 'day', startOfWeek: 'someday' } }, day],
    ['makes null of a field when it is null', { $dateTrunc: { date: '$at', unit: 'day', startOfWeek: null } }, null],
    ['is wrong beside a field when it is wrong', { $dateTrunc: { date: '$at', unit: 'day', startOfWeek: 'someday' } }, 5439016],
    ['is not looked at when it is a field', { $dateTrunc: { date: '$at', unit: 'day', startOfWeek: '$bad' } }, day],
    ['counts as well for differences', { $dateDiff: { startDate: '$at', endDate: AT, unit: 'day', startOfWeek: null } }, null],
    ['and not where those are constant', { $dateDiff: { startDate: AT, endDate: AT, unit: 'day', startOfWeek: null } }, 0],
  ])('%s', async (_what, expression, value) => {
    expect(await ask(expression)).toEqual(value);
  });
});

describe('a logarithm of a decimal', () => {
  // Worked out with 90 digits, rounded to 113 bits on the way in and out.
  it.each([
    ['1', '0'],
    ['3', '1.098612288668109691395245236922526'],
    ['7.389056098930650', '1.999999999999999969247705739646506'],
    // Right to the last digit these would be greater by one there.
    ['2.601777', '0.9561946731124255452255076957684366'],
    ['2.608885', '0.9589229269922416460958761201976398'],
    ['2.614216', '0.9609642437698334076869911489096339'],
    ['1.000000000000000000000000000000001', '9.999999999999999999999999999999995E-34'],
  ])('goes by way of binary numbers of 128 bits: %s', async (of, wanted) => {
    expect(String(await ask({ $ln: Decimal128.fromString(of) }))).toBe(wanted);
  });
});

describe('a filter by $expr under a collation', () => {
  const find = (filter: Document): Promise<number> =>
    harness.db.collection('c').countDocuments(filter, { collation: { locale: 'en', strength: 1 } });
  beforeEach(async () => {
    await harness.db.collection('c').insertMany([{ name: 'apple' }, { name: 'Apple' }]);
  });
  it('finds texts of a list as they are written', async () => {
    expect(await find({ $expr: { $in: ['$name', ['Apple', 'Pear']] } })).toBe(1);
    expect(await find({ $expr: { $and: [{ $in: ['$name', ['Apple']] }, true] } })).toBe(1);
    expect(await find({ $expr: { $or: [{ $in: ['$name', ['Apple']] }, { $eq: ['$name', 'APPLE'] }] } })).toBe(2);
  });
  it('and compares by the collation elsewhere', async () => {
    expect(await find({ $expr: { $eq: ['$name', 'APPLE'] } })).toBe(2);
    expect(await find({ name: { $in: ['Apple', 'Pear'] } })).toBe(2);
    expect(await find({ $expr: { $not: { $in: ['$name', ['APPLE']] } } })).toBe(1);
  });
});

it('fills values only where a pipeline changes documents', async () => {
  const fill = (field: Document, more: Document = {}): Document => ({ $fill: { ...more, output: { bad: field } } });
  const change = (stage: Document): Promise<unknown> =>
    harness.db
      .collection('c')
      .updateOne({}, [stage])
      .then(
        () => 'done',
        (error: unknown) => (error as { code?: unknown }).code,
      );
  expect(await change(fill({ value: 7 }))).toBe('done');
  expect(await harness.db.collection('c').findOne({})).toMatchObject({ bad: 7 });
  expect(await change(fill({ method: 'locf' }, { sortBy: { _id: 1 } }))).toBe(72);
});

it('joins no view that compares texts in another way', async () => {
  await harness.db.createCollection('view', { viewOn: 'c', pipeline: [], collation: { locale: 'fr', strength: 2 } });
  const join = (stage: Document, collation?: Document): Promise<unknown> =>
    harness.db
      .collection('c')
      .aggregate([stage], collation ? { collation: collation as never } : {})
      .toArray()
      .then(
        () => 'joined',
        (error: unknown) => (error as { code?: unknown }).code,
      );
  const lookup = { $lookup: { from: 'view', localField: 'a', foreignField: 'a', as: 'found' } };
  expect(await join(lookup, { locale: 'en', strength: 1 })).toBe(167);
  expect(await join(lookup, { locale: 'fr', strength: 2 })).toBe('joined');
  expect(await join({ $unionWith: 'view' })).toBe(167);
  expect(await join({ $unionWith: 'c' }, { locale: 'en' })).toBe('joined');
});
