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
