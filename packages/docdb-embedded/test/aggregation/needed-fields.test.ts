import { describe, expect, it } from '@jest/globals';
import { neededFields } from '../../src/aggregation/needed-fields.ts';
import type { Doc } from '../../src/bson/values.ts';

describe('the fields that a pipeline looks at', () => {
  it.each<[string, Doc[]]>([
    ['that leaves out the id alone', [{ $project: { _id: 0 } }]],
    ['that leaves out the id, by false', [{ $match: { a: 1 } }, { $project: { _id: false } }]],
    ['that leaves out others', [{ $project: { a: 0 } }]],
    ['that leaves out what is inside', [{ $project: { a: { b: 0 } } }]],
    ['that gives the whole document on', [{ $project: { _id: 0, all: '$$ROOT' } }]],
    ['that ends with all', [{ $match: { a: 1 } }]],
  ])('are all of a pipeline %s', (_what, pipeline) => {
    expect(neededFields(pipeline)).toBeUndefined();
  });

  it.each<[string, Doc[]]>([
    ['that takes some, without the id', [{ $project: { _id: 0, a: 1 } }]],
    ['that works out some, without the id', [{ $project: { _id: 0, sum: { $add: ['$a', '$b'] } } }]],
    ['that groups', [{ $match: { c: 1 } }, { $group: { _id: '$a', n: { $sum: 1 } } }]],
  ])('are some of a pipeline %s', (_what, pipeline) => {
    expect(neededFields(pipeline)).toBeDefined();
  });
});
