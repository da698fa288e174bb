import { isConstant } from './constant.ts';
import { copyOf, put, without } from '../bson/fields.ts';
import { type Doc, isDocument, own, typeName, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { made } from '../interrupt.ts';
import type { Evaluate, ExpressionScope } from './expression.ts';
import { type Codes, type Compile, NOTHING, parameters, type SpecialForm } from './form-parts.ts';

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

/** An object that is a constant as it stands. */
function isWritten(field: Doc): boolean {
  const [name] = Object.keys(field);
  return name === undefined || name === '$literal' || name === '$const';
}

/** @throws DocDbError (4161106, 4161107, 4161108, 9534700) for what is no constant name */
function constantName(field: Value, scope: ExpressionScope, compile: Compile): string {
  if (typeof field === 'string' && field.startsWith('$'))
    throw new DocDbError(4161108, "$setField requires 'field' to be a constant; use $literal for a name that starts with '$'");
  if (Array.isArray(field) || (isDocument(field) && !isWritten(field)))
    throw new DocDbError(4161106, "$setField requires 'field' to evaluate to a constant");
  const compiled = compile(field, scope);
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
    made(Object.keys(doc).length);
    return next === undefined ? without(doc, name) : put(copyOf(doc), name, next);
  };
}

/** Operators on a field that has any name. */
export const fieldForms: Readonly<Record<string, SpecialForm>> = {
  $getField: getField,
  $setField: setField,
  $unsetField: unsetField,
};
