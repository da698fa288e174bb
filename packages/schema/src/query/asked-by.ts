import { unseenConditions, type Problem, type Viewer } from '@framework/core';
import { isPlainObject } from '@framework/query';
import type { RecordShape } from '../record-shape/record-shape.ts';
import { invalidData, problemsIn } from '../validation/problems.ts';
import type { Validator } from '../validation/validator.ts';
import { queryable } from './queryable.ts';

const NOT_ALLOWED = 'must be equal to one of the allowed values';

/** Where a condition stands: in `$sort`, or in lists of conditions. */
const PLACE = /^(?:\$\w+\.(?:\d+\.)?)*/;

/** A name that `$select` can not take. */
const SELECTED = /^\$select\.\d+$/;

/**
 * Checks and converts the query of a caller who does not see all of the records. Of what this one does not see it says what it says of what does not exist:
 * neither its type nor its name among those that there are.
 *
 * @param validate the check of queries from outside
 * @returns resolves to the converted query; rejects with BadRequest (400) that lists the problems in `errors`, at most 20
 * @see security S7
 */
export async function askedBy(viewer: Viewer, query: unknown, shape: RecordShape, validate: Validator): Promise<unknown> {
  const { converted, invalid } = await validate(query).then(
    (made: unknown) => ({ converted: made, invalid: [] }),
    (error: unknown) => ({ converted: query, invalid: problemsIn(error) }),
  );
  const unseen = unseenConditions(converted, shape, viewer);
  if (unseen.length === 0 && invalid.length === 0) return converted;
  const sees = (name: string): boolean => shape.property(name.split('.'), viewer)?.readable !== false;
  const params = { allowedValues: queryable(shape.root, false).select.filter(sees) };
  const conditions = unseen.filter(({ path }) => path !== '$select').map(asUnknown);
  const told: readonly Problem[] = [
    ...conditions,
    ...unseenSelected(converted, sees).map((path) => ({ path, keyword: 'enum', message: `${path} ${NOT_ALLOWED}`, params })),
    ...invalid
      .filter(({ path }) => !conditions.some((condition) => path === condition.path || path.startsWith(`${condition.path}.`)))
      .map((problem) => (problem.keyword === 'enum' && SELECTED.test(problem.path) ? { ...problem, params } : problem)),
  ];
  // The order in which they were found would tell which there are.
  throw invalidData(told.toSorted((one, other) => (one.path < other.path ? -1 : Number(one.path > other.path))));
}

/** As the check of queries tells of a property that there is not. */
function asUnknown(problem: Problem): Problem {
  if (problem.keyword !== 'additionalProperties') return problem;
  return { ...problem, params: { additionalProperty: problem.path.replace(PLACE, '') } };
}

/** @returns the places in `$select` of names that the caller does not see */
function unseenSelected(query: unknown, sees: (name: string) => boolean): string[] {
  const given = isPlainObject(query) ? query.$select : undefined;
  const names: readonly unknown[] = Array.isArray(given) ? given : [given];
  return names.flatMap((name, index) => (typeof name === 'string' && !sees(name) ? [`$select.${String(index)}`] : []));
}
