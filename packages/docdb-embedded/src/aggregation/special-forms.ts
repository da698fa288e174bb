import { compare } from '../bson/compare.ts';
import { type Doc, isDocument, own, setOwn, type Value } from '../bson/values.ts';
import { DocDbError, failedToParse } from '../errors.ts';
import { isTrue } from './truth.ts';
import type { Env, Evaluate, ExpressionScope } from './expression.ts';

type Compile = (expression: Value, scope: ExpressionScope) => Evaluate;

/** An operator that decides itself which of its parts are evaluated, and with which variables. */
export type SpecialForm = (operand: Value, scope: ExpressionScope, compile: Compile) => Evaluate;

function parameters(name: string, operand: Value, required: readonly string[], optional: readonly string[] = []): Doc {
  if (!isDocument(operand)) throw failedToParse(`${name} only supports an object as its argument`);
  for (const key of Object.keys(operand)) {
    if (!required.includes(key) && !optional.includes(key)) throw failedToParse(`Unrecognized parameter to ${name}: ${key}`);
  }
  for (const key of required) if (!(key in operand)) throw failedToParse(`Missing '${key}' parameter to ${name}`);
  return operand;
}

function withNames(scope: ExpressionScope, ...names: string[]): ExpressionScope {
  return { ...scope, names: new Set([...scope.names, ...names]) };
}

function bind(env: Env, values: Readonly<Record<string, Value>>): Env {
  return { root: env.root, vars: { ...env.vars, ...values } };
}

function list(name: string, value: Value): Value[] | null {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value)) throw new DocDbError(28651, `input to ${name} must be an array`);
  return value as Value[];
}

function variableName(value: Value, fallback: string): string {
  if (value === undefined) return fallback;
  if (typeof value !== 'string' || !/^[a-z]\w*$|^CURRENT$/.test(value))
    throw new DocDbError(16867, `'${String(value)}' starts with an invalid character for a user variable name`);
  return value;
}

const cond: SpecialForm = (operand, scope, compile) => {
  const parts = Array.isArray(operand) ? (operand as Value[]) : undefined;
  if (parts && parts.length !== 3)
    throw new DocDbError(16020, `Expression $cond takes exactly 3 arguments. ${String(parts.length)} were passed in.`);
  const named = parts ? { if: parts[0], then: parts[1], else: parts[2] } : parameters('$cond', operand, ['if', 'then', 'else']);
  const [test, yes, no] = [named.if, named.then, named.else].map((part) => compile(part, scope)) as [Evaluate, Evaluate, Evaluate];
  return (env) => (isTrue(test(env)) ? yes(env) : no(env));
};

const switchForm: SpecialForm = (operand, scope, compile) => {
  const { branches, default: other } = parameters('$switch', operand, ['branches'], ['default']);
  if (!Array.isArray(branches) || branches.length === 0) throw new DocDbError(40068, '$switch requires at least one branch.');
  const cases = (branches as Value[]).map((branch) => {
    const parts = parameters('$switch', branch, ['case', 'then']);
    return [compile(parts.case, scope), compile(parts.then, scope)] as const;
  });
  const fallback = isDocument(operand) && 'default' in operand ? compile(other, scope) : undefined;
  return (env) => {
    for (const [test, then] of cases) if (isTrue(test(env))) return then(env);
    if (!fallback) throw new DocDbError(40066, '$switch could not find a matching branch for an input, and no default was specified.');
    return fallback(env);
  };
};

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
  const parts = parameters('$map', operand, ['input', 'in'], ['as']);
  const name = variableName(parts.as, 'this');
  const input = compile(parts.input, scope);
  const each = compile(parts.in, withNames(scope, name));
  return (env) => list('$map', input(env))?.map((entry) => each(bind(env, { [name]: entry })) ?? null) ?? null;
};

const filter: SpecialForm = (operand, scope, compile) => {
  const parts = parameters('$filter', operand, ['input', 'cond'], ['as', 'limit']);
  const name = variableName(parts.as, 'this');
  const input = compile(parts.input, scope);
  const test = compile(parts.cond, withNames(scope, name));
  const limit = compile(parts.limit ?? null, scope);
  return (env) => {
    const kept = list('$filter', input(env))?.filter((entry) => isTrue(test(bind(env, { [name]: entry }))));
    const most = limit(env);
    return kept ? (most === null || most === undefined ? kept : kept.slice(0, Number(String(most)))) : null;
  };
};

const reduce: SpecialForm = (operand, scope, compile) => {
  const parts = parameters('$reduce', operand, ['input', 'initialValue', 'in']);
  const input = compile(parts.input, scope);
  const initial = compile(parts.initialValue, scope);
  const step = compile(parts.in, withNames(scope, 'value', 'this'));
  return (env) => {
    const entries = list('$reduce', input(env));
    if (!entries) return null;
    let value = initial(env);
    for (const entry of entries) value = step(bind(env, { value, this: entry }));
    return value;
  };
};

const letForm: SpecialForm = (operand, scope, compile) => {
  const parts = parameters('$let', operand, ['vars', 'in']);
  if (!isDocument(parts.vars)) throw failedToParse('invalid parameter: expected an object (vars)');
  const source = parts.vars;
  const names = Object.keys(source).map((name) => variableName(name, name));
  const vars = names.map((name) => [name, compile(source[name], scope)] as const);
  const body = compile(parts.in, withNames(scope, ...names));
  return (env) => body(bind(env, Object.fromEntries(vars.map(([name, evaluate]) => [name, evaluate(env)]))));
};

const getField: SpecialForm = (operand, scope, compile) => {
  const named = isDocument(operand) && 'field' in operand;
  const parts: Doc = named ? parameters('$getField', operand, ['field'], ['input']) : { field: operand };
  const field = compile(typeof parts.field === 'string' ? { $literal: parts.field } : parts.field, scope);
  const input =
    'input' in parts
      ? compile(parts.input, scope)
      : (env: Env): Value => (Object.hasOwn(env.vars, 'CURRENT') ? env.vars.CURRENT : env.root);
  return (env) => {
    const target = input(env);
    const name = field(env);
    if (target === null || target === undefined) return target;
    return isDocument(target) && typeof name === 'string' ? own(target, name) : undefined;
  };
};

const setField: SpecialForm = (operand, scope, compile) => {
  const parts = parameters('$setField', operand, ['field', 'input', 'value']);
  return fieldSetter(parts.field, parts.input, compile(parts.value, scope), scope, compile);
};

const unsetField: SpecialForm = (operand, scope, compile) => {
  const parts = parameters('$unsetField', operand, ['field', 'input']);
  return fieldSetter(parts.field, parts.input, () => undefined, scope, compile);
};

function fieldSetter(field: Value, input: Value, value: Evaluate, scope: ExpressionScope, compile: Compile): Evaluate {
  const name = isDocument(field) ? field.$literal : field;
  if (typeof name !== 'string') throw new DocDbError(4161107, "$setField requires 'field' to evaluate to type String");
  const target = compile(input, scope);
  return (env) => {
    const doc = target(env);
    if (doc === null || doc === undefined) return null;
    if (!isDocument(doc)) throw new DocDbError(4161105, "$setField requires 'input' to evaluate to type Object");
    const { [name]: _old, ...rest } = doc;
    const next = value(env);
    if (next === undefined) return rest;
    const copy: Doc = { ...doc };
    setOwn(copy, name, next);
    return copy;
  };
}

const sortArray: SpecialForm = (operand, scope, compile) => {
  const parts = parameters('$sortArray', operand, ['input', 'sortBy']);
  const input = compile(parts.input, scope);
  const by = parts.sortBy;
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
    const entries = list('$sortArray', input(env));
    return entries && [...entries].sort(order);
  };
};

/** Operators with forms of their own, by name. */
export const specialForms: Readonly<Record<string, SpecialForm>> = {
  $literal: (operand) => () => operand,
  $const: (operand) => () => operand,
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
