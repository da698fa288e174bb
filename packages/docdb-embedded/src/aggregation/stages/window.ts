import type { Collator } from '../../bson/collation.ts';
import { type Doc, isDocument, type Value } from '../../bson/values.ts';
import { conflictingPaths } from '../../errors.ts';
import { compareAll, parseSort, type SortKey, sortKeysOf } from '../../query/sort.ts';
import { compileExpression, type Env, type Evaluate, type ExpressionScope } from '../expression.ts';
import { fieldPath } from '../field-path.ts';
import { divisionKey, eachDivision, inSteps, type Rows, stageInOrder } from '../in-order.ts';
import type { StageCompiler, StageInSteps, Vars } from '../pipeline-types.ts';
import { pathTree, withPaths } from '../set-path.ts';
import { forEach, type InTurns, withTurns } from './in-turns.ts';
import { compileWindowFunction, type Partition, type WindowFunction } from './window-functions.ts';

const setWindowFields: StageCompiler = (operand, { scope }) => {
  const spec = operand as Doc;
  const by = compileExpression(spec.partitionBy ?? null, scope);
  const keys = parseSort(spec.sortBy as Doc | undefined);
  const output = spec.output as Doc;
  const isOrdered = isDocument(spec.sortBy);
  const sorted = keys.map(({ direction }) => direction === 1);
  const fields = Object.keys(output).map(
    (name) => [fieldPath(name), compileWindowFunction(output[name], { scope, sorted, isOrdered })] as const,
  );
  return overPartitions({ name: '$setWindowFields', by, keys, columns: fields, scope });
};

/** Fields that are worked out of all documents of a partition. */
interface Columns {
  /** The stage. */
  readonly name: string;
  readonly by: Evaluate;
  readonly keys: readonly SortKey[];
  readonly columns: readonly (readonly [readonly string[], WindowFunction])[];
  readonly scope: ExpressionScope;
}

/**
 * @param finished what becomes of a document that has its fields
 * @returns a stage that adds fields to the documents of each partition
 */
export function overPartitions(
  { name, by, keys, columns, scope }: Columns,
  finished: (doc: Doc, vars: Vars) => Doc = (doc) => doc,
): StageInSteps {
  const { collator } = scope;
  const tree = pathTree(
    columns.map(([path]) => path),
    (path, other) => conflictingPaths(6307900, path, other),
  );
  return stageInOrder({
    directions: [{ direction: 1 }, ...keys],
    collator,
    valuesOf: (doc) => sortKeysOf(doc, keys, collator),
    begin: (vars) => ({
      keyed: (doc) => ({ doc, key: divisionKey(doc, vars, by) }),
      results: (sorted) =>
        eachDivision(sorted, { name, collator }, function* (members): Rows {
          const partition = yield* withTurns(partitionOf(members, vars, keys, scope));
          const made: Value[][] = [];
          for (const [, of] of columns) made.push(yield* withTurns(of(partition)));
          yield* inSteps(rows(members, made, vars));
        }),
    }),
  });

  function* rows(members: readonly Doc[], made: readonly (readonly Value[])[], vars: Vars): Iterable<Doc> {
    for (const [index, doc] of members.entries()) {
      const values = made.map((column) => column[index]);
      yield finished(withPaths(doc, tree, values), vars);
    }
  }
}

/** @returns a partition with what functions need to know of its order */
function* partitionOf(ordered: readonly Doc[], vars: Vars, keys: readonly SortKey[], scope: ExpressionScope): InTurns<Partition> {
  const envs = ordered.map((root): Env => ({ root, vars }));
  const [first] = keys;
  const valueOf = first ? compileExpression(`$${first.name}`, scope) : (): Value => null;
  const ties = yield* tieNumbers(ordered, keys, scope.collator);
  return { envs, ties, sortValues: yield* forEach(envs, (env) => valueOf(env) ?? null) };
}

/** Numbers the documents so that those that a sort does not tell apart have the same number. */
function tieNumbers(ordered: readonly Doc[], keys: readonly SortKey[], collator: Collator | undefined): InTurns<number[]> {
  let number = 0;
  let before: readonly Value[] | undefined;
  return forEach(ordered, (doc) => {
    const values = sortKeysOf(doc, keys, collator);
    if (before && compareAll(before, values, keys, collator) !== 0) number += 1;
    before = values;
    return number;
  });
}

/** Stages that look at the documents around each document. */
export const windowStages: Readonly<Record<string, StageCompiler>> = { $setWindowFields: setWindowFields };
