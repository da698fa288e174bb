import { expect, it } from '@jest/globals';
import { Int32 } from 'mongodb';
import { shownConditions } from '../../src/operations/shown-conditions.ts';

it.each<[string, object | object[], object[]]>([
  ['what is set', { $set: { owner: 'me', 'a.b': null } }, [{ owner: { $eq: 'me' } }, { 'a.b': { $eq: null } }]],
  ['a value as it is stored', { $set: { a: { b: [true], c: undefined }, d: undefined } }, [{ a: { $eq: { b: [true] } } }]],
  ['a number as one of the database', { $set: { a: 1 } }, [{ a: { $eq: new Int32(1) } }]],
  ['nothing of operators', { $inc: { a: 1 }, $push: { b: 1 } }, []],
  ['nothing of elements that the change finds', { $set: { 'list.$[].a': 'x', 'list.$[one].a': 'x', b: 'x' } }, [{ b: { $eq: 'x' } }]],
  ['nothing of what is large', { $set: { a: 'x'.repeat(1100), b: 'x' } }, [{ b: { $eq: 'x' } }]],
  [
    'what stages set whole',
    [{ $set: { a: { $literal: 'x' }, b: { $mergeObjects: [{ $literal: {} }, { c: '$b.c' }] } } }, { $set: { d: { $literal: 'y' } } }],
    [{ a: { $eq: 'x' } }, { d: { $eq: 'y' } }],
  ],
])('a record shows %s', (_title, change, expected) => {
  expect(shownConditions(change)).toEqual(expected);
});
