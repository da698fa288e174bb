import { type Doc, isDocument, setOwn, type Value } from '../../bson/values.ts';
import { conflictingPaths, DocDbError, failedToParse } from '../../errors.ts';
import { parseSort, type SortKey } from '../../query/sort.ts';
import { compileExpression, type Env, type Evaluate, type ExpressionScope } from '../expression.ts';
import { fieldPath } from '../field-path.ts';
import { isNullish } from '../operators/define.ts';
import type { StageCompiler, Vars } from '../pipeline-types.ts';
import { pathTree, withPaths } from '../set-path.ts';
import { carryForward, interpolate } from './series.ts';
import { overPartitions } from './window.ts';
import type { WindowFunction } from './window-functions.ts';

/** @returns the expression of the fields that documents are divided by */
export function partitionExpression(fields: Value, scope: ExpressionScope): Evaluate {
  const names = Array.isArray(fields) ? (fields as Value[]) : [];
  const parts = names.map((name) => {
    if (typeof name !== 'string') throw new DocDbError(14, "'partitionByFields' must be a list of strings");
    fieldPath(name);
    return [name, compileExpression(`$${name}`, scope)] as const;
  });
  return (env) => {
    const key: Doc = {};
    for (const [name, part] of parts) {
      const value = part(env);
      if (value !== undefined) setOwn(key, name, value);
    }
    return key;
  };
}

/** What a field that has no value gets: an expression, or a method that looks at the documents around. */
function checkField(name: string, spec: Value): asserts spec is Doc {
  if (!isDocument(spec)) throw new DocDbError(6050200, `'$fill.output.${name}' must be a document`);
  const given = Object.keys(spec);
  const unknown = given.find((key) => key !== 'value' && key !== 'method');
  if (unknown !== undefined) throw new DocDbError(40415, `BSON field '$fill.output.${name}.${unknown}' is an unknown field.`);
  if (given.length !== 1) throw failedToParse(`'$fill.output.${name}' must have either a 'value' or a 'method'`);
}

function columnOf(name: string, { method }: Doc, keys: readonly SortKey[], scope: ExpressionScope): WindowFunction {
  const current = compileExpression(`$${name}`, scope);
  if (method === 'locf') return ({ envs }) => carryForward(envs, current);
  if (method !== 'linear') throw new DocDbError(6050202, `the method of '$fill.output.${name}' must be 'linear' or 'locf'`);
  if (keys.length !== 1) throw new DocDbError(605001, 'linear filling needs a sortBy of exactly one field');
  return ({ envs, sortValues }) => interpolate(envs, current, sortValues);
}

function orElse(value: Value, other: () => Value): Value {
  return isNullish(value) ? other() : value;
}

const fill: StageCompiler = (operand, { scope }) => {
  const { partitionBy, partitionByFields, sortBy, output } = operand as Doc;
  if (partitionBy !== undefined && partitionByFields !== undefined)
    throw new DocDbError(6050204, "$fill takes either 'partitionBy' or 'partitionByFields'");
  const by = partitionBy === undefined ? partitionExpression(partitionByFields, scope) : compileExpression(partitionBy, scope);
  for (const name of Object.keys((sortBy as Doc | undefined) ?? {})) fieldPath(name);
  const keys = parseSort(sortBy as Doc | undefined);
  const fields = Object.entries(output as Doc).map(([name, spec]) => {
    checkField(name, spec);
    return { name, path: fieldPath(name), spec };
  });
  if (fields.length === 0) throw new DocDbError(6050203, "'$fill.output' must name at least one field");
  const columns = fields
    .filter(({ spec }) => 'method' in spec)
    .map(({ name, path, spec }) => [path, columnOf(name, spec, keys, scope)] as const);
  const values = fields
    .filter(({ spec }) => 'value' in spec)
    .map(({ name, path, spec }) => {
      const [current, value] = [compileExpression(`$${name}`, scope), compileExpression(spec.value, scope)];
      return [path, (env: Env): Value => orElse(current(env), () => value(env))] as const;
    });
  // Expressions see what the methods have filled in, and not what other expressions do.
  const tree = pathTree(
    values.map(([path]) => path),
    (path, other) => conflictingPaths(40176, path, other),
  );
  const finished = (root: Doc, vars: Vars): Doc => {
    const filled = values.map(([, value]) => value({ root, vars }));
    return withPaths(root, tree, filled);
  };
  if (columns.length === 0) return { each: true, run: (docs, vars) => docs.map((doc) => finished(doc, vars)) };
  return overPartitions({ name: '$fill', by, keys, columns, scope }, finished);
};

/** Stages that put values where there are none. */
export const fillStages: Readonly<Record<string, StageCompiler>> = { $fill: fill };
