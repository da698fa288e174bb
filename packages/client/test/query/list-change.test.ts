import { describe, expect, it } from '@jest/globals';
import { listChange, type RecordChange } from '../../src/query/list-change.ts';

const created = (record: object): RecordChange => ({ type: 'created', record, id: 'id', isWhole: true });

describe('a record that comes to a list', () => {
  it('has its place where one key leads into a list', () => {
    const found = [{ id: 1, tags: ['a', 'z'], name: 'b' }];
    const record = { id: 2, tags: ['a'], name: 'a' };
    expect(listChange(found, { $sort: { tags: 1, name: 1 } }, created(record))).toEqual({ kind: 'changed', found: [record, ...found] });
  });

  it('has one that the server tells where several keys do: values of one element belong together', () => {
    // By the least of each key alone the new one would come second.
    const found = [
      {
        id: 1,
        parts: [
          { a: 1, b: 9 },
          { a: 2, b: 0 },
        ],
      },
    ];
    const record = {
      id: 2,
      parts: [
        { a: 1, b: 5 },
        { a: 7, b: 3 },
      ],
    };
    const sort = { 'parts.a': 1, 'parts.b': 1 };
    expect(listChange(found, { $sort: sort }, created(record))).toEqual({ kind: 'refetch' });
  });
});

describe('a record that comes to a list which is sorted by what may be the JSON of another value', () => {
  const decimal = (text: string): object => ({ price: { $numberDecimal: text } });
  const long = { price: { low: 1, high: 2_097_152, unsigned: false } };

  it.each<[string, object, object]>([
    ['a decimal among decimals', decimal('9'), decimal('15.25')],
    ['a number among decimals', decimal('9'), { price: 15 }],
    ['a decimal among numbers', { price: 9 }, decimal('15.25')],
    ['a large integer among numbers', { price: 9 }, long],
  ])('has the place that the server tells: %s', (_what, held, added) => {
    const found = [{ id: 1, shop: 'a', ...held }];
    const change = created({ id: 2, shop: 'a', ...added });
    expect(listChange(found, { $sort: { price: 1 } }, change)).toEqual({ kind: 'refetch' });
    expect(listChange(found, { $sort: { shop: 1, price: -1 } }, change)).toEqual({ kind: 'refetch' });
  });

  it('has its place where what stands in front decides', () => {
    const found = [{ id: 1, shop: 'b', ...decimal('9') }];
    const record = { id: 2, shop: 'a', ...decimal('15.25') };
    expect(listChange(found, { $sort: { shop: 1, price: 1 } }, created(record))).toEqual({ kind: 'changed', found: [record, ...found] });
  });
});

describe('a condition by a text that may say the same as another one', () => {
  const at = '2020-01-01T01:00:00.000Z';
  const ref = '65a1b2c3d4e5f6a7b8c9d0e1';
  const found = [{ id: 1, name: 'old', at, ref }];
  const patched: RecordChange = { type: 'patched', record: { id: 1, name: 'new', at, ref }, id: 'id', isWhole: true };

  it.each([
    { at: { $gte: '2020-01-01T02:00:00+01:00' } },
    { at: { $gte: '2020-01-01T01:00:00Z' } },
    { at: { $in: ['2020-01-01', '2020-01-01T01:00:00Z'] } },
    { ref: ref.toUpperCase() },
  ])('is left to the server: %j', (query) => {
    expect(listChange(found, query, patched)).toEqual({ kind: 'refetch' });
  });

  it.each([{ at: { $gte: new Date(0) } }, { at: { $gte: '1970-01-01T00:00:00.000Z' } }, { ref }])(
    'is told where it has the form of the record: %j',
    (query) => {
      expect(listChange(found, query, patched)).toEqual({ kind: 'changed', found: [patched.record] });
    },
  );
});
