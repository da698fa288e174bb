import { isDocument, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { arrayForms } from './array-forms.ts';
import { constant, isConstant } from './constant.ts';
import type { Evaluate } from './expression.ts';
import { fieldForms } from './field-forms.ts';
import { bind, NOTHING, parameters, type SpecialForm, variableName, withNames } from './form-parts.ts';
import { meta } from './metadata.ts';
import { isTrue } from './truth.ts';

export type { SpecialForm };

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
  if (parts.some((part) => isConstant(part) && !isTrue(part(NOTHING)))) return constant(() => false);
  return (env) => parts.every((part) => isTrue(part(env)));
};

const or: SpecialForm = (operand, scope, compile) => {
  const parts = (Array.isArray(operand) ? (operand as Value[]) : [operand]).map((part) => compile(part, scope));
  if (parts.some((part) => isConstant(part) && isTrue(part(NOTHING)))) return constant(() => true);
  return (env) => parts.some((part) => isTrue(part(env)));
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

const rand: SpecialForm = (operand) => {
  const parts = Array.isArray(operand) || isDocument(operand) ? Object.keys(operand) : undefined;
  if (!parts) throw new DocDbError(10065, '$rand takes no arguments; write { $rand: {} }');
  if (parts.length > 0) throw new DocDbError(3040501, '$rand does not currently accept arguments');
  return () => Math.random();
};

/** Operators with forms of their own, by name. */
export const specialForms: Readonly<Record<string, SpecialForm>> = {
  $meta: meta,
  $literal: (operand) => constant(() => operand),
  $const: (operand) => constant(() => operand),
  $expr: (operand, scope, compile) => compile(operand, scope),
  $cond: cond,
  $switch: switchForm,
  $ifNull: ifNull,
  $and: and,
  $or: or,
  $let: letForm,
  $rand: rand,
  ...arrayForms,
  ...fieldForms,
};
