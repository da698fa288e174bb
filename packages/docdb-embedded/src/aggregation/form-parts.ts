import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { DocDbError, failedToParse } from '../errors.ts';
import { goneThrough, tick } from '../interrupt.ts';
import type { Env, Evaluate, ExpressionScope } from './expression.ts';

/** Compiles an expression. */
export type Compile = (expression: Value, scope: ExpressionScope) => Evaluate;

/** An operator that decides itself which of its parts are evaluated, and with which variables. */
export type SpecialForm = (operand: Value, scope: ExpressionScope, compile: Compile) => Evaluate;

/** What is said of an object of parameters that does not fit. */
export interface Codes {
  readonly shape: number;
  readonly unknown: number;
  readonly missing: Readonly<Record<string, number>>;
}

/**
 * The object of parameters of an operator.
 *
 * @throws DocDbError with the codes given for what does not fit
 */
export function parameters(name: string, operand: Value, codes: Codes, optional: readonly string[] = []): Doc {
  if (!isDocument(operand)) throw new DocDbError(codes.shape, `${name} only supports an object as its argument`);
  for (const key of Object.keys(operand)) {
    if (!Object.hasOwn(codes.missing, key) && !optional.includes(key))
      throw new DocDbError(codes.unknown, `Unrecognized parameter to ${name}: ${key}`);
  }
  for (const [key, code] of Object.entries(codes.missing))
    if (!(key in operand)) throw new DocDbError(code, `Missing '${key}' parameter to ${name}`);
  return operand;
}

/** @returns the scope with more variables */
export function withNames(scope: ExpressionScope, ...names: string[]): ExpressionScope {
  return { ...scope, names: new Set([...scope.names, ...names]) };
}

/** @returns what is evaluated against, with more variables */
export function bind(env: Env, values: Readonly<Record<string, Value>>): Env {
  tick();
  return { root: env.root, vars: { ...env.vars, ...values } };
}

/** @returns a list that is gone through, null for what is none yet */
export function list(name: string, value: Value, code: number): Value[] | null {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value)) throw new DocDbError(code, `input to ${name} must be an array`);
  goneThrough(value);
  return value as Value[];
}

/** @throws DocDbError (9) for what is no name of a variable of the user */
export function variableName(value: Value, fallback: string): string {
  if (value === undefined) return fallback;
  if (typeof value !== 'string' || !/^[a-z\u0080-\uffff][\w\u0080-\uffff]*$|^CURRENT$/.test(value))
    throw failedToParse(`'${String(value)}' starts with an invalid character for a user variable name`);
  return value;
}

/** What constants are evaluated for. */
export const NOTHING: Env = { root: {}, vars: {} };
