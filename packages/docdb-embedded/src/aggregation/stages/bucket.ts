import { isBelowZero, isZero, toNumber } from '../../bson/arithmetic.ts';
import type { Collator } from '../../bson/collation.ts';
import { compare, typeRank } from '../../bson/compare.ts';
import { put } from '../../bson/fields.ts';
import { Decimal128, type Doc, isDocument, isNumber, typeName, type Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import { isConstant } from '../constant.ts';
import { compileExpression } from '../expression.ts';
import { type Granularity, granularityNamed } from '../granularity.ts';
import { compileGroupFields, type FieldState } from '../group-fields.ts';
import { groupAll, type GroupSpec } from '../group-run.ts';
import { handedOver } from '../handed-over.ts';
import { checkKept, type Keyed, type Rows, stageInOrder, STEP } from '../in-order.ts';
import { readsNoField } from '../needed-fields.ts';
import { parseSort, sortDocuments } from '../../query/sort.ts';
import type { PipelineContext, StageCompiler, Vars } from '../pipeline-types.ts';

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
  if (Object.hasOwn(output, '_id')) throw new DocDbError(15948, "a group's _id may only be specified once");
  for (const name of Object.keys(output)) {
    if (name.startsWith('$')) throw new DocDbError(40236, `The field name '${name}' cannot be an operator name`);
    if (name.includes('.')) throw new DocDbError(40235, `The field name '${name}' cannot contain '.'`);
  }
  return output;
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

/** @throws DocDbError (40258, 40259, 40260, 11785400) for what cannot be rounded */
function checkRounded(key: Value): void {
  const rule = "$bucketAuto can specify a 'granularity' with";
  if (!isNumber(key)) throw new DocDbError(40258, `${rule} numeric boundaries only, but found a value with type: ${typeName(key)}`);
  const infinite = key instanceof Decimal128 ? String(key).endsWith('Infinity') : Math.abs(toNumber(key)) === Infinity;
  if (Number.isNaN(toNumber(key))) throw new DocDbError(40259, `${rule} numeric boundaries only, but found a NaN`);
  if (isBelowZero(key)) throw new DocDbError(40260, `${rule} non-negative numbers only, but found a negative number`);
  if (infinite) throw new DocDbError(11785400, `${rule} finite numbers only, but found an infinity`);
}

/** The keys around the end of a bucket. */
interface End {
  /** With this one it had enough. */
  readonly enough: Value;
  /** The last that it took. */
  readonly last: Value;
  /** What it does not take; missing where nothing follows. */
  readonly next: Keyed | undefined;
}

/** How buckets end and what their boundaries are. */
interface Boundaries {
  /** @returns whether a bucket that has enough takes the next one too, which is not below */
  takes(enough: Value, next: Value): boolean;
  /** @param before the upper boundary of the bucket before */
  lower(first: Value, before: Value): Value;
  upper(end: End): Value;
}

/** Buckets end where another value begins. */
function boundariesByValue(collator: Collator | undefined): Boundaries {
  return {
    takes: (enough, next) => compare(enough, next, collator) === 0,
    lower: (first) => first,
    upper: ({ last, next }) => (next ? next.key : last),
  };
}

/** Buckets end at numbers that are rounded, and begin where the one before ended. */
function boundariesByRounding({ up, down }: Granularity): Boundaries {
  const rounded = (key: Value, round: Granularity['up']): Value => (isNumber(key) && !isZero(key) ? round(key) : key);
  return {
    takes: (enough, next) => compare(rounded(enough, up), next) > 0,
    lower: (first, before) => before ?? rounded(first, down),
    upper({ enough, next }) {
      const boundary = rounded(enough, up);
      // Zero is no number to round up: the next bucket begins below its first number.
      return isNumber(boundary) && isZero(boundary) && next ? rounded(next.key, down) : boundary;
    },
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
  const boundaries = granularity ? boundariesByRounding(granularity) : boundariesByValue(collator);
  const by = compileExpression(source.groupBy, context.scope);
  const fields = compileGroupFields(outputOf(isEmpty ? undefined : source.output), context.scope);
  return stageInOrder({
    directions: [{ direction: 1 }],
    collator,
    valuesOf: () => [],
    begin: (vars) => ({
      keyed(doc) {
        const key = by({ root: doc, vars }) ?? null;
        if (granularity) checkRounded(key);
        return { doc, key };
      },
      results: (sorted, count) => inBuckets(sorted, count, vars),
    }),
  });

  function* inBuckets(sorted: Iterable<Keyed>, count: number, vars: Vars): Rows {
    const size = Math.max(1, Math.round(count / buckets));
    const rows = sorted[Symbol.iterator]();
    let next = nextOf(rows);
    let before: Value;
    for (let number = 1; next; number++) {
      const first = next.key;
      const states = fields.map((): FieldState => []);
      let [enough, last]: Value[] = [];
      let bytes = 0;
      for (let taken = 0; next && (taken < size || number === buckets || boundaries.takes(enough, next.key)); taken++) {
        last = next.key;
        if (taken < size || number === buckets) enough = last;
        const env = { root: next.doc, vars };
        for (const [at, field] of fields.entries()) bytes += field.add(states[at] as FieldState, env);
        checkKept('$bucketAuto', bytes);
        next = nextOf(rows);
        if (taken % STEP === 0) yield [];
      }
      const min = boundaries.lower(first, before);
      before = boundaries.upper({ enough, last, next });
      let bucket: Doc = { _id: { min, max: before } };
      for (const [at, field] of fields.entries()) bucket = put(bucket, field.name, field.finish(states[at] as FieldState));
      yield [bucket];
    }
  }
};

function nextOf(rows: Iterator<Keyed>): Keyed | undefined {
  const next = rows.next();
  return next.done === true ? undefined : next.value;
}

/** Stages that group by ranges. */
export const bucketStages: Readonly<Record<string, StageCompiler>> = { $bucket: bucket, $bucketAuto: bucketAuto };
