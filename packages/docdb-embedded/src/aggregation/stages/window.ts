import type { Collator } from '../../bson/collation.ts';
import { compare } from '../../bson/compare.ts';
import type { Doc } from '../../bson/values.ts';
import { parseSort, sortDocuments } from '../../query/sort.ts';
import { compileExpression, type Env, type Evaluate } from '../expression.ts';
import { fieldPath } from '../field-path.ts';
import { partitions } from '../partitions.ts';
import type { StageCompiler } from '../pipeline-types.ts';
import { withPath } from '../set-path.ts';
import { compileWindowFunction, type Partition } from './window-functions.ts';

const setWindowFields: StageCompiler = (operand, { scope }) => {
  const spec = operand as Doc;
  const by = compileExpression(spec.partitionBy ?? null, scope);
  const keys = parseSort(spec.sortBy as Doc | undefined);
  const output = spec.output as Doc;
  const sorted = keys.map(({ direction }) => direction === 1);
  const fields = Object.keys(output).map((name) => [fieldPath(name), compileWindowFunction(output[name], { scope, sorted })] as const);
  const keyOf = keys.map((key) => compileExpression(`$${key.name}`, scope));
  return (docs, vars) =>
    partitions(docs, vars, by, scope.collator).flatMap((members) => {
      const ordered = sortDocuments(members, keys, scope.collator);
      const partition = partitionOf(ordered, vars, keyOf, scope.collator);
      const columns = fields.map(([path, of]) => [path, of(partition)] as const);
      return ordered.map((doc, index) => columns.reduce((row, [path, values]) => withPath(row, path, values[index]), doc));
    });
};

/** @returns a partition with what functions need to know of its order */
export function partitionOf(
  ordered: readonly Doc[],
  vars: Env['vars'],
  keyOf: readonly Evaluate[],
  collator: Collator | undefined,
): Partition {
  const envs = ordered.map((root): Env => ({ root, vars }));
  const [first] = keyOf;
  return {
    envs,
    ties: tieNumbers(envs, keyOf, collator),
    sortValues: first ? envs.map((env) => first(env) ?? null) : envs.map(() => null),
  };
}

/** Numbers the documents so that those with equal sort keys have the same number. */
function tieNumbers(envs: readonly Env[], keyOf: readonly Evaluate[], collator: Collator | undefined): number[] {
  let number = 0;
  return envs.map((env, index) => {
    const before = envs[index - 1];
    if (before && keyOf.some((of) => compare(of(env) ?? null, of(before) ?? null, collator) !== 0)) number += 1;
    return number;
  });
}

/** Stages that look at the documents around each document. */
export const windowStages: Readonly<Record<string, StageCompiler>> = { $setWindowFields: setWindowFields };
