import { describe, expect, it } from '@jest/globals';
import { compileExpression } from '../../src/aggregation/expression.ts';
import { operators } from '../../src/aggregation/operators.ts';
import type { Doc, Value } from '../../src/bson/values.ts';
import { DocDbError } from '../../src/errors.ts';
import { interruptible, spend } from '../../src/interrupt.ts';

const LIST = Array.from({ length: 3000 }, (_none, at) => at);
const TEXT = 'a,'.repeat(1500);
const OBJECT = Object.fromEntries(LIST.map((at) => [`f${String(at)}`, at]));
const ROOT: Doc = { list: LIST, text: TEXT, object: OBJECT };

/**
 * Works an expression out.
 *
 * @param spent bytes that were made before
 * @returns how often it looked whether it may go on, and what came of it
 */
function workedOut(expression: Value, root: Doc = ROOT, spent = 0): { readonly looks: number; readonly value: Value } {
  const evaluate = compileExpression(expression, { names: new Set(), collator: undefined });
  let looks = 0;
  const work = (): Value => {
    try {
      spend(spent);
      return evaluate({ root, vars: {} });
    } catch (error) {
      if (error instanceof DocDbError) return error;
      throw error;
    }
  };
  const value = interruptible(() => {
    looks += 1;
  }, work);
  return { looks, value };
}

/** Evaluates something for each of some elements. */
const times = (count: number, of: Value): Value => ({ $map: { input: LIST.slice(0, count), in: of } });

describe('an expression looks at its time', () => {
  it.each(Object.keys(operators).filter((name) => !operators[name]?.named))('while %s goes through long lists and texts', (name) => {
    const { min = 1 } = operators[name] ?? {};
    for (const field of ['$list', '$text']) {
      const args = min > 1 ? Array.from({ length: min }, () => field) : field;
      expect(workedOut({ [name]: args }).looks).toBeGreaterThanOrEqual(1);
    }
  });

  it.each<[string, Value]>([
    ['$slice', { $slice: ['$list', 2999] }],
    ['$reverseArray', { $reverseArray: '$list' }],
    ['$split', { $split: ['$text', ','] }],
    ['$objectToArray', { $objectToArray: '$object' }],
    ['$arrayToObject', { $arrayToObject: { $map: { input: '$list', in: { k: 'a', v: 1 } } } }],
    ['$mergeObjects', { $mergeObjects: ['$object', { z: 1 }] }],
    ['$setField', { $setField: { field: 'z', input: '$object', value: '$$this' } }],
    ['$sortArray', { $sortArray: { input: '$list', sortBy: 1 } }],
    ['$filter', { $filter: { input: '$list', cond: true } }],
    ['$zip', { $zip: { inputs: ['$list', '$list'] } }],
    ['$trim', { $trim: { input: '$text', chars: ',' } }],
  ])('each time that %s is worked out of something long', (_name, expression) => {
    const { looks, value } = workedOut(times(10, expression));
    expect(value).toHaveLength(10);
    expect(looks).toBeGreaterThanOrEqual(10);
  });
});

describe('an expression that makes or writes a long list looks at its time again and again', () => {
  const many = { document: { list: Array.from({ length: 300_000 }, (_none, at) => at) } };
  const fields = { document: Object.fromEntries(many.document.list.map((at) => [`f${String(at)}`, at])) };
  it.each<[string, Value, Doc]>([
    ['$range', { $range: [0, '$n'] }, { n: 300_000 }],
    ['$bsonSize of a list', { $bsonSize: '$document' }, many],
    ['$bsonSize of fields', { $bsonSize: '$document' }, fields],
  ])('in %s', (_name, expression, root) => {
    expect(workedOut(expression, root).looks).toBeGreaterThanOrEqual(200);
  });
});

describe('an expression has no more in memory than it may', () => {
  const long: Doc = { list: Array.from({ length: 100_000 }, (_none, at) => at), text: 'a'.repeat(1_000_000), object: OBJECT };
  it.each<[string, Value]>([
    ['parts of a list', { $slice: ['$list', 99_999] }],
    ['lists the other way round', { $reverseArray: '$list' }],
    ['last elements', { $lastN: { input: '$list', n: 99_999 } }],
    ['texts', { $toUpper: '$text' }],
    ['parts of a text', { $split: ['$text', 'aaaaaaaaaa'] }],
    ['lists of fields', { $objectToArray: '$object' }],
    ['copies of a document', { $setField: { field: 'z', input: '$object', value: '$$this' } }],
  ])('where it makes many of them: %s', (_what, expression) => {
    // Nearly all of it was made before.
    expect(workedOut(times(1000, expression), long, 1_070_000_000).value).toMatchObject({ code: 146 });
  });

  it('and what its arguments hold is not counted again, however often it is read', () => {
    const read = { $size: [{ $filter: { input: '$many', cond: { $isArray: { $arrayElemAt: ['$lists', 0] } } } }] };
    const { value } = workedOut(read, { many: LIST, lists: [long.list] }, 1_070_000_000);
    expect(value).toBe(LIST.length);
  });
});
