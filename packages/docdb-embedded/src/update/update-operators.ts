import { add, kindOf, multiply, type Numeric } from '../bson/arithmetic.ts';
import { compare, equal } from '../bson/compare.ts';
import { shownInBrief } from '../bson/shown-value.ts';
import { BSONRegExp, deepCopy, type Doc, isDocument, isNumber, Timestamp, typeName, type Value } from '../bson/values.ts';
import { badValue, failedToParse, typeMismatch } from '../errors.ts';
import { compileFilter, type FilterContext } from '../query/matcher.ts';
import { compareAll, compareKeys, parseSort } from '../query/sort.ts';
import { readPath } from '../query/path-values.ts';
import { ValueSet } from '../query/value-set.ts';
import { asksForElement } from '../query/element-tests.ts';
import { compileOperators, equalityTest } from '../query/value-tests.ts';
import { shownId } from './shown-id.ts';

/** Removes the field. */
export const REMOVE: unique symbol = Symbol('remove');
/** Leaves the field as it is. */
export const KEEP: unique symbol = Symbol('keep');

/** Gives the new value of the field at a path of a document; `undefined` is a missing field. */
export type Change = (old: Value, path: readonly string[], doc: Doc) => Value;

/**
 * Reads the operand of an operator that changes one field. What is wrong with it is said here, whether or not there is anything to
 * update.
 */
export type FieldUpdate = (operand: Value, context: FilterContext, field: string) => Change;

function number(name: string, operand: Value, field: string): Numeric {
  if (!isNumber(operand))
    throw typeMismatch(
      `Cannot ${name === '$inc' ? 'increment' : 'multiply'} with non-numeric argument: {${field}: ${shownInBrief(operand)}}`,
    );
  return operand;
}

/** @throws DocDbError (2) where integers do not fit 64 bits any more */
function checkFits(name: string, old: Numeric, by: Numeric, result: Numeric, doc: Doc): Numeric {
  const whole = (value: Numeric): boolean => kindOf(value) === 'int' || kindOf(value) === 'long';
  if (whole(old) && whole(by) && !whole(result))
    throw badValue(
      `Failed to apply ${name} operations to current value (${String(old)}) for document {${shownId(doc)}}: the result does not fit 64 bits`,
    );
  return result;
}

function counted(name: '$inc' | '$mul', of: (a: Numeric, b: Numeric) => Numeric): FieldUpdate {
  return (operand, _context, field) => {
    const by = number(name, operand, field);
    return (old, path, doc) => {
      if (old === undefined) return name === '$inc' ? by : multiply(by, 0);
      if (!isNumber(old))
        throw typeMismatch(
          `Cannot apply ${name} to a value of non-numeric type. {${shownId(doc)}} has the field '${String(path.at(-1))}' of non-numeric type ${typeName(old)}`,
        );
      const result = checkFits(name, old, by, of(old, by), doc);
      // An equal number of the same type is no change: the digits of a decimal stay.
      return kindOf(result) === kindOf(old) && equal(result, old) ? KEEP : result;
    };
  };
}

const currentDate: FieldUpdate = (operand) => {
  if (operand === true || operand === false) return () => new Date();
  if (isDocument(operand))
    for (const name of Object.keys(operand)) if (name !== '$type') throw badValue(`Unrecognized $currentDate option: ${name}`);
  const type = isDocument(operand) ? operand.$type : undefined;
  if (type === 'date') return () => new Date();
  if (type === 'timestamp') return () => new Timestamp({ t: Math.floor(Date.now() / 1000), i: 1 });
  throw badValue(
    `${typeName(operand)} is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}).`,
  );
};

/** @throws DocDbError (2) for a field that is there and is no array */
function pushedTo(old: Value, path: readonly string[], doc: Doc): Value[] {
  if (old === undefined) return [];
  if (!Array.isArray(old))
    throw badValue(`The field '${path.join('.')}' must be an array but is of type ${typeName(old)} in document {${shownId(doc)}}`);
  return old as Value[];
}

/** @throws DocDbError (2) for what is no array */
function pulledFrom(old: Value, path: readonly string[]): Value[] {
  if (!Array.isArray(old))
    throw badValue(`Cannot apply $pull to a non-array value: the field '${path.join('.')}' is of type ${typeName(old)}`);
  return old as Value[];
}

const PUSH_PARTS: ReadonlySet<string> = new Set(['$each', '$position', '$slice', '$sort']);

const push: FieldUpdate = (operand, { collator }) => {
  const modifiers = isDocument(operand) && '$each' in operand ? operand : undefined;
  if (!modifiers) return (old, path, doc) => [...pushedTo(old, path, doc), operand];
  for (const name of Object.keys(modifiers)) if (!PUSH_PARTS.has(name)) throw badValue(`Unrecognized clause in $push: ${name}`);
  const { $each: each, $position, $slice, $sort } = modifiers;
  if (!Array.isArray(each)) throw badValue(`The argument to $each in $push must be an array but it was of type: ${typeName(each)}`);
  const position = $position === undefined ? undefined : integer('$position', $position);
  const sort = $sort === undefined ? undefined : listSort($sort, collator);
  const size = $slice === undefined ? undefined : integer('$slice', $slice);
  return (old, path, doc) => {
    const stored = pushedTo(old, path, doc);
    const at = position ?? stored.length;
    // Not by `splice`: as arguments of a call there can not be as many.
    const [front, behind] = [stored.slice(0, at), stored.slice(at)];
    const list = [...front, ...(each as Value[]), ...behind];
    const sorted = sort ? sort(list) : list;
    if (size === undefined) return sorted;
    return size < 0 ? sorted.slice(size) : sorted.slice(0, size);
  };
};

function integer(name: string, value: Value): number {
  const result = isNumber(value) ? Number(String(value)) : Number.NaN;
  if (!Number.isInteger(result)) throw badValue(`The value for ${name} must be an integer value but was given type: ${typeName(value)}`);
  return result;
}

function listSort(sort: Value, collator: FilterContext['collator']): (list: Value[]) => Value[] {
  if (isDocument(sort)) {
    checkListSort(sort);
    const keys = parseSort(sort);
    return (list) => {
      // Elements that are no documents have none of the fields; arrays in them are values as they are.
      const rows = list.map((value) => ({ value, keys: keys.map(({ path }) => (isDocument(value) ? readPath(value, path) : undefined)) }));
      return rows.sort((a, b) => compareAll(a.keys, b.keys, keys, collator)).map(({ value }) => value);
    };
  }
  const direction = isNumber(sort) ? Number(String(sort)) : 0;
  if (direction !== 1 && direction !== -1) throw badValue('The $sort element value must be either 1 or -1');
  return (list) => [...list].sort((a, b) => compareKeys(a, b, collator) * direction);
}

function checkListSort(sort: Doc): void {
  const directions = Object.values(sort);
  if (directions.length === 0) throw badValue('The $sort pattern is empty when it should be a set of fields.');
  if (directions.some((direction) => !isNumber(direction) || Math.abs(Number(String(direction))) !== 1))
    throw badValue('The $sort element value must be either 1 or -1');
  for (const name of Object.keys(sort))
    if (name.split('.').includes('')) throw badValue(`The $sort field is a dotted field but has an empty part: ${name}`);
}

const addToSet: FieldUpdate = (operand, { collator }) => {
  const values = valuesOfSet(operand);
  return (old, path) => {
    if (old !== undefined && !Array.isArray(old))
      throw badValue(`Cannot apply $addToSet to non-array field. Field named '${String(path.at(-1))}' has non-array type ${typeName(old)}`);
    const list = (old ?? []) as Value[];
    const added = newValues(list, values, collator);
    return added.length > 0 || old === undefined ? [...list, ...added] : KEEP;
  };
};

/** One value is looked for at once; for several a set of those that are there is worth its making. */
function newValues(list: readonly Value[], values: readonly Value[], collator: FilterContext['collator']): Value[] {
  if (values.length === 1) return values.filter((value) => !list.some((entry) => equal(entry, value, collator)));
  const known = new ValueSet(list, collator);
  return values.filter((value) => known.add(value));
}

function valuesOfSet(operand: Value): readonly Value[] {
  if (!isDocument(operand) || !('$each' in operand)) return [operand];
  for (const name of Object.keys(operand))
    if (name !== '$each') throw badValue(`Found unexpected fields after $each in $addToSet: ${name}`);
  const { $each: each } = operand;
  if (!Array.isArray(each)) throw typeMismatch(`The argument to $each in $addToSet must be an array but it was of type ${typeName(each)}`);
  return each as Value[];
}

const pull: FieldUpdate = (operand, context) => {
  const matches = pullTest(operand, context);
  return (old, path) => {
    if (old === undefined) return KEEP;
    const list = pulledFrom(old, path);
    const kept = list.filter((entry) => !matches(entry));
    return kept.length === list.length ? KEEP : kept;
  };
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

const pullAll: FieldUpdate = (operand, { collator }) => {
  if (!Array.isArray(operand)) throw badValue(`$pullAll requires an array argument but was given a ${typeName(operand)}`);
  const pulled = new ValueSet(operand as Value[], collator);
  return (old, path) => {
    if (old === undefined) return KEEP;
    return pulledFrom(old, path).filter((entry) => !pulled.has(entry));
  };
};

const pop: FieldUpdate = (operand) => {
  const side = isNumber(operand) ? Number(String(operand)) : 0;
  if (side !== 1 && side !== -1) throw failedToParse(`$pop expects 1 or -1, found: ${String(operand)}`);
  return (old, path) => {
    if (old === undefined) return KEEP;
    if (!Array.isArray(old)) throw typeMismatch(`Path '${path.join('.')}' contains an element of non-array type '${typeName(old)}'`);
    const list = old as Value[];
    return side === 1 ? list.slice(0, -1) : list.slice(1);
  };
};

type Bits = (a: bigint, b: bigint) => bigint;

const BITS: ReadonlyMap<string, Bits> = new Map<string, Bits>([
  ['and', (a, b) => a & b],
  ['or', (a, b) => a | b],
  ['xor', (a, b) => a ^ b],
]);

const bit: FieldUpdate = (operand, _context, field) => {
  if (!isDocument(operand) || Object.keys(operand).length === 0)
    throw badValue('You must pass in at least one bitwise operation. The format is: {$bit: {field: {and/or/xor: #}}');
  const steps = Object.keys(operand).map((name) => {
    const of = BITS.get(name);
    if (!of) throw badValue(`The $bit modifier only supports 'and', 'or', and 'xor', not '${name}'`);
    const by = operand[name];
    if (!isInteger(by))
      throw badValue(`The $bit modifier field must be an Integer(32/64 bit): ${field} has ${shownInBrief({ [name]: by })}`);
    return { of, by };
  });
  return (old = 0, path, doc) => {
    if (!isInteger(old))
      throw badValue(
        `Cannot apply $bit to a value of non-integral type. {${shownId(doc)}} has the field '${String(path.at(-1))}' of non-integer type ${typeName(old)}`,
      );
    return steps.reduce<number | bigint>((result, { of, by }) => {
      const value = of(BigInt(result), BigInt(by));
      return typeof result === 'bigint' || typeof by === 'bigint' ? value : Number(value);
    }, old);
  };
};

function isInteger(value: Value): value is number | bigint {
  return typeName(value) === 'int' || typeName(value) === 'long';
}

/** Operators that change one field, by name. */
export const fieldUpdates: Readonly<Record<string, FieldUpdate>> = {
  $set: (operand) => () => deepCopy(operand),
  $setOnInsert: (operand) => () => deepCopy(operand),
  $unset: () => () => REMOVE,
  $inc: counted('$inc', add),
  $mul: counted('$mul', multiply),
  $min:
    (operand, { collator }) =>
    (old) =>
      old === undefined || compare(operand, old, collator) < 0 ? operand : KEEP,
  $max:
    (operand, { collator }) =>
    (old) =>
      old === undefined || compare(operand, old, collator) > 0 ? operand : KEEP,
  $currentDate: currentDate,
  $push: push,
  $addToSet: addToSet,
  $pull: pull,
  $pullAll: pullAll,
  $pop: pop,
  $bit: bit,
};
