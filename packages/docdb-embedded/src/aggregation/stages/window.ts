import { compare } from '../../bson/compare.ts';
import { hashKey } from '../../bson/hash-key.ts';
import { type Doc, isDocument, isNumber, type Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import { parseSort, sortDocuments } from '../../query/sort.ts';
import { compileAccumulator, isAccumulator } from '../accumulators.ts';
import { compileExpression, type Env } from '../expression.ts';
import type { PipelineContext, StageCompiler } from '../pipeline-types.ts';
import { withPath } from '../set-path.ts';

/** Works out one field for each document of a sorted partition. */
type WindowFunction = (partition: readonly Env[], ties: readonly number[]) => Value[];

const setWindowFields: StageCompiler = (operand, context) => {
  if (!isDocument(operand) || !isDocument(operand.output))
    throw new DocDbError(9, "the $setWindowFields stage needs an object with 'output'");
  const { scope } = context;
  const by = compileExpression(operand.partitionBy ?? null, scope);
  const keys = parseSort(operand.sortBy as Doc | undefined);
  const { output } = operand;
  const fields = Object.keys(output).map(
    (name) => [name.split('.'), windowFunction(output[name] as Doc, keys.length > 0, context)] as const,
  );
  const keyOf = keys.map((key) => compileExpression(`$${key.name}`, scope));
  return (docs, vars) => {
    const partitions = new Map<string, Doc[]>();
    for (const doc of docs) {
      const key = hashKey(by({ root: doc, vars }));
      partitions.set(key, [...(partitions.get(key) ?? []), doc]);
    }
    return [...partitions.values()].flatMap((members) => {
      const sorted = sortDocuments(members, keys, scope.collator);
      const envs = sorted.map((root): Env => ({ root, vars }));
      const ties = tieNumbers(envs, keyOf);
      const columns = fields.map(([path, of]) => [path, of(envs, ties)] as const);
      return sorted.map((doc, index) => columns.reduce((row, [path, values]) => withPath(row, path, values[index]), doc));
    });
  };
};

/** Numbers the documents so that those with equal sort keys have the same number. */
function tieNumbers(envs: readonly Env[], keyOf: readonly ((env: Env) => Value)[]): number[] {
  let number = 0;
  return envs.map((env, index) => {
    const before = envs[index - 1];
    if (before && keyOf.some((of) => compare(of(env) ?? null, of(before) ?? null) !== 0)) number += 1;
    return number;
  });
}

function windowFunction(spec: Doc, sorted: boolean, context: PipelineContext): WindowFunction {
  const names = Object.keys(spec).filter((key) => key !== 'window');
  const [name = ''] = names;
  if (names.length !== 1) throw new DocDbError(9, 'a window function needs exactly one operator');
  switch (name) {
    case '$documentNumber':
      return (partition) => partition.map((_env, index) => index + 1);
    case '$rank':
      return (_partition, ties) => ties.map((tie) => ties.indexOf(tie) + 1);
    case '$denseRank':
      return (_partition, ties) => ties.map((tie) => tie + 1);
    case '$shift':
      return shift(spec.$shift as Doc, context);
    default:
      if (!isAccumulator(name)) throw new DocDbError(9, `Unrecognized window function, ${name}`);
      return overWindow(spec, name, sorted, context);
  }
}

function shift(operand: Doc, { scope }: PipelineContext): WindowFunction {
  const output = compileExpression(operand.output, scope);
  const fallback = compileExpression(operand.default ?? null, scope);
  const by = Number(String(operand.by));
  return (partition) =>
    partition.map((env, index) => {
      const other = partition[index + by];
      return other ? (output(other) ?? null) : fallback(env);
    });
}

function overWindow(spec: Doc, name: string, sorted: boolean, { scope }: PipelineContext): WindowFunction {
  const accumulate = compileAccumulator('output', { [name]: spec[name] }, scope);
  const window = spec.window as Doc | undefined;
  if (window && 'range' in window) throw new DocDbError(115, 'Windows by range are not supported by this database');
  const bounds = window?.documents as Value[] | undefined;
  if (bounds && !sorted) throw new DocDbError(5339901, 'Document-based bounds require a sortBy');
  return (partition) =>
    partition.map((_env, index) => {
      const from = bound(bounds?.[0], index, 0);
      const to = bound(bounds?.[1], index, partition.length - 1);
      return accumulate(partition.slice(Math.max(0, from), Math.max(0, to + 1)));
    });
}

function bound(value: Value, index: number, unbounded: number): number {
  if (value === undefined || value === 'unbounded') return unbounded;
  if (value === 'current') return index;
  if (isNumber(value)) return index + Number(String(value));
  throw new DocDbError(5397908, `Numeric document-based bounds must be an integer, 'current' or 'unbounded'`);
}

/** Stages that look at the documents around each document. */
export const windowStages: Readonly<Record<string, StageCompiler>> = { $setWindowFields: setWindowFields };
