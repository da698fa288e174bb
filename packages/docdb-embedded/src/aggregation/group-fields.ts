import { divide, type Numeric } from '../bson/arithmetic.ts';
import { type Doc, isDocument, isNumber, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { roughSize } from '../spill/rough-size.ts';
import { type Accumulate, compileAccumulator } from './accumulators.ts';
import { compileExpression, type Env, type ExpressionScope } from './expression.ts';

/** What is known of one field of a group: values that can be written to the disk. */
export type FieldState = Value[];

/** One field of a group, worked out while documents come. */
export interface GroupField {
  readonly name: string;
  /** @returns by how many bytes the state has grown */
  add(state: FieldState, env: Env): number;
  /** Takes over what another state of the same field knows, of documents that came later. */
  merge(state: FieldState, later: FieldState): void;
  finish(state: FieldState): Value;
}

/** Values that are kept before they are made into one. */
const KEPT = 32;

/** Of these many values can stand for all before them; the others need each. */
const SHORT: ReadonlySet<string> = new Set(['$sum', '$min', '$max', '$first', '$last', '$addToSet', '$mergeObjects']);
/** These look at a value of each document, and not at documents. */
const LONG: ReadonlySet<string> = new Set(['$push', '$stdDevPop', '$stdDevSamp']);
/** Of these a missing value is one, as null. */
const MISSING_COUNTS: ReadonlySet<string> = new Set(['$first', '$last']);

/**
 * Compiles the fields of a `$group`.
 *
 * @throws DocDbError (40235, 40234, 15952, …) for what is no accumulator
 */
export function compileGroupFields(operand: Doc, scope: ExpressionScope): GroupField[] {
  return Object.keys(operand)
    .filter((name) => name !== '_id')
    .map((name) => {
      if (name.includes('.')) throw new DocDbError(40235, `The field name '${name}' cannot contain '.'`);
      const given = operand[name];
      const accumulate = compileAccumulator(name, given, scope);
      const [operator = ''] = Object.keys(given as Doc);
      // A count is a sum of ones.
      if (operator === '$count') return compileField(name, '$sum', 1, scope);
      if (SHORT.has(operator) || LONG.has(operator) || operator === '$avg')
        return compileField(name, operator, (given as Doc)[operator], scope);
      return wholeField(name, accumulate);
    });
}

function compileField(name: string, operator: string, operand: Value, scope: ExpressionScope): GroupField {
  const evaluate = compileExpression(operand, scope);
  const fold = (of: string): ((values: readonly Value[]) => Value) => {
    const accumulate = compileAccumulator(name, { [of]: '$v' }, scope);
    return (values) => accumulate(values.map((v): Env => ({ root: { v }, vars: {} })));
  };
  const missing = MISSING_COUNTS.has(operator) ? null : undefined;
  const valueOf = (env: Env): Value => {
    const value = evaluate(env);
    return value === undefined ? missing : value;
  };
  if (operator === '$avg') return averageField(name, valueOf, fold('$avg'), fold('$sum'));
  return foldedField(name, valueOf, fold(operator), operator);
}

function foldedField(name: string, valueOf: (env: Env) => Value, fold: (values: readonly Value[]) => Value, operator: string): GroupField {
  const shorten = (state: FieldState): number => {
    const before = roughSize(state);
    const folded = fold(state);
    state.length = 0;
    if (operator === '$addToSet') state.push(...(folded as Value[]));
    else state.push(folded);
    return roughSize(state) - before;
  };
  /** A set that has grown is looked at again when it has twice as many. */
  const isLong = SHORT.has(operator)
    ? (state: FieldState): boolean => state.length >= KEPT && (state.length & (state.length - 1)) === 0
    : (): boolean => false;
  return {
    name,
    add(state, env) {
      const value = valueOf(env);
      if (value === undefined) return 0;
      state.push(value);
      return roughSize(value) + (isLong(state) ? shorten(state) : 0);
    },
    merge(state, later) {
      for (const value of later) state.push(value);
      if (SHORT.has(operator) && state.length >= KEPT) shorten(state);
    },
    finish: fold,
  };
}

/** The state is the sum and the number of the values that were made into one, and the values that came later. */
function averageField(
  name: string,
  valueOf: (env: Env) => Value,
  average: (values: readonly Value[]) => Value,
  sum: (values: readonly Value[]) => Value,
): GroupField {
  const shorten = (state: FieldState): void => {
    const [before = 0, count = 0, ...values] = state;
    const numbers = values.filter(isNumber);
    state.length = 0;
    state.push(sum([before, ...numbers]), Number(String(count)) + numbers.length);
  };
  return {
    name,
    add(state, env) {
      const value = valueOf(env);
      if (!isNumber(value)) return 0;
      if (state.length === 0) state.push(0, 0);
      state.push(value);
      if (state.length > KEPT) shorten(state);
      return 0;
    },
    merge(state, later) {
      if (later.length === 0) return;
      if (state.length === 0) state.push(0, 0);
      shorten(state);
      const other = [...later];
      shorten(other);
      state.splice(0, 2, sum([state[0], other[0]]), Number(String(state[1])) + Number(String(other[1])));
    },
    finish(state) {
      const [, count] = state;
      if (count === undefined || Number(String(count)) === 0) return average(state.slice(2));
      shorten(state);
      return divide(state[0] as Numeric, Number(String(state[1])));
    },
  };
}

/** What needs the documents themselves keeps them. */
function wholeField(name: string, accumulate: Accumulate): GroupField {
  return {
    name,
    add(state, { root, vars }) {
      state.push(Object.keys(vars).length === 0 ? { root } : { root, vars });
      return roughSize(root);
    },
    merge(state, later) {
      for (const env of later) state.push(env);
    },
    finish: (state) =>
      accumulate(
        state.map((env) => {
          const { root, vars } = env as Doc;
          return { root, vars: isDocument(vars) ? vars : {} };
        }),
      ),
  };
}
