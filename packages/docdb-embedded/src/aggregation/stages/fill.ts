import { type Doc, isDocument, setOwn, type Value } from '../../bson/values.ts';
import { DocDbError, failedToParse } from '../../errors.ts';
import { parseSort, sortDocuments, type SortKey } from '../../query/sort.ts';
import { compileExpression, type Evaluate, type ExpressionScope } from '../expression.ts';
import { fieldPath } from '../field-path.ts';
import { isNullish } from '../operators/define.ts';
import { partitions } from '../partitions.ts';
import type { StageCompiler } from '../pipeline-types.ts';
import { withPath } from '../set-path.ts';
import { carryForward, interpolate } from './window-functions.ts';
import { partitionOf } from './window.ts';

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

type Column = (partition: ReturnType<typeof partitionOf>) => Value[];

function columnOf(name: string, spec: Value, keys: readonly SortKey[], scope: ExpressionScope): Column {
  if (!isDocument(spec)) throw new DocDbError(14, `'$fill.output.${name}' must be a document`);
  const given = Object.keys(spec);
  const [only] = given;
  if (given.length !== 1 || (only !== 'value' && only !== 'method'))
    throw failedToParse(`'$fill.output.${name}' must have either a 'value' or a 'method'`);
  const current = compileExpression(`$${name}`, scope);
  if (only === 'value') {
    const value = compileExpression(spec.value, scope);
    return ({ envs }) => envs.map((env) => orElse(current(env), () => value(env)));
  }
  if (spec.method === 'locf') return ({ envs }) => carryForward(envs, current);
  if (spec.method !== 'linear') throw new DocDbError(6050202, `the method of '$fill.output.${name}' must be 'linear' or 'locf'`);
  if (keys.length !== 1) throw new DocDbError(605001, 'linear filling needs a sortBy of exactly one field');
  return ({ envs, sortValues }) => interpolate(envs.map(current), sortValues);
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
  const fields = output as Doc;
  const names = Object.keys(fields);
  if (names.length === 0) throw failedToParse("'$fill.output' must name at least one field");
  const columns = names.map((name) => [fieldPath(name), columnOf(name, fields[name], keys, scope)] as const);
  if (keys.length === 0 && names.some((name) => isDocument(fields[name]) && 'method' in fields[name]))
    throw failedToParse("'sortBy' is required where a field is filled by a method");
  return (docs, vars) =>
    partitions(docs, vars, by, scope.collator).flatMap((members) => {
      const ordered = keys.length === 0 ? members : sortDocuments(members, [...keys], scope.collator);
      const partition = partitionOf(ordered, vars, keys, scope);
      const filled = columns.map(([path, of]) => [path, of(partition)] as const);
      return ordered.map((doc, index) => filled.reduce((row, [path, values]) => withPath(row, path, values[index]), doc));
    });
};

/** Stages that put values where there are none. */
export const fillStages: Readonly<Record<string, StageCompiler>> = { $fill: fill };
