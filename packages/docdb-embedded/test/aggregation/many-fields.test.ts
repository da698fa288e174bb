import { describe, expect, it, jest } from '@jest/globals';
import { compileSteps } from '../../src/aggregation/pipeline.ts';
import { NO_COLLECTIONS } from '../../src/aggregation/pipeline-types.ts';
import { inOrder } from '../../src/bson/field-order.ts';
import type { Doc } from '../../src/bson/values.ts';

/** What a stage makes of a document. */
function made(stage: Doc, doc: Doc): Doc {
  const [step] = compileSteps([stage], { host: NO_COLLECTIONS, scope: { collator: undefined, names: new Set() } });
  return step?.run([doc], {})[0] ?? {};
}

/** Counts the copies that are made of documents which keep an order of their own: for each their names are read. */
function copiesDuring(work: () => unknown): number {
  const read = jest.spyOn(Reflect, 'ownKeys');
  try {
    work();
    return read.mock.calls.length;
  } finally {
    read.mockRestore();
  }
}

const names = Array.from({ length: 200 }, (_none, n) => `f${String(n)}`);

describe('fields that a stage sets', () => {
  it.each(['$set', '$addFields', '$project'])('are set in one copy, however many they are: %s', (stage) => {
    const copiesOf = (count: number): number => {
      const fields = names.slice(0, count).map((name) => [`inner.${name}`, { $literal: name }] as const);
      const shown = stage === '$project' ? { 'inner.1': 1, 'inner.0': 1 } : {};
      const doc = { _id: 1, inner: inOrder({ 1: 1, 0: 1 }, ['1', '0']) as Doc };
      return copiesDuring(() => {
        expect(Object.keys(made({ [stage]: { ...shown, ...Object.fromEntries(fields) } }, doc).inner as Doc)).toHaveLength(2 + count);
      });
    };
    expect(copiesOf(200)).toBe(copiesOf(2));
  });

  it('are filled in one copy too', () => {
    const copiesOf = (count: number): number => {
      const output = Object.fromEntries(names.slice(0, count).map((name) => [`inner.${name}`, { value: { $literal: name } }]));
      return copiesDuring(() => {
        const doc = { _id: 1, inner: inOrder({ 1: 1, 0: 1 }, ['1', '0']) as Doc };
        expect(Object.keys(made({ $fill: { output } }, doc).inner as Doc)).toHaveLength(2 + count);
      });
    };
    expect(copiesOf(200)).toBe(copiesOf(2));
  });

  it.each<[Doc, number]>([
    [{ $set: { a: 1, 'a.b': 2 } }, 40176],
    [{ $set: { 'a.b.c': 1, 'a.b': 2 } }, 40176],
    [{ $fill: { output: { 'a.b': { value: 1 }, a: { value: 2 } } } }, 40176],
    [{ $fill: { sortBy: { x: 1 }, output: { 'a.b': { method: 'locf' }, a: { method: 'locf' } } } }, 6307900],
    [{ $setWindowFields: { output: { a: { $sum: 1 }, 'a.b': { $sum: 1 } } } }, 6307900],
  ])('are refused where one leads through another: %j', (stage, code) => {
    expect(() => made(stage, { _id: 1 })).toThrow(expect.objectContaining({ code }));
  });

  it('come in the order in which they are written', () => {
    const doc = { _id: 1, list: [{ a: 1 }, 2, [{ a: 3 }]] };
    expect(JSON.stringify(made({ $set: { 'x.b': 1, y: 2, 'x.a': 3, 'list.n': '$_id', 'list.m.o': 5 } }, doc))).toBe(
      '{"_id":1,"list":[{"a":1,"n":1,"m":{"o":5}},{"n":1,"m":{"o":5}},[{"a":3,"n":1,"m":{"o":5}}]],"x":{"b":1,"a":3},"y":2}',
    );
    expect(JSON.stringify(made({ $project: { 'x.b': '$_id', y: '$_id', 'x.a': '$_id', 'list.n': '$_id', 'list.a': 1 } }, doc))).toBe(
      '{"_id":1,"list":[{"a":1,"n":1},{"n":1},[{"a":3,"n":1}]],"x":{"b":1,"a":1},"y":1}',
    );
  });

  it('see the document as it was, and those that are missing are taken away', () => {
    const doc = { _id: 1, a: 1, b: { c: 2, d: 3 } };
    expect(made({ $set: { a: '$none', 'b.c': '$$REMOVE', 'b.e': '$b.c', f: '$a', g: '$none' } }, doc)).toEqual({
      _id: 1,
      b: { d: 3, e: 2 },
      f: 1,
    });
  });
});
