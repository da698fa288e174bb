import { add, kindOf, multiply, type Numeric } from '../bson/arithmetic.ts';
import { compare, equal } from '../bson/compare.ts';
import { BSONRegExp, deepCopy, type Doc, isDocument, isNumber, Timestamp, typeName, type Value } from '../bson/values.ts';
import { badValue, failedToParse, typeMismatch } from '../errors.ts';
import { compileFilter, type FilterContext } from '../query/matcher.ts';
import { compareKeys, parseSort, sortDocuments } from '../query/sort.ts';
import { asksForElement } from '../query/element-tests.ts';
import { compileOperators, equalityTest } from '../query/value-tests.ts';

/** Removes the field. */
export const REMOVE: unique symbol = Symbol('remove');
/** Leaves the field as it is. */
export const KEEP: unique symbol = Symbol('keep');

/** Gives the new value of a field; `undefined` is a missing field. */
type Change = (old: Value, operand: Value, context: FilterContext) => Value;

/** An operator that changes one field. */
export interface FieldUpdate {
  /** Looks at the operand before any document is changed. */
  readonly check?: (operand: Value) => void;
  /** Gives the new value of a field; `undefined` is a missing field. */
  readonly of: Change;
}

function number(name: string, operand: Value): Numeric {
  if (!isNumber(operand))
    throw typeMismatch(`Cannot ${name === '$inc' ? 'increment' : 'multiply'} with non-numeric argument: {${typeName(operand)}}`);
  return operand;
}

/** @throws DocDbError (2) where integers do not fit 64 bits any more */
function checkFits(name: string, old: Numeric, by: Numeric, result: Numeric): Numeric {
  const whole = (value: Numeric): boolean => kindOf(value) === 'int' || kindOf(value) === 'long';
  if (whole(old) && whole(by) && !whole(result))
    throw badValue(`Failed to apply ${name} operations to current value (${String(old)}): the result does not fit 64 bits`);
  return result;
}

function counted(name: '$inc' | '$mul', of: (a: Numeric, b: Numeric) => Numeric): Change {
  return (old, operand) => {
    const by = number(name, operand);
    if (old === undefined) return name === '$inc' ? by : multiply(by, 0);
    if (!isNumber(old)) throw typeMismatch(`Cannot apply ${name} to a value of non-numeric type ${typeName(old)}`);
    const result = checkFits(name, old, by, of(old, by));
    // An equal number of the same type is no change: the digits of a decimal stay.
    return kindOf(result) === kindOf(old) && equal(result, old) ? KEEP : result;
  };
}

const currentDate: Change = (_old, operand) => {
  if (operand === true || operand === false) return new Date();
  const type = isDocument(operand) ? operand.$type : undefined;
  if (type === 'date') return new Date();
  if (type === 'timestamp') return new Timestamp({ t: Math.floor(Date.now() / 1000), i: 1 });
  throw badValue(
    `${typeName(operand)} is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}).`,
  );
};

function listFor(name: string, old: Value): Value[] {
  if (old === undefined) return [];
  if (!Array.isArray(old)) throw badValue(`The field must be an array but is of type ${typeName(old)} (${name})`);
  return old as Value[];
}

const PUSH_PARTS: ReadonlySet<string> = new Set(['$each', '$position', '$slice', '$sort']);

const push: Change = (old, operand, { collator }) => {
  const list = [...listFor('$push', old)];
  const modifiers = isDocument(operand) && '$each' in operand ? operand : undefined;
  if (!modifiers) return [...list, operand];
  for (const name of Object.keys(modifiers)) if (!PUSH_PARTS.has(name)) throw badValue(`Unrecognized clause in $push: ${name}`);
  if (!Array.isArray(modifiers.$each))
    throw badValue(`The argument to $each in $push must be an array but it was of type: ${typeName(modifiers.$each)}`);
  const position = modifiers.$position === undefined ? list.length : integer('$position', modifiers.$position);
  list.splice(position < 0 ? Math.max(0, list.length + position) : position, 0, ...(modifiers.$each as Value[]));
  const sorted = modifiers.$sort === undefined ? list : sortList(list, modifiers.$sort, collator);
  if (modifiers.$slice === undefined) return sorted;
  const size = integer('$slice', modifiers.$slice);
  return size < 0 ? sorted.slice(size) : sorted.slice(0, size);
};

function integer(name: string, value: Value): number {
  const result = isNumber(value) ? Number(String(value)) : Number.NaN;
  if (!Number.isInteger(result)) throw badValue(`The value for ${name} must be an integer value but was given type: ${typeName(value)}`);
  return result;
}

function sortList(list: Value[], sort: Value, collator: FilterContext['collator']): Value[] {
  if (isDocument(sort)) {
    for (const name of Object.keys(sort))
      if (name.split('.').includes('')) throw badValue(`The $sort field is a dotted field but has an empty part: ${name}`);
    const keys = parseSort(sort);
    // Elements that are no documents sort as documents without the fields.
    const rows = list.map((value): Doc => ({ value, ...(isDocument(value) ? value : {}) }));
    const order = sortDocuments(rows, keys, collator);
    return order.map((row) => list[rows.indexOf(row)]);
  }
  const direction = isNumber(sort) ? Number(String(sort)) : 0;
  if (direction !== 1 && direction !== -1) throw badValue('The $sort element value must be either 1 or -1');
  return [...list].sort((a, b) => compareKeys(a, b, collator) * direction);
}

const addToSet: Change = (old, operand, { collator }) => {
  const list = [...listFor('$addToSet', old)];
  const each = isDocument(operand) && '$each' in operand ? operand.$each : undefined;
  if (each !== undefined && !Array.isArray(each))
    throw typeMismatch(`The argument to $each in $addToSet must be an array but it was of type ${typeName(each)}`);
  let changed = old === undefined;
  for (const value of (each as Value[] | undefined) ?? [operand]) {
    if (list.some((entry) => equal(entry, value, collator))) continue;
    list.push(value);
    changed = true;
  }
  return changed ? list : KEEP;
};

const pull: Change = (old, operand, context) => {
  if (old === undefined) return KEEP;
  const list = listFor('$pull', old);
  const matches = pullTest(operand, context);
  const kept = list.filter((entry) => !matches(entry));
  return kept.length === list.length ? KEEP : kept;
};

function pullTest(operand: Value, context: FilterContext): (entry: Value) => boolean {
  if (!isDocument(operand)) {
    if (!(operand instanceof BSONRegExp)) return (entry) => equal(entry, operand, context.collator);
    const test = equalityTest(operand, context);
    return (entry) => test.many([entry]);
  }
  if (asksForElement(operand)) {
    const test = compileOperators(operand, { ...context, filter: compileFilter });
    return (entry) => test.many([entry]);
  }
  const predicate = compileFilter(operand, context);
  return (entry) => isDocument(entry) && predicate(entry);
}

const pullAll: Change = (old, operand, { collator }) => {
  if (!Array.isArray(operand)) throw badValue(`$pullAll requires an array argument but was given a ${typeName(operand)}`);
  if (old === undefined) return KEEP;
  const list = listFor('$pullAll', old);
  return list.filter((entry) => !(operand as Value[]).some((value) => equal(entry, value, collator)));
};

const pop: Change = (old, operand) => {
  const side = isNumber(operand) ? Number(String(operand)) : 0;
  if (side !== 1 && side !== -1) throw failedToParse(`$pop expects 1 or -1, found: ${String(operand)}`);
  if (old === undefined) return KEEP;
  if (!Array.isArray(old)) throw typeMismatch(`Path contains element of non-array type '${typeName(old)}'`);
  const list = old as Value[];
  return side === 1 ? list.slice(0, -1) : list.slice(1);
};

const bit: Change = (old, operand) => {
  if (!isDocument(operand) || Object.keys(operand).length === 0)
    throw badValue('You must pass in at least one bitwise operation. The format is: {$bit: {field: {and/or/xor: #}}');
  let result: Value = old === undefined ? 0 : old;
  for (const name of Object.keys(operand)) {
    const by = operand[name];
    if (!isInteger(by) || !isInteger(result)) throw badValue('The $bit modifier field must be an Integer(32/64 bit)');
    const [a, b] = [BigInt(result as number | bigint), BigInt(by as number | bigint)];
    const value = name === 'and' ? a & b : name === 'or' ? a | b : name === 'xor' ? a ^ b : undefined;
    if (value === undefined) throw badValue(`The $bit modifier only supports 'and', 'or', and 'xor', not '${name}'`);
    result = typeof result === 'bigint' || typeof by === 'bigint' ? value : Number(value);
  }
  return result;
};

function isInteger(value: Value): boolean {
  return typeName(value) === 'int' || typeName(value) === 'long';
}

function checkCurrentDate(operand: Value): void {
  if (isDocument(operand))
    for (const name of Object.keys(operand)) if (name !== '$type') throw badValue(`Unrecognized $currentDate option: ${name}`);
}

function checkSet(operand: Value): void {
  if (!isDocument(operand) || !('$each' in operand)) return;
  for (const name of Object.keys(operand))
    if (name !== '$each') throw badValue(`Found unexpected fields after $each in $addToSet: ${name}`);
}

function checkSortOf(operand: Value): void {
  const sort = isDocument(operand) && '$each' in operand ? operand.$sort : undefined;
  if (!isDocument(sort)) return;
  const directions = Object.values(sort);
  if (directions.length === 0) throw badValue('The $sort pattern is empty when it should be a set of fields.');
  if (directions.some((direction) => !isNumber(direction) || Math.abs(Number(String(direction))) !== 1))
    throw badValue('The $sort element value must be either 1 or -1');
}

/** Operators that change one field, by name. */
export const fieldUpdates: Readonly<Record<string, FieldUpdate>> = {
  $set: { of: (_old, operand) => deepCopy(operand) },
  $setOnInsert: { of: (_old, operand) => deepCopy(operand) },
  $unset: { of: () => REMOVE },
  $inc: { of: counted('$inc', add) },
  $mul: { of: counted('$mul', multiply) },
  $min: { of: (old, operand, { collator }) => (old === undefined || compare(operand, old, collator) < 0 ? operand : KEEP) },
  $max: { of: (old, operand, { collator }) => (old === undefined || compare(operand, old, collator) > 0 ? operand : KEEP) },
  $currentDate: { check: checkCurrentDate, of: currentDate },
  $push: { check: checkSortOf, of: push },
  $addToSet: { check: checkSet, of: addToSet },
  $pull: { of: pull },
  $pullAll: { of: pullAll },
  $pop: { of: pop },
  $bit: { of: bit },
};
