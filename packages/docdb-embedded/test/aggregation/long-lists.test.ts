import { describe, expect, it } from '@jest/globals';
import { compileExpression } from '../../src/aggregation/expression.ts';
import { compileGroupFields } from '../../src/aggregation/group-fields.ts';
import type { Doc, Value } from '../../src/bson/values.ts';
import { indexValues } from '../../src/query/path-values.ts';
import { prepareUpdate } from '../../src/update/update-document.ts';

/** More than a call of a function can have arguments. */
const MANY = 200_000;
const many = Array.from({ length: MANY }, (_none, index) => index);
const scope = { collator: undefined, names: new Set<string>() };

function grouped(field: Doc, docs: Iterable<Doc>): Value {
  const [compiled] = compileGroupFields({ field }, scope);
  const state: Value[] = [];
  for (const root of docs) compiled?.add(state, { root, vars: {} });
  return compiled?.finish(state);
}

describe('lists longer than a call can have arguments', () => {
  const update = { collator: undefined, filter: {}, arrayFilters: [], keepsEmptyTimes: false, pipeline: () => (doc: Doc) => doc };

  it.each([
    [1, [1, ...many, 2]],
    [-5, [...many, 1, 2]],
    [9, [1, 2, ...many]],
  ])('are pushed, at position %d too', ($position, list) => {
    const { apply } = prepareUpdate({ $push: { list: { $each: many, $position } } }, update);
    expect(apply({ list: [1, 2] }, false)).toEqual({ list });
  });

  it('have an index', () => {
    expect(indexValues({ list: many }, ['list'])).toEqual(many);
  });

  it('become a set of a group', () => {
    const set = grouped(
      { $addToSet: '$n' },
      many.map((n) => ({ n })),
    );
    expect((set as Value[]).length).toBe(MANY);
  });

  it('are put side by side', () => {
    const sides = compileExpression({ $zip: { inputs: many.map((n) => [n]) } }, scope)({ root: {}, vars: {} });
    expect(sides).toEqual([many]);
  });
});

it('documents are merged by work that grows with them and not with their square', () => {
  const workOf = (count: number): number => {
    const [field] = compileGroupFields({ field: { $mergeObjects: '$doc' } }, scope);
    const state: Value[] = [];
    let work = 0;
    for (const n of many.slice(0, count)) {
      field?.add(state, { root: { doc: { [`f${String(n)}`]: n } }, vars: {} });
      // What was merged is one document now, which was copied for that.
      if (state.length === 1) work += Object.keys(state[0] as Doc).length;
    }
    expect(Object.keys(field?.finish(state) as Doc)).toHaveLength(count);
    return work;
  };
  expect(workOf(32_000)).toBeLessThan(workOf(8000) * 6);
});
