import type { Collator } from '../bson/collation.ts';
import { put } from '../bson/fields.ts';
import { type Doc, isDocument, own, type Value } from '../bson/values.ts';
import { DocDbError, failedToParse } from '../errors.ts';
import { goneThrough, hasLength, made, madeWhole } from '../interrupt.ts';
import { constant, isConstant } from './constant.ts';
import { fieldPath as checkPath } from './field-path.ts';
import { specialForms } from './special-forms.ts';
import { type NamedRules, type Operator, operators } from './operators.ts';

/** What an expression is evaluated against. */
export interface Env {
  /** The document (`$$ROOT`, and `$$CURRENT` unless it is bound). */
  readonly root: Value;
  /** Variables by name, without `$$`. */
  readonly vars: Readonly<Record<string, Value>>;
}

/** A compiled expression; `undefined` stands for missing. */
export type Evaluate = (env: Env) => Value;

/** What expressions are compiled with. */
export interface ExpressionScope {
  readonly collator: Collator | undefined;
  /** Names of the variables that are bound. */
  readonly names: ReadonlySet<string>;
  /** Value of `$$NOW`: the same for all that a command does; null for commands that have none. */
  readonly now?: Date | null;
  /** Code of the error for a variable that is not offered. Default: 51144. */
  readonly unavailable?: number;
  /** Whether the expression is in a branch that is never taken: then its constants are not worked out. */
  readonly unreached?: boolean;
}

/** Stands for `$$REMOVE`. */
const SYSTEM_VARIABLES: ReadonlySet<string> = new Set([
  'ROOT',
  'CURRENT',
  'REMOVE',
  'NOW',
  'CLUSTER_TIME',
  'DESCEND',
  'PRUNE',
  'KEEP',
  'USER_ROLES',
]);

/**
 * Compiles an aggregation expression.
 *
 * @param expression a value, a field path, an object of expressions or an operator
 * @throws DocDbError (168, 16020, 17276, …) for unknown operators and variables and wrong arguments
 */
export function compileExpression(expression: Value, scope: ExpressionScope): Evaluate {
  if (typeof expression === 'string' && expression.startsWith('$')) return fieldPath(expression, scope);
  if (Array.isArray(expression)) {
    const entries = (expression as Value[]).map((entry) => compileExpression(entry, scope));
    return folded(entries, (env) => entries.map((entry) => entry(env) ?? null), scope);
  }
  if (!isDocument(expression)) return constant(() => expression);
  const names = Object.keys(expression);
  const [first] = names;
  if (first?.startsWith('$') === true) {
    if (names.length !== 1)
      throw new DocDbError(15983, `An object representing an expression must have exactly one field: ${names.join(', ')}`);
    return operator(first, expression[first], scope);
  }
  return objectExpression(expression, scope);
}

/** @returns what an expression is worth for which no document is needed; `undefined` for another one */
export function constantValue(expression: Value, scope: ExpressionScope): Value {
  const evaluate = compileExpression(expression, scope);
  return isConstant(evaluate) ? evaluate({ root: {}, vars: {} }) : undefined;
}

/**
 * Compiles what a projection computes for a field.
 *
 * @throws DocDbError (31325) for an operator that is none, and what {@link compileExpression} throws
 */
export function compileProjected(expression: Value, scope: ExpressionScope): Evaluate {
  const [name] = isDocument(expression) ? Object.keys(expression) : [];
  // Where it is none of a projection's own, $elemMatch is an expression that is not known.
  if (name?.startsWith('$') === true && name !== '$elemMatch' && !Object.hasOwn(specialForms, name) && !Object.hasOwn(operators, name))
    throw new DocDbError(31325, `Unknown expression ${name}`);
  return compileExpression(expression, scope);
}

function objectExpression(expression: Doc, scope: ExpressionScope): Evaluate {
  const fields = Object.keys(expression).map((name) => {
    if (name.startsWith('$'))
      throw new DocDbError(16410, `FieldPath field names may not start with '$'. Consider using $getField or $setField.`);
    if (name === '') throw new DocDbError(15998, 'FieldPath field names may not be empty strings.');
    if (name.includes('.'))
      throw new DocDbError(16412, `FieldPath field names may not contain '.'. Consider using $getField or $setField.`);
    return [name, compileExpression(expression[name], scope)] as const;
  });
  const build = (env: Env): Value => {
    let doc: Doc = {};
    for (const [name, evaluate] of fields) {
      const value = evaluate(env);
      if (value !== undefined) doc = put(doc, name, value);
    }
    return doc;
  };
  return folded(
    fields.map(([, evaluate]) => evaluate),
    build,
    scope,
  );
}

/** What depends on nothing is worked out at once: its mistakes are those of the expression. */
function folded(parts: readonly Evaluate[], evaluate: Evaluate, { unreached }: ExpressionScope): Evaluate {
  if (unreached === true || !parts.every(isConstant)) return evaluate;
  const value = evaluate({ root: {}, vars: {} });
  return constant(() => value);
}

/** An operator goes through its arguments, however long they are, and what it makes of them takes memory. */
function counted({ ofOne, of: ofAll, shares }: Operator): Operator['of'] {
  const of = ofOne?.() ?? ofAll;
  return (args, collator, given) => {
    // By index: this is done for each operator of each document.
    for (let at = 0; at < args.length; at++) goneThrough(args[at]);
    const result = of(args, collator, given);
    if (hasLength(result) && shares !== true && !args.includes(result)) madeWhole(result);
    return result;
  };
}

function operator(name: string, operand: Value, scope: ExpressionScope): Evaluate {
  const special = Object.hasOwn(specialForms, name) ? specialForms[name] : undefined;
  if (special) return special(operand, scope, compileExpression);
  const known = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (!known) throw new DocDbError(168, `Unrecognized expression '${name}'`);
  if (known.named) return namedOperator(name, known, operand, scope);

  const list = Array.isArray(operand) && known.alone !== true ? (operand as Value[]) : [operand];
  if (list.length < known.min || list.length > known.max) {
    throw new DocDbError(
      known.arity ?? (known.min === known.max ? 16020 : 28667),
      `Expression ${name} takes ${known.min === known.max ? `exactly ${String(known.min)}` : `between ${String(known.min)} and ${String(known.max)}`} arguments. ${String(list.length)} were passed in.`,
    );
  }
  const args = list.map((entry) => compileExpression(entry, scope));
  const of = counted(known);
  const { collator } = scope;
  const [a, b] = args;
  const evaluate: Evaluate =
    args.length === 1 && a
      ? (env): Value => of([a(env)], collator)
      : args.length === 2 && a && b
        ? (env): Value => of([a(env), b(env)], collator)
        : (env): Value =>
            of(
              args.map((arg) => arg(env)),
              collator,
            );
  if (known.check) for (const arg of args) if (isConstant(arg)) known.check(arg({ root: {}, vars: {} }));
  return known.volatile === true ? evaluate : folded(args, evaluate, scope);
}

function namedOperator(name: string, known: Operator, operand: Value, scope: ExpressionScope): Evaluate {
  const { named: parameters = [], rules = {} } = known;
  const of = counted(known);
  const values = parametersOf(name, parameters, rules, operand);
  const given = new Set(Object.keys(values));
  for (const key of given)
    if (!parameters.includes(key)) throw new DocDbError(rules.unknown ?? 9, `Unrecognized argument to ${name}: '${key}'`);
  for (const [key, code] of Object.entries(rules.missing ?? {}))
    if (!given.has(key)) throw new DocDbError(code, `Missing '${key}' parameter to ${name}`);
  rules.given?.(given);
  const args = parameters.map((parameter) => (given.has(parameter) ? compileExpression(values[parameter], scope) : (): Value => undefined));
  const written = args.filter((_arg, index) => given.has(parameters[index] as string));
  const early = rules.early && args[parameters.indexOf(rules.early.name)];
  if (early && isConstant(early) && scope.unreached !== true && !written.every(isConstant)) {
    const value = early({ root: {}, vars: {} });
    if (value === undefined || value === null) return constant(() => null);
    rules.early?.check(value);
  }
  const evaluate = (env: Env): Value =>
    of(
      args.map((arg) => arg(env)),
      scope.collator,
      given,
    );
  return folded(written, evaluate, scope);
}

function parametersOf(name: string, parameters: readonly string[], { shape }: NamedRules, operand: Value): Doc {
  if (shape !== undefined) {
    if (!isDocument(operand)) throw new DocDbError(shape, `${name} only supports an object as its argument`);
    return operand;
  }
  // Some operators take their first parameter alone, as `{ $year: '$at' }`.
  if (isDocument(operand) && Object.keys(operand)[0]?.startsWith('$') !== true) return operand;
  if (Array.isArray(operand) && operand.length !== 1)
    throw new DocDbError(40536, `${name} accepts exactly one argument if given an array, but was given ${String(operand.length)}`);
  return { [parameters[0] as string]: Array.isArray(operand) ? (operand as Value[])[0] : operand };
}

function fieldPath(text: string, scope: ExpressionScope): Evaluate {
  if (!text.startsWith('$$')) {
    if (text === '$') throw new DocDbError(16872, "'$' by itself is not a valid FieldPath");
    const path = checkPath(text.slice(1));
    if (scope.names.has('CURRENT')) return (env) => resolvePath(variableValue('CURRENT', env), path, 0);
    const [name] = path;
    if (path.length === 1 && name !== undefined) return (env) => (isDocument(env.root) ? own(env.root, name) : undefined);
    return (env) => resolvePath(env.root, path, 0);
  }
  const [variable = '', ...path] = text.slice(2).split('.');
  if (variable === '') throw failedToParse('empty variable names are not allowed');
  if (!/^[a-zA-Z\u0080-\uffff][\w\u0080-\uffff]*$/.test(variable))
    throw failedToParse(`'${variable}' starts with an invalid character for a user variable name`);
  // A point with nothing behind it ends the path.
  if (path.length > 0) checkPath(path.join('.') || '.');
  if (!scope.names.has(variable) && !SYSTEM_VARIABLES.has(variable)) throw new DocDbError(17276, `Use of undefined variable: ${variable}`);
  if (variable === 'CLUSTER_TIME') throw notAvailable(variable, scope);
  if (variable === 'NOW' && !scope.names.has('NOW')) {
    if (scope.now === null) throw notAvailable(variable, scope);
    const { now = new Date() } = scope;
    return (env) => resolvePath(Object.hasOwn(env.vars, 'NOW') ? env.vars.NOW : now, path, 0);
  }
  return (env) => resolvePath(variableValue(variable, env), path, 0);
}

/** A variable that is not offered here. */
function notAvailable(variable: string, { unavailable = 51144 }: ExpressionScope): DocDbError {
  return new DocDbError(unavailable, `Builtin variable '$$${variable}' is not available`);
}

function variableValue(name: string, env: Env): Value {
  if (Object.hasOwn(env.vars, name)) return env.vars[name];
  switch (name) {
    case 'ROOT':
    case 'CURRENT':
      return env.root;
    case 'REMOVE':
      return undefined;
    case 'DESCEND':
    case 'PRUNE':
    case 'KEEP':
      return `$$${name}`;
    default:
      return undefined;
  }
}

/** Arrays on the way give an array of what their documents hold; a number in the path is a field name only. */
function resolvePath(value: Value, path: readonly string[], index: number): Value {
  if (index === path.length) return value;
  const name = path[index] as string;
  if (Array.isArray(value)) {
    made(value.length);
    return (value as Value[])
      .map((entry) => (isDocument(entry) ? resolvePath(entry, path, index) : undefined))
      .filter((entry) => entry !== undefined);
  }
  return isDocument(value) ? resolvePath(own(value, name), path, index + 1) : undefined;
}
