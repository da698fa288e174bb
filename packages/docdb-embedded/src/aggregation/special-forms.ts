import { compare } from '../bson/compare.ts';
import { toNumber } from '../bson/arithmetic.ts';
import { constant, isConstant } from './constant.ts';
import { type Doc, isDocument, isInt32, isNumber, own, setOwn, typeName, type Value } from '../bson/values.ts';
import { DocDbError, failedToParse } from '../errors.ts';
import { isTrue } from './truth.ts';
import type { Env, Evaluate, ExpressionScope } from './expression.ts';

type Compile = (expression: Value, scope: ExpressionScope) => Evaluate;

/** An operator that decides itself which of its parts are evaluated, and with which variables. */
export type SpecialForm = (operand: Value, scope: ExpressionScope, compile: Compile) => Evaluate;

/** What is said of an object of parameters that does not fit. */
interface Codes {
  readonly shape: number;
  readonly unknown: number;
  readonly missing: Readonly<Record<string, number>>;
}

function parameters(name: string, operand: Value, codes: Codes, optional: readonly string[] = []): Doc {
  if (!isDocument(operand)) throw new DocDbError(codes.shape, `${name} only supports an object as its argument`);
  for (const key of Object.keys(operand)) {
    if (!(key in codes.missing) && !optional.includes(key))
      throw new DocDbError(codes.unknown, `Unrecognized parameter to ${name}: ${key}`);
  }
  for (const [key, code] of Object.entries(codes.missing))
    if (!(key in operand)) throw new DocDbError(code, `Missing '${key}' parameter to ${name}`);
  return operand;
}

function withNames(scope: ExpressionScope, ...names: string[]): ExpressionScope {
  return { ...scope, names: new Set([...scope.names, ...names]) };
}

function bind(env: Env, values: Readonly<Record<string, Value>>): Env {
  return { root: env.root, vars: { ...env.vars, ...values } };
}

function list(name: string, value: Value, code: number): Value[] | null {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value)) throw new DocDbError(code, `input to ${name} must be an array`);
  return value as Value[];
}

function variableName(value: Value, fallback: string): string {
  if (value === undefined) return fallback;
  if (typeof value !== 'string' || !/^[a-z\u0080-\uffff][\w\u0080-\uffff]*$|^CURRENT$/.test(value))
    throw failedToParse(`'${String(value)}' starts with an invalid character for a user variable name`);
  return value;
}

function condObject(operand: Value): Value {
  if (isDocument(operand)) return operand;
  throw new DocDbError(16020, 'Expression $cond takes exactly 3 arguments. 1 were passed in.');
}

const cond: SpecialForm = (operand, scope, compile) => {
  const parts = Array.isArray(operand) ? (operand as Value[]) : undefined;
  if (parts && parts.length !== 3)
    throw new DocDbError(16020, `Expression $cond takes exactly 3 arguments. ${String(parts.length)} were passed in.`);
  const named = parts
    ? { if: parts[0], then: parts[1], else: parts[2] }
    : parameters('$cond', condObject(operand), { shape: 16020, unknown: 17083, missing: { if: 17080, then: 17081, else: 17082 } });
  const test = compile(named.if, scope);
  const known = isConstant(test) ? isTrue(test(NOTHING)) : undefined;
  const branch = (part: Value, taken: boolean): Evaluate => compile(part, known === !taken ? { ...scope, unreached: true } : scope);
  const [yes, no] = [branch(named.then, true), branch(named.else, false)];
  return (env) => (isTrue(test(env)) ? yes(env) : no(env));
};

const switchForm: SpecialForm = (operand, scope, compile) => {
  const parts = parameters('$switch', operand, { shape: 40060, unknown: 40067, missing: {} }, ['branches', 'default']);
  const { branches, default: other } = parts;
  if (branches !== undefined && !Array.isArray(branches)) throw new DocDbError(40061, '$switch expected an array for branches');
  let decided = false;
  const cases = ((branches as Value[] | undefined) ?? []).map((branch) => {
    const { case: given, then } = parameters('$switch', branch, { shape: 40062, unknown: 40063, missing: { case: 40064, then: 40065 } });
    const test = compile(given, decided ? { ...scope, unreached: true } : scope);
    const known = isConstant(test) ? isTrue(test(NOTHING)) : undefined;
    const value = compile(then, decided || known === false ? { ...scope, unreached: true } : scope);
    decided ||= known === true;
    return [test, value] as const;
  });
  if (cases.length === 0) throw new DocDbError(40068, '$switch requires at least one branch.');
  const fallback = 'default' in parts ? compile(other, scope) : undefined;
  const never = cases.every(([test]) => isConstant(test) && !isTrue(test(NOTHING)));
  if (!fallback && never)
    throw new DocDbError(40069, 'One cannot execute a switch statement where all the cases evaluate to false without a default');
  return (env) => {
    for (const [test, then] of cases) if (isTrue(test(env))) return then(env);
    if (!fallback) throw new DocDbError(40066, '$switch could not find a matching branch for an input, and no default was specified.');
    return fallback(env);
  };
};

/** What constants are evaluated for. */
const NOTHING: Env = { root: {}, vars: {} };

const ifNull: SpecialForm = (operand, scope, compile) => {
  const parts = Array.isArray(operand) ? (operand as Value[]) : [operand];
  if (parts.length < 2) throw new DocDbError(1257300, '$ifNull needs at least two arguments, had: 1');
  const all = parts.map((part) => compile(part, scope));
  return (env) => {
    for (const part of all.slice(0, -1)) {
      const value = part(env);
      if (value !== undefined && value !== null) return value;
    }
    return all.at(-1)?.(env);
  };
};

const and: SpecialForm = (operand, scope, compile) => {
  const parts = (Array.isArray(operand) ? (operand as Value[]) : [operand]).map((part) => compile(part, scope));
  return (env) => parts.every((part) => isTrue(part(env)));
};

const or: SpecialForm = (operand, scope, compile) => {
  const parts = (Array.isArray(operand) ? (operand as Value[]) : [operand]).map((part) => compile(part, scope));
  return (env) => parts.some((part) => isTrue(part(env)));
};

const map: SpecialForm = (operand, scope, compile) => {
  const parts = parameters('$map', operand, { shape: 16878, unknown: 16879, missing: { input: 16880, in: 16882 } }, ['as', 'arrayIndexAs']);
  const name = variableName(parts.as, 'this');
  const input = compile(parts.input, scope);
  const at = parts.arrayIndexAs === undefined ? undefined : variableName(parts.arrayIndexAs, '');
  const each = compile(parts.in, withNames(scope, name, ...(at === undefined ? [] : [at])));
  const entryEnv = (env: Env, entry: Value, index: number): Env =>
    bind(env, at === undefined ? { [name]: entry } : { [name]: entry, [at]: BigInt(index) });
  return (env) => list('$map', input(env), 16883)?.map((entry, index) => each(entryEnv(env, entry, index)) ?? null) ?? null;
};

const filter: SpecialForm = (operand, scope, compile) => {
  const parts = parameters('$filter', operand, { shape: 28646, unknown: 28647, missing: { input: 28648, cond: 28650 } }, ['as', 'limit']);
  const name = variableName(parts.as, 'this');
  const input = compile(parts.input, scope);
  const test = compile(parts.cond, withNames(scope, name));
  const limit = compile(parts.limit ?? null, scope);
  return (env) => {
    const kept = list('$filter', input(env), 28651)?.filter((entry) => isTrue(test(bind(env, { [name]: entry }))));
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

const letForm: SpecialForm = (operand, scope, compile) => {
  const parts = parameters('$let', operand, { shape: 16874, unknown: 16875, missing: { vars: 16876, in: 16877 } });
  if (!isDocument(parts.vars)) throw new DocDbError(Array.isArray(parts.vars) ? 9 : 10065, 'invalid parameter: expected an object (vars)');
  const source = parts.vars;
  const names = Object.keys(source).map((name) => variableName(name, name));
  const vars = names.map((name) => [name, compile(source[name], scope)] as const);
  const body = compile(parts.in, withNames(scope, ...names));
  return (env) => body(bind(env, Object.fromEntries(vars.map(([name, evaluate]) => [name, evaluate(env)]))));
};

const getField: SpecialForm = (operand, scope, compile) => {
  const named = isDocument(operand) && Object.keys(operand)[0]?.startsWith('$') !== true;
  const parts: Doc = named
    ? parameters('$getField', operand, { shape: 9, unknown: 3041701, missing: { field: 3041702, input: 3041703 } })
    : { field: operand };
  const field = compile(parts.field, scope);
  if (isConstant(field)) fieldName(field(NOTHING));
  const input = named ? compile(parts.input, scope) : compile('$$CURRENT', scope);
  return (env) => {
    const name = fieldName(field(env));
    const target = input(env);
    if (target === null || target === undefined) return target;
    return isDocument(target) ? own(target, name) : undefined;
  };
};

function fieldName(value: Value): string {
  if (typeof value === 'string') return value;
  throw new DocDbError(3041704, `$getField requires 'field' to evaluate to type String, but got ${typeName(value)}`);
}

const SET_CODES: Codes = { shape: 4161100, unknown: 4161101, missing: { field: 4161102, value: 4161103, input: 4161109 } };
const UNSET_CODES: Codes = { shape: 4161100, unknown: 4161101, missing: { field: 4161102, input: 4161109 } };

const setField: SpecialForm = (operand, scope, compile) => {
  const parts = parameters('$setField', operand, SET_CODES);
  return fieldSetter(parts.field, parts.input, compile(parts.value, scope), scope, compile);
};

const unsetField: SpecialForm = (operand, scope, compile) => {
  const parts = parameters('$unsetField', operand, UNSET_CODES);
  return fieldSetter(parts.field, parts.input, () => undefined, scope, compile);
};

/** @throws DocDbError (4161106, 4161107, 4161108, 9534700) for what is no constant name */
function constantName(field: Value, scope: ExpressionScope, compile: Compile): string {
  if (typeof field === 'string' && field.startsWith('$'))
    throw new DocDbError(4161108, "$setField requires 'field' to be a constant; use $literal for a name that starts with '$'");
  const compiled = compile(field, scope);
  if (!isConstant(compiled)) throw new DocDbError(4161106, "$setField requires 'field' to evaluate to a constant");
  const name = compiled(NOTHING);
  if (typeof name !== 'string')
    throw new DocDbError(4161107, `$setField requires 'field' to evaluate to type String, but got ${typeName(name)}`);
  if (name.includes('\0')) throw new DocDbError(9534700, "$setField: 'field' cannot contain an embedded null byte");
  return name;
}

function fieldSetter(field: Value, input: Value, value: Evaluate, scope: ExpressionScope, compile: Compile): Evaluate {
  const target = compile(input, scope);
  const name = constantName(field, scope, compile);
  return (env) => {
    const doc = target(env);
    if (doc === null || doc === undefined) return null;
    if (!isDocument(doc)) throw new DocDbError(4161105, "$setField requires 'input' to evaluate to type Object");
    const next = value(env);
    if (next === undefined) {
      const { [name]: _old, ...rest } = doc;
      return rest;
    }
    const copy: Doc = { ...doc };
    setOwn(copy, name, next);
    return copy;
  };
}

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
    return entries && [...entries].sort(order);
  };
};

/** Operators with forms of their own, by name. */
export const specialForms: Readonly<Record<string, SpecialForm>> = {
  $literal: (operand) => constant(() => operand),
  $const: (operand) => constant(() => operand),
  $expr: (operand, scope, compile) => compile(operand, scope),
  $cond: cond,
  $switch: switchForm,
  $ifNull: ifNull,
  $and: and,
  $or: or,
  $map: map,
  $filter: filter,
  $reduce: reduce,
  $let: letForm,
  $getField: getField,
  $setField: setField,
  $unsetField: unsetField,
  $sortArray: sortArray,
};
