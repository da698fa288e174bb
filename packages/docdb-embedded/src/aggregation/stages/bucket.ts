import { isBelowZero, isZero, toNumber } from '../../bson/arithmetic.ts';
import type { Collator } from '../../bson/collation.ts';
import { compare, typeRank } from '../../bson/compare.ts';
import { Decimal128, type Doc, isDocument, isNumber, typeName, type Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import { compileAccumulator } from '../accumulators.ts';
import { isConstant } from '../constant.ts';
import { compileExpression, type Env } from '../expression.ts';
import { type Granularity, granularityNamed } from '../granularity.ts';
import { compileGroupFields } from '../group-fields.ts';
import { groupAll, type GroupSpec } from '../group-run.ts';
import { handedOver } from '../handed-over.ts';
import { readsNoField } from '../needed-fields.ts';
import { parseSort, sortDocuments } from '../../query/sort.ts';
import type { PipelineContext, StageCompiler } from '../pipeline-types.ts';

function constantDefault(value: Value, context: PipelineContext, bounds: readonly Value[]): Value {
  const { collator } = context.scope;
  const evaluate = compileExpression(value, context.scope);
  if (!isConstant(evaluate)) throw new DocDbError(40195, "The $bucket 'default' field must be a constant");
  const other = evaluate({ root: {}, vars: {} });
  const inside =
    typeRank(other) === typeRank(bounds[0]) && compare(other, bounds[0], collator) >= 0 && compare(other, bounds.at(-1), collator) < 0;
  if (inside)
    throw new DocDbError(
      40199,
      "The $bucket 'default' field must be less than the lowest boundary or greater than or equal to the highest",
    );
  return other;
}

/** @returns what is worked out for each bucket: how many documents it has, where nothing is said */
function outputOf(source: Value): Doc {
  const output = (source ?? { count: { $sum: 1 } }) as Doc;
  for (const name of Object.keys(output)) {
    if (name.startsWith('$')) throw new DocDbError(40236, `The field name '${name}' cannot be an operator name`);
    if (name.includes('.')) throw new DocDbError(40235, `The field name '${name}' cannot contain '.'`);
  }
  return output;
}

function outputs(source: Value, context: PipelineContext): readonly (readonly [string, (envs: readonly Env[]) => Value])[] {
  const output = outputOf(source);
  return Object.keys(output).map((name) => [name, compileAccumulator(name, output[name], context.scope)] as const);
}

/** @returns the place of the last boundary that is not above a value; -1 for a value that is outside of all */
function placeAmong(bounds: readonly Value[], value: Value, collator: Collator | undefined): number {
  let low = 0;
  let high = bounds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(value, bounds[middle], collator) < 0) high = middle;
    else low = middle + 1;
  }
  return low === bounds.length ? -1 : low - 1;
}

const bucket: StageCompiler = (operand, context) => {
  const source = operand as Doc;
  const { collator } = context.scope;
  const { boundaries } = source;
  if (!Array.isArray(boundaries) || boundaries.length < 2)
    throw new DocDbError(40192, "The $bucket 'boundaries' field must have at least 2 values");
  const bounds = (boundaries as Value[]).map((bound) => {
    const evaluate = compileExpression(bound, context.scope);
    if (!isConstant(evaluate)) throw new DocDbError(40191, "The $bucket 'boundaries' field must be an array of constant values");
    return evaluate({ root: {}, vars: {} });
  });
  for (let index = 1; index < bounds.length; index++) {
    if (typeRank(bounds[index - 1]) !== typeRank(bounds[index]))
      throw new DocDbError(40193, "All values in the the 'boundaries' option to $bucket must have the same type");
    if (compare(bounds[index - 1], bounds[index], collator) >= 0)
      throw new DocDbError(40194, "The 'boundaries' option to $bucket must be sorted");
  }
  const other = 'default' in source ? constantDefault(source.default, context, bounds) : undefined;
  const by = compileExpression(source.groupBy, context.scope);
  const groups: GroupSpec = {
    id(env) {
      const at = placeAmong(bounds, by(env), collator);
      if (at >= 0) return bounds[at];
      if ('default' in source) return handedOver(other);
      throw new DocDbError(40066, '$switch could not find a matching branch for an input, and no default was specified.');
    },
    fields: compileGroupFields(outputOf(source.output), context.scope),
    scope: context.scope,
  };
  const keys = parseSort({ _id: 1 });
  return { groups, run: (docs, vars) => sortDocuments(groupAll(groups, docs, vars), keys, collator) };
};

/** A document, and what it is grouped by. */
interface Keyed {
  readonly env: Env;
  readonly key: Value;
}

/** @throws DocDbError (40258, 40259, 40260, 11785400) for what cannot be rounded */
function checkRounded(key: Value): void {
  const rule = "$bucketAuto can specify a 'granularity' with";
  if (!isNumber(key)) throw new DocDbError(40258, `${rule} numeric boundaries only, but found a value with type: ${typeName(key)}`);
  const infinite = key instanceof Decimal128 ? String(key).endsWith('Infinity') : Math.abs(toNumber(key)) === Infinity;
  if (Number.isNaN(toNumber(key))) throw new DocDbError(40259, `${rule} numeric boundaries only, but found a NaN`);
  if (isBelowZero(key)) throw new DocDbError(40260, `${rule} non-negative numbers only, but found a negative number`);
  if (infinite) throw new DocDbError(11785400, `${rule} finite numbers only, but found an infinity`);
}

/** @returns a function that gives the boundaries of a bucket, of which the last document is at `end - 1`, and takes the documents that fall into it */
type Bound = (
  rows: readonly Keyed[],
  start: number,
  end: number,
  previous: Value,
) => { readonly min: Value; readonly max: Value; readonly end: number };

/** Buckets end where another value begins. */
function boundsByValue(collator: Collator | undefined): Bound {
  return (rows, start, least) => {
    let end = least;
    while (end < rows.length && compare(rows[end - 1]?.key, rows[end]?.key, collator) === 0) end++;
    return { min: rows[start]?.key, max: rows[Math.min(end, rows.length - 1)]?.key, end };
  };
}

/** Buckets end at numbers that are rounded, and begin where the one before ended. */
function boundsByRounding({ up, down }: Granularity): Bound {
  const rounded = (key: Value, round: Granularity['up']): Value => (isNumber(key) && !isZero(key) ? round(key) : key);
  return (rows, start, least, previous) => {
    const boundary = rounded(rows[least - 1]?.key, up);
    let end = least;
    while (end < rows.length && compare(boundary, rows[end]?.key) > 0) end++;
    // Zero is no number to round up: the next bucket begins below its first number.
    const max = isNumber(boundary) && isZero(boundary) && end < rows.length ? rounded(rows[end]?.key, down) : boundary;
    return { min: previous ?? rounded(rows[start]?.key, down), max, end };
  };
}

/** @throws DocDbError (4544714) for an accumulator that takes a number out of the key of a group */
function checkCounts(output: Value): void {
  for (const accumulator of isDocument(output) ? Object.values(output) : [])
    for (const operand of isDocument(accumulator) ? Object.values(accumulator) : [])
      if (isDocument(operand) && 'n' in operand && !readsNoField(operand.n))
        throw new DocDbError(4544714, "Can't refer to the group key in $bucketAuto");
}

const bucketAuto: StageCompiler = (operand, context) => {
  const source = operand as Doc;
  checkCounts(source.output);
  const { collator } = context.scope;
  const isEmpty = isDocument(source.output) && Object.keys(source.output).length === 0;
  const buckets = toNumber(source.buckets);
  const granularity = typeof source.granularity === 'string' ? granularityNamed(source.granularity) : undefined;
  const bounds = granularity ? boundsByRounding(granularity) : boundsByValue(collator);
  const by = compileExpression(source.groupBy, context.scope);
  const fields = outputs(isEmpty ? undefined : source.output, context);
  return (docs, vars) => {
    const rows = docs.map((doc): Keyed => ({ env: { root: doc, vars }, key: by({ root: doc, vars }) ?? null }));
    if (granularity) for (const { key } of rows) checkRounded(key);
    rows.sort((a, b) => compare(a.key, b.key, collator));
    const size = Math.max(1, Math.round(rows.length / buckets));
    const result: Doc[] = [];
    let previous: Value;
    for (let start = 0; start < rows.length;) {
      const least = result.length === buckets - 1 ? rows.length : Math.min(rows.length, start + size);
      const { min, max, end } = bounds(rows, start, least, previous);
      result.push({
        _id: { min, max },
        ...Object.fromEntries(fields.map(([name, of]) => [name, of(rows.slice(start, end).map((row) => row.env))])),
      });
      start = end;
      previous = max;
    }
    return result;
  };
};

/** Stages that group by ranges. */
export const bucketStages: Readonly<Record<string, StageCompiler>> = { $bucket: bucket, $bucketAuto: bucketAuto };
