import { matcher } from '@framework/query';
import { hasParts } from './has-parts.ts';

/** Operators whose meaning does not depend on what a service allows. */
const OPERATORS: ReadonlySet<string> = new Set(['$eq', '$ne', '$in', '$nin', '$lt', '$lte', '$gt', '$gte']);

/**
 * Whether a query finds a record, as far as that can be told from the record as it was sent.
 *
 * @param conditions a query without filters
 * @param record the record, as JSON
 * @returns `undefined` where it can not be told: for operators that services have besides, for properties that are not there (nobody knows whether they are
 *   hidden), and for values of another type than the query's
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
  const [first = ''] = name.split('.');
  if (name.startsWith('$') || !Object.hasOwn(record, first)) return undefined;
  const operands = operandsOf(condition);
  if (!operands?.every((operand) => isComparable(operand, valueAt(record, name)))) return undefined;
  return matcher({ [name]: condition })(record);
}

/** The values that a condition compares with; `undefined` for one that is not known. */
function operandsOf(condition: unknown): readonly unknown[] | undefined {
  if (!hasParts(condition)) return [condition];
  const entries = Object.entries(condition);
  if (Array.isArray(condition) || !entries.every(([name]) => OPERATORS.has(name))) return undefined;
  return entries.flatMap(([, operand]: [string, unknown]) => operand);
}

/** Texts with texts, numbers with numbers; whatever with `null`, and elements of lists as the values that they are. */
function isComparable(operand: unknown, value: unknown): boolean {
  if (operand === null || value === null) return true;
  const plain = operand instanceof Date ? operand.toJSON() : operand;
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return !hasParts(plain) && values.every((each) => typeof each === typeof plain);
}

/** Paths into lists are left to the server. */
function valueAt(record: object, path: string): unknown {
  let value: unknown = record;
  for (const name of path.split('.')) {
    if (!hasParts(value) || Array.isArray(value)) return undefined;
    value = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
  }
  return value;
}

function all(told: readonly (boolean | undefined)[]): boolean | undefined {
  if (told.includes(false)) return false;
  return told.includes(undefined) ? undefined : true;
}

function opposite(told: boolean | undefined): boolean | undefined {
  return told === undefined ? undefined : !told;
}
