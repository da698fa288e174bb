import { MARK_NAMES } from '../record-shape/marks.ts';

/** Keywords that decide what a value is, or who sees it: one that is spelled otherwise would decide nothing. */
const DECIDING: readonly string[] = [
  ...MARK_NAMES,
  ...['enum', 'const', 'default', 'format', 'pattern', 'minLength', 'maxLength', 'objectid'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'minItems', 'maxItems', 'uniqueItems'],
  ...['contains', 'minContains', 'maxContains', 'properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'],
  ...['propertyNames', 'minProperties', 'maxProperties', 'required', 'dependentRequired', 'dependentSchemas', 'dependencies'],
  ...['allOf', 'anyOf', 'oneOf'],
];

/**
 * Any word may tell of a value what no validator asks for, so that only slips are taken for what they are likely meant to be.
 *
 * @param keyword one that nobody knows
 * @returns the keyword that is one letter away, or the same in other letters; `undefined` where none is
 */
export function meantKeyword(keyword: string): string | undefined {
  return DECIDING.includes(keyword) ? undefined : DECIDING.find((known) => isSlip(keyword.toLowerCase(), known.toLowerCase()));
}

/** @returns whether a letter was added, left out or changed, or two that are neighbours have changed places */
function isSlip(given: string, meant: string): boolean {
  const shorter = Math.min(given.length, meant.length);
  let start = 0;
  while (start < shorter && given[start] === meant[start]) start += 1;
  let end = 0;
  while (end < shorter - start && given.at(-1 - end) === meant.at(-1 - end)) end += 1;
  const [left, right] = [given.slice(start, given.length - end), meant.slice(start, meant.length - end)];
  return (left.length <= 1 && right.length <= 1) || (left.length === 2 && left === `${right[1]}${right[0]}`);
}
