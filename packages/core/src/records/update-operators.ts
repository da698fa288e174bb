/** Operators that take a value away, with everything in it. */
export const REMOVING_OPERATORS: ReadonlySet<string> = new Set(['$unset', '$rename']);

/** Operators that can put another value in the place of one, whatever is in it. */
export const REPLACING_OPERATORS: ReadonlySet<string> = new Set(['$set', '$min', '$max', '$currentDate']);

/** Operators, and the modifier of `$push`, whose outcome tells something of the value that is there. */
export const READING_OPERATORS: ReadonlySet<string> = new Set(['$pull', '$pullAll', '$rename', '$min', '$max', '$addToSet', '$sort']);

/** Operators that compare whole elements with those that are there. */
const COMPARING_OPERATORS: ReadonlySet<string> = new Set(['$addToSet', '$pullAll']);

/** Operators in the condition of `$pull` that compare whole values. */
const COMPARING_CONDITIONS: ReadonlySet<string> = new Set(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin', '$all']);

/**
 * Whether what becomes of an update tells of everything in the value at a path, whatever is in the operand: it is compared as a whole.
 *
 * @param operator the update operator
 */
export function comparesPath(operator: string | undefined): boolean {
  return operator !== undefined && COMPARING_OPERATORS.has(operator);
}

/**
 * As {@link comparesPath}, for what stands in the operand below the path.
 *
 * @param operator the update operator
 * @param name a property, or an operator of the condition
 * @param value what stands there
 */
export function comparesWithin(operator: string | undefined, name: string, value: unknown): boolean {
  if (operator !== '$pull') return false;
  return name.startsWith('$') ? COMPARING_CONDITIONS.has(name) : !holdsOperators(value);
}

function holdsOperators(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value)[0]?.startsWith('$') === true;
}
