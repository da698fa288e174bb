import { type Doc, isDocument, type Value } from '../../bson/values.ts';
import { failedToParse } from '../../errors.ts';
import { type Correlation, correlationOf } from '../correlation.ts';
import { compileExpression } from '../expression.ts';
import { filterWith } from '../filter-with.ts';
import { HashJoin } from '../hash-join.ts';
import type { PipelineCollection, PipelineContext, StageCompiler, Vars } from '../pipeline-types.ts';
import { isNullish } from '../operators/define.ts';
import { withNested } from '../set-path.ts';
import { equalFilter, EqualityJoin, localValues } from './equality-join.ts';
import { atOnce, forEach, type InTurns } from './in-turns.ts';
import { FEW, insideOf, source, sourceName } from './join-source.ts';

/**
 * @returns the documents that a join is about which names no collection
 * @throws DocDbError (9) for one that does not begin with documents of its own
 */
function ownDocuments([first]: readonly Value[], inner: PipelineContext): (vars: Vars) => Doc[] {
  if (!isDocument(first) || !('$documents' in first)) throw failedToParse("must specify 'from' field for a $lookup");
  const { run } = inner.compile([first], inner);
  return (vars) => run([], vars);
}

/** Finds for lists of values the documents that have one of them in a field: those of a collection, or those that each pipeline makes. */
function equalTo(
  field: string,
  collection: PipelineCollection | undefined,
  own: ((vars: Vars) => Doc[]) | undefined,
  context: PipelineContext,
): (lists: readonly Value[][], bound: readonly Vars[]) => InTurns<Doc[][]> {
  const equal = collection && new EqualityJoin(collection, field, context);
  if (equal) return (lists) => equal.find(lists);
  return (lists, bound) =>
    forEach(lists, (values, at) => (own?.(bound[at] ?? {}) ?? []).filter(filterWith(equalFilter(field, values), context.scope, {})));
}

/** @returns the stages of a join by a field, which is compared first: behind documents that the pipeline makes, and in front of all others */
function behindMatch(stages: readonly Value[], makesDocuments: boolean): readonly Value[] {
  const [first] = stages;
  if (makesDocuments) return [MATCH_ALL, ...stages.slice(1)];
  return isDocument(first) && '$geoNear' in first ? [MATCH_ALL, ...stages] : stages;
}

const MATCH_ALL = { $match: {} };

/** `$lookup` */
export const lookup: StageCompiler = (operand, context) => {
  if (!isDocument(operand)) throw failedToParse('the $lookup specification must be an Object');
  const { from, as, localField, foreignField, let: variables, pipeline } = operand;
  if (typeof as !== 'string') throw failedToParse("missing 'as' option to $lookup stage specification");
  if (isNullish(localField) !== isNullish(foreignField))
    throw failedToParse('$lookup requires both or neither of localField and foreignField to be specified');
  if (isNullish(localField) && pipeline === undefined)
    throw failedToParse("$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified");
  const names = isDocument(variables) ? Object.keys(variables) : [];
  const values = names.map((name) => [name, compileExpression((variables as Doc)[name], context.scope)] as const);
  const named = from === undefined ? undefined : sourceName('$lookup', from);
  const inner: PipelineContext = {
    ...insideOf('$lookup', named, context),
    scope: { ...context.scope, names: new Set([...context.scope.names, ...names]) },
  };
  const stages: readonly Value[] = Array.isArray(pipeline) ? pipeline : [];
  const collection = named && source(named, context);
  const own = collection ? undefined : ownDocuments(stages, inner);
  const equal = typeof foreignField === 'string' ? equalTo(foreignField, collection, own, context) : undefined;
  const path = typeof localField === 'string' ? localField.split('.') : [];
  const join = overCollection(equal ? behindMatch(stages, own !== undefined) : stages, inner, collection);
  const target = as.split('.');
  const turns = function* (docs: Doc[], vars: Vars): InTurns<Doc[]> {
    const bound = docs.map((doc): Vars =>
      names.length === 0 ? vars : { ...vars, ...Object.fromEntries(values.map(([name, of]) => [name, of({ root: doc, vars })])) },
    );
    const lists = docs.map((doc) => localValues(doc, path));
    const found = equal && (yield* equal(lists, bound));
    const joined = yield* join(found, bound);
    return docs.map((doc, at) => withNested(doc, target, joined[at] ?? []));
  };
  return { run: (docs, vars) => atOnce(turns(docs, vars)), turns };
};

/** Runs a pipeline for each of several documents: over what each has found already, or over a collection. */
type SubPipelines = (found: readonly Doc[][] | undefined, bound: readonly Vars[]) => InTurns<Doc[][]>;

/** A leading `$match` may use an index, or the collection is read once for all. */
export function overCollection(
  stages: readonly Value[],
  context: PipelineContext,
  collection: PipelineCollection | undefined,
): SubPipelines {
  const [first] = stages;
  const filter = isDocument(first) && isDocument(first.$match) ? first.$match : undefined;
  const near = isDocument(first) && isDocument(first.$geoNear) ? first.$geoNear : undefined;
  if (near) context.compile([first], context);
  // What may stand at the beginning only is looked for in the whole, which is compiled once: pipelines inside it are compiled with it.
  const { turns } = context.compile(filter || near ? [MATCH_ALL, ...stages.slice(1)] : stages, context);
  const correlation = filter && collection ? correlationOf(filter, context.scope.names) : undefined;
  const correlated = correlation && collection ? correlatedJoin(correlation, collection, context) : undefined;
  const read = (of: PipelineCollection, vars: Vars): InTurns<Doc[]> =>
    near ? of.nearest(near, context.scope, vars) : of.findInTurns(filter ?? {}, context.scope.collator, vars);
  let seen = 0;
  /** What each has found; nothing where each one reads for itself, which is kept for one at a time. */
  const inputs = function* (found: readonly Doc[][] | undefined, bound: readonly Vars[]): InTurns<readonly Doc[][] | undefined> {
    if (found) return filter ? found.map((docs, at) => docs.filter(filterWith(filter, context.scope, bound[at] ?? {}))) : found;
    seen += bound.length;
    return correlated && seen > FEW ? yield* correlated(bound) : undefined;
  };
  return function* (found, bound) {
    const each = yield* inputs(found, bound);
    const results: Doc[][] = [];
    for (const [at, vars] of bound.entries()) {
      const docs = each?.[at] ?? (collection ? yield* read(collection, vars) : []);
      results.push(yield* turns([...docs], vars));
      yield;
    }
    return results;
  };
}

/** What a filter finds for each of several values of its variables. */
function correlatedJoin(
  { plain, correlated, field, variable }: Correlation,
  collection: PipelineCollection,
  context: PipelineContext,
): (bound: readonly Vars[]) => InTurns<Doc[][]> {
  const { scope } = context;
  const fieldOf = compileExpression(`$${field}`, scope);
  const variableOf = compileExpression(variable, scope);
  const table = new HashJoin({
    read: () => collection.steps(plain, scope.collator),
    valuesOf: (doc) => [fieldOf({ root: doc, vars: {} })],
    collator: scope.collator,
  });
  return function* (bound) {
    const wanted = bound.map((vars) => ({ values: [variableOf({ root: {}, vars })], test: filterWith(correlated, scope, vars) }));
    // An index of the field tells where no list is asked for: a path through lists has one as its value.
    if (
      Object.keys(plain).length > 0 ||
      !collection.hasIndex(field, scope.collator) ||
      wanted.some(({ values: [value] }) => Array.isArray(value))
    )
      return yield* table.find(wanted);
    const found: Doc[][] = [];
    for (const {
      values: [value],
      test,
    } of wanted)
      found.push((yield* collection.findInTurns({ [field]: { $eq: value ?? null } }, scope.collator, {})).filter(test));
    return found;
  };
}
