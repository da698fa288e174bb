import { toNumber } from '../bson/arithmetic.ts';
import { compare } from '../bson/compare.ts';
import { type Doc, isDocument, isInt32, isNumber, own, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { madeWhole } from '../interrupt.ts';
import type { Env } from './expression.ts';
import { bind, list, parameters, type SpecialForm, variableName, withNames } from './form-parts.ts';
import { isTrue } from './truth.ts';

const map: SpecialForm = (operand, scope, compile) => {
  const parts = parameters('$map', operand, { shape: 16878, unknown: 16879, missing: { input: 16880, in: 16882 } }, ['as', 'arrayIndexAs']);
  const name = variableName(parts.as, 'this');
  const input = compile(parts.input, scope);
  const at = parts.arrayIndexAs === undefined ? undefined : variableName(parts.arrayIndexAs, '');
  const each = compile(parts.in, withNames(scope, name, ...(at === undefined ? [] : [at])));
  const entryEnv = (env: Env, entry: Value, index: number): Env =>
    bind(env, at === undefined ? { [name]: entry } : { [name]: entry, [at]: BigInt(index) });
  return (env) => {
    const entries = list('$map', input(env), 16883);
    madeWhole(entries);
    return entries && entries.map((entry, index) => each(entryEnv(env, entry, index)) ?? null);
  };
};

const filter: SpecialForm = (operand, scope, compile) => {
  const parts = parameters('$filter', operand, { shape: 28646, unknown: 28647, missing: { input: 28648, cond: 28650 } }, ['as', 'limit']);
  const name = variableName(parts.as, 'this');
  const input = compile(parts.input, scope);
  const test = compile(parts.cond, withNames(scope, name));
  const limit = compile(parts.limit ?? null, scope);
  return (env) => {
    const kept = list('$filter', input(env), 28651)?.filter((entry) => isTrue(test(bind(env, { [name]: entry }))));
    madeWhole(kept);
    const most = limit(env);
    return kept ? (most === null || most === undefined ? kept : kept.slice(0, filterLimit(most))) : null;
  };
};

function filterLimit(value: Value): number {
  const limit = isNumber(value) ? toNumber(value) : Number.NaN;
  if (!isInt32(limit + 0)) throw new DocDbError(327391, '$filter: limit must be represented as a 32-bit integral value');
  if (limit <= 0) throw new DocDbError(327392, `$filter: limit must be greater than 0, found: ${String(limit)}`);
  return limit;
}

const reduce: SpecialForm = (operand, scope, compile) => {
  const parts = parameters('$reduce', operand, { shape: 40075, unknown: 40076, missing: { input: 40077, initialValue: 40078, in: 40079 } });
  const input = compile(parts.input, scope);
  const initial = compile(parts.initialValue, scope);
  const step = compile(parts.in, withNames(scope, 'value', 'this'));
  return (env) => {
    const entries = list('$reduce', input(env), 40080);
    if (!entries) return null;
    let value = initial(env);
    for (const entry of entries) value = step(bind(env, { value, this: entry }));
    return value;
  };
};

/** @throws DocDbError (2942505, 2942506, 2942507) for what is no order */
function checkSortBy(by: Value): void {
  if (isDocument(by)) {
    parseSortBy(by);
    return;
  }
  if (!isNumber(by)) throw new DocDbError(2942507, '$sortArray: sortBy has to be a number or an object');
  if (Math.abs(toNumber(by)) !== 1) throw new DocDbError(2942506, '$sortArray: sortBy has to be 1 or -1');
}

function parseSortBy(by: Doc): void {
  if (Object.keys(by).length === 0) throw new DocDbError(2942505, '$sortArray: sortBy must name at least one field');
  for (const name of Object.keys(by)) {
    const direction = by[name];
    if (!isNumber(direction) || Math.abs(toNumber(direction)) !== 1)
      throw new DocDbError(2942505, `$sortArray: the order of '${name}' has to be 1 or -1`);
  }
}

const sortArray: SpecialForm = (operand, scope, compile) => {
  const parts = parameters('$sortArray', operand, { shape: 2942500, unknown: 2942501, missing: { input: 2942502, sortBy: 2942503 } });
  const input = compile(parts.input, scope);
  const by = parts.sortBy;
  checkSortBy(by);
  const order = isDocument(by)
    ? (a: Value, b: Value): number => {
        for (const name of Object.keys(by)) {
          const path = name.split('.');
          const at = (value: Value): Value =>
            path.reduce<Value>((inner, part) => (isDocument(inner) ? own(inner, part) : undefined), value) ?? null;
          const result = compare(at(a), at(b), scope.collator) * Number(String(by[name]));
          if (result !== 0) return result;
        }
        return 0;
      }
    : (a: Value, b: Value): number => compare(a, b, scope.collator) * Number(String(by));
  return (env) => {
    const entries = list('$sortArray', input(env), 2942504);
    madeWhole(entries);
    return entries && [...entries].sort(order);
  };
};

/** Operators that evaluate an expression for each element of a list. */
export const arrayForms: Readonly<Record<string, SpecialForm>> = {
  $map: map,
  $filter: filter,
  $reduce: reduce,
  $sortArray: sortArray,
};
