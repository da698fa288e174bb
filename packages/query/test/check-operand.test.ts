import { describe, expect, it } from '@jest/globals';
import { parseQuery } from '../src/index.ts';

const operators = ['$size', '$not', '$all', '$elemMatch', '$regex', '$options', '$eq'];
const parse = (condition: object): unknown => parseQuery({ a: condition }, { operators }).criteria.a;

describe('an operand that no database takes', () => {
  const order = 'a pattern has no order, and what does not match it is found by { $not: pattern }';
  const options = 'expected a text of i, m, s, u and x';
  const flags = (given: string): string =>
    `the pattern has the flags '${given}' and there is $options beside it. Write all flags in one of both`;
  const values = 'expected values, or conditions with $elemMatch alone';
  const operator = 'expected operators, such as { $gt: 1 }; of a value there is $ne';

  it.each<[object, string, string]>([
    [{ $size: '2' }, '$size', 'expected a number of elements'],
    [{ $size: -1 }, '$size', 'expected a number of elements'],
    [{ $size: 1.5 }, '$size', 'expected a number of elements'],
    [{ $not: 5 }, '$not', operator],
    [{ $not: {} }, '$not', operator],
    [{ $not: { b: 1 } }, '$not', operator],
    [{ $all: [{ $gt: 1 }] }, '$all', values],
    [{ $ne: /b/ }, '$ne', order],
    [{ $gt: /b/ }, '$gt', order],
    [{ $gte: /b/ }, '$gte', order],
    [{ $lt: /b/ }, '$lt', order],
    [{ $lte: /b/ }, '$lte', order],
    [{ $regex: /b/i, $options: 'm' }, '$regex', flags('i')],
    [{ $options: '', $regex: /b/g }, '$regex', flags('g')],
    [{ $regex: 'b', $options: 'g' }, '$options', options],
    [{ $regex: /b/, $options: 5 }, '$options', options],
  ])('is refused, and what to write is said: %p', (condition, name, expected) => {
    expect(() => parse(condition)).toThrow(
      expect.objectContaining({ code: 400, message: `Invalid value for a[${name}]: ${expected}`, data: { parameter: `a[${name}]` } }),
    );
  });

  it.each<object>([
    { $size: 0 },
    { $not: /b/i },
    { $not: { $gt: 1 } },
    { $all: [1, { b: 1 }] },
    { $all: [{ $elemMatch: { $gt: 1 } }] },
    { $eq: /b/i },
    { $in: [/b/i] },
    { $regex: /b/i },
    { $regex: /b/, $options: 'im' },
  ])('is none of these: %p', (condition) => {
    expect(parse(condition)).toEqual(condition);
  });
});
