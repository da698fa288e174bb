import type { Collator } from '../bson/collation.ts';
import { type Doc, isDocument, own, setOwn, type Value } from '../bson/values.ts';
import { DocDbError, failedToParse } from '../errors.ts';
import { specialForms } from './special-forms.ts';
import { operators } from './operators.ts';

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
    return (env) => entries.map((entry) => entry(env) ?? null);
  }
  if (!isDocument(expression)) return () => expression;
  const names = Object.keys(expression);
  const [first] = names;
  if (first?.startsWith('$') === true) {
    if (names.length !== 1)
      throw new DocDbError(15983, `An object representing an expression must have exactly one field: ${names.join(', ')}`);
    return operator(first, expression[first], scope);
  }
  return objectExpression(expression, scope);
}

function objectExpression(expression: Doc, scope: ExpressionScope): Evaluate {
  const fields = Object.keys(expression).map((name) => {
    if (name.includes('.'))
      throw new DocDbError(16412, `FieldPath field names may not contain '.'. Consider using $getField or $setField.`);
    return [name, compileExpression(expression[name], scope)] as const;
  });
  return (env) => {
    const doc: Doc = {};
    for (const [name, evaluate] of fields) {
      const value = evaluate(env);
      if (value !== undefined) setOwn(doc, name, value);
    }
    return doc;
  };
}

function operator(name: string, operand: Value, scope: ExpressionScope): Evaluate {
  const special = Object.hasOwn(specialForms, name) ? specialForms[name] : undefined;
  if (special) return special(operand, scope, compileExpression);
  const known = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (!known) throw new DocDbError(168, `Unrecognized expression '${name}'`);
  if (known.named) return namedOperator(name, known.named, known.of, operand, scope);

  const list = Array.isArray(operand) ? (operand as Value[]) : [operand];
  if (list.length < known.min || list.length > known.max) {
    throw new DocDbError(
      16020,
      `Expression ${name} takes ${known.min === known.max ? `exactly ${String(known.min)}` : `between ${String(known.min)} and ${String(known.max)}`} arguments. ${String(list.length)} were passed in.`,
    );
  }
  const args = list.map((entry) => compileExpression(entry, scope));
  const { of } = known;
  const { collator } = scope;
  const [a, b] = args;
  if (args.length === 1 && a) return (env) => of([a(env)], collator);
  if (args.length === 2 && a && b) return (env) => of([a(env), b(env)], collator);
  return (env) =>
    of(
      args.map((arg) => arg(env)),
      collator,
    );
}

function namedOperator(
  name: string,
  parameters: readonly string[],
  of: (args: readonly Value[], collator: Collator | undefined) => Value,
  operand: Value,
  scope: ExpressionScope,
): Evaluate {
  const source = isDocument(operand) ? operand : undefined;
  // Some operators take their first parameter alone, as `{ $year: '$at' }`.
  const positional = source === undefined || (Object.keys(source)[0]?.startsWith('$') ?? false);
  const values = positional
    ? { [parameters[0] as string]: Array.isArray(operand) && operand.length === 1 ? (operand as Value[])[0] : operand }
    : source;
  for (const key of Object.keys(values)) {
    if (!parameters.includes(key)) throw failedToParse(`unrecognized argument to ${name}: '${key}'`);
  }
  const args = parameters.map((parameter) => (parameter in values ? compileExpression(values[parameter], scope) : (): Value => undefined));
  return (env) =>
    of(
      args.map((arg) => arg(env)),
      scope.collator,
    );
}

function fieldPath(text: string, scope: ExpressionScope): Evaluate {
  if (!text.startsWith('$$')) {
    const path = checkedPath(text.slice(1));
    const [name] = path;
    if (path.length === 1 && name !== undefined) return (env) => (isDocument(env.root) ? own(env.root, name) : undefined);
    return (env) => resolvePath(env.root, path, 0);
  }
  const [variable = '', ...path] = text.slice(2).split('.');
  if (!scope.names.has(variable) && !SYSTEM_VARIABLES.has(variable)) throw new DocDbError(17276, `Use of undefined variable: ${variable}`);
  return (env) => resolvePath(variableValue(variable, env), path, 0);
}

function variableValue(name: string, env: Env): Value {
  if (Object.hasOwn(env.vars, name)) return env.vars[name];
  switch (name) {
    case 'ROOT':
    case 'CURRENT':
      return env.root;
    case 'NOW':
      return new Date();
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

function checkedPath(text: string): string[] {
  const path = text.split('.');
  for (const name of path) {
    if (name === '') throw new DocDbError(40353, "FieldPath must not end with a '.' or have empty field names.");
    if (name.startsWith('$'))
      throw new DocDbError(16410, `FieldPath field names may not start with '$'. Consider using $getField or $setField.`);
  }
  return path;
}

/** Arrays on the way give an array of what their documents hold; a number in the path is a field name only. */
function resolvePath(value: Value, path: readonly string[], index: number): Value {
  if (index === path.length) return value;
  const name = path[index] as string;
  if (Array.isArray(value)) {
    return (value as Value[])
      .map((entry) => (isDocument(entry) || Array.isArray(entry) ? resolvePath(entry, path, index) : undefined))
      .filter((entry) => entry !== undefined);
  }
  return isDocument(value) ? resolvePath(own(value, name), path, index + 1) : undefined;
}
