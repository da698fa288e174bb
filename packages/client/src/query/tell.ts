import { matcher, valuesAt } from '@framework/query';
import { hasParts } from './has-parts.ts';

/** Operators whose meaning does not depend on what a service allows. */
const OPERATORS: ReadonlySet<string> = new Set(['$eq', '$ne', '$in', '$nin', '$lt', '$lte', '$gt', '$gte']);

/**
 * Whether a query finds a record, as far as that can be told from the record as it was sent.
 *
 * @param conditions a query without filters
 * @param record the record, as JSON
 * @returns `undefined` where it can not be told: for operators that services have besides, for properties that are not there (nobody knows whether they are
 *   hidden), and for values of another type than the query's, or texts of another form
 */
export function tell(conditions: object, record: object): boolean | undefined {
  return all(Object.entries(conditions).map(([name, condition]: [string, unknown]) => tellOne(name, condition, record)));
}

function tellOne(name: string, condition: unknown, record: object): boolean | undefined {
  if (name === '$and' || name === '$or') {
    if (!Array.isArray(condition)) return undefined;
    const told = condition.map((branch: unknown) => (hasParts(branch) ? tell(branch, record) : undefined));
    return name === '$and' ? all(told) : opposite(all(told.map(opposite)));
  }
  if (name.startsWith('$')) return undefined;
  const operands = operandsOf(condition);
  // Elements of lists are the values that they are.
  const values = valuesAt(record, name.split('.')).flat();
  return operands?.every((operand) => isComparable(operand, values)) ? matcher({ [name]: condition })(record) : undefined;
}

/** The values that a condition compares with; `undefined` for one that is not known. */
function operandsOf(condition: unknown): readonly unknown[] | undefined {
  if (!hasParts(condition)) return [condition];
  const entries = Object.entries(condition);
  if (Array.isArray(condition) || !entries.every(([name]) => OPERATORS.has(name))) return undefined;
  return entries.flatMap(([, operand]: [string, unknown]) => operand);
}

/** Texts of dates and object ids, as JSON has them: others may say the same, as of another time zone. */
const FORM = /^[-:.\dTZa-f]{24}$/;

/** Texts with texts, numbers with numbers; what is there with `null`. */
function isComparable(operand: unknown, values: readonly unknown[]): boolean {
  const plain = operand instanceof Date ? operand.toJSON() : operand;
  if (plain === null) return !values.includes(undefined);
  return (
    !hasParts(plain) &&
    values.every((each) => each === null || (typeof each === typeof plain && FORM.test(String(each)) === FORM.test(String(plain))))
  );
}

function all(told: readonly (boolean | undefined)[]): boolean | undefined {
  if (told.includes(false)) return false;
  return told.includes(undefined) ? undefined : true;
}

function opposite(told: boolean | undefined): boolean | undefined {
  return told === undefined ? undefined : !told;
}
