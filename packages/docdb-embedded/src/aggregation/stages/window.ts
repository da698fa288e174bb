import type { Collator } from '../../bson/collation.ts';
import type { Doc, Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import { compareAll, parseSort, sortDocuments, type SortKey, sortKeysOf } from '../../query/sort.ts';
import { compileExpression, type Env, type ExpressionScope } from '../expression.ts';
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
  checkPaths(Object.keys(output));
  return (docs, vars) =>
    partitions(docs, vars, by, scope.collator).flatMap((members) => {
      const ordered = sortDocuments(members, keys, scope.collator);
      const partition = partitionOf(ordered, vars, keys, scope);
      const columns = fields.map(([path, of]) => [path, of(partition)] as const);
      return ordered.map((doc, index) => columns.reduce((row, [path, values]) => withPath(row, path, values[index]), doc));
    });
};

/** @throws DocDbError (6307900) for a field that is another one, or within it */
function checkPaths(names: readonly string[]): void {
  for (const name of names)
    for (const other of names)
      if (other.startsWith(`${name}.`))
        throw new DocDbError(6307900, `specification contains two conflicting paths. Cannot specify both '${name}' and '${other}'`);
}

/** @returns a partition with what functions need to know of its order */
export function partitionOf(ordered: readonly Doc[], vars: Env['vars'], keys: readonly SortKey[], scope: ExpressionScope): Partition {
  const envs = ordered.map((root): Env => ({ root, vars }));
  const [first] = keys;
  const valueOf = first ? compileExpression(`$${first.name}`, scope) : (): Value => null;
  return { envs, ties: tieNumbers(ordered, keys, scope.collator), sortValues: envs.map((env) => valueOf(env) ?? null) };
}

/** Numbers the documents so that those that a sort does not tell apart have the same number. */
function tieNumbers(ordered: readonly Doc[], keys: readonly SortKey[], collator: Collator | undefined): number[] {
  let number = 0;
  let before: readonly Value[] | undefined;
  return ordered.map((doc) => {
    const values = sortKeysOf(doc, keys, collator);
    if (before && compareAll(before, values, keys, collator) !== 0) number += 1;
    before = values;
    return number;
  });
}

/** Stages that look at the documents around each document. */
export const windowStages: Readonly<Record<string, StageCompiler>> = { $setWindowFields: setWindowFields };
