import { sameCollation } from '../../bson/collation.ts';
import { hashKey } from '../../bson/hash-key.ts';
import { type Doc, isDocument, isNumber, type Value } from '../../bson/values.ts';
import { DocDbError, failedToParse } from '../../errors.ts';
import { pathValues } from '../../query/path-values.ts';
import { compileExpression } from '../expression.ts';
import { filterWith } from '../filter-with.ts';
import type { PipelineCollection, PipelineContext, Stage, StageCompiler, Vars } from '../pipeline-types.ts';
import { isNullish } from '../operators/define.ts';
import { withNested } from '../set-path.ts';

function source(name: string, from: Value, context: PipelineContext): PipelineCollection {
  if (typeof from === 'string') return checkView(context.host.collection(from), from, context);
  if (isDocument(from) && typeof from.coll === 'string')
    return checkView(context.host.collection(from.coll, from.db as string | undefined), from.coll, context);
  throw failedToParse(`missing or invalid 'from' option to ${name} stage specification`);
}

/** @throws DocDbError (167) for a view that compares texts in another way than the pipeline */
function checkView(collection: PipelineCollection, name: string, { scope }: PipelineContext): PipelineCollection {
  if (collection.view && !sameCollation(collection.view.collator, scope.collator))
    throw new DocDbError(167, `Cannot override default collation of view ${name}: the pipeline has another one`);
  return collection;
}

/** The values that a join looks for: an array stands for each of its elements and for itself; missing stands for null. */
function joinValues(doc: Doc, path: readonly string[]): Value[] {
  const found = pathValues(doc, path);
  if (found.length === 0) return [null];
  return found.flatMap((value) => (Array.isArray(value) ? [...(value as Value[]), value] : [value === undefined ? null : value]));
}

/** The values that a document of the pipeline looks for: an empty array looks for what is missing. */
function localValues(doc: Doc, path: readonly string[]): Value[] {
  const values = joinValues(doc, path);
  return values.every((value) => Array.isArray(value) && value.length === 0) ? [null] : values;
}

/** How many documents may be joined one by one before a table of the other collection pays. */
const FEW = 4;

/** Finds the documents of another collection whose field equals one of some values. */
function equalityJoin(
  collection: PipelineCollection,
  field: string,
  context: PipelineContext,
  outer: number,
): (values: readonly Value[]) => Doc[] {
  const { collator } = context.scope;
  const one = (values: readonly Value[]): Doc[] => collection.find({ [field]: { $in: values } }, collator, {});
  if (collator || outer <= FEW || collection.hasIndex(field)) return one;
  return tableJoin(collection, field);
}

function tableJoin(collection: PipelineCollection, field: string): (values: readonly Value[]) => Doc[] {
  const path = field.split('.');
  const table = new Map<string, Set<number>>();
  const docs = collection.find({}, undefined, {});
  docs.forEach((doc, position) => {
    for (const value of joinValues(doc, path)) {
      const key = hashKey(value);
      const known = table.get(key);
      if (known) known.add(position);
      else table.set(key, new Set([position]));
    }
  });
  return (values) => {
    const hits = new Set<number>();
    for (const value of values) for (const position of table.get(hashKey(value)) ?? []) hits.add(position);
    return [...hits].sort((a, b) => a - b).map((position) => docs[position] as Doc);
  };
}

/** @throws DocDbError (9, 115) for a join that names no collection, and does not begin with documents of its own */
function checkSourceless([first]: readonly Value[], localField: Value): void {
  if (!isDocument(first) || !('$documents' in first)) throw failedToParse("must specify 'from' field for a $lookup");
  if (!isNullish(localField))
    throw new DocDbError(115, "$lookup in $documents by 'localField' is not supported by this database: compare in the pipeline");
}

/** What the pipeline of a stage is compiled with. */
function insideOf(context: PipelineContext): PipelineContext {
  return context.facet ? { ...context, facet: 'inside' } : context;
}

const lookup: StageCompiler = (operand, context) => {
  if (!isDocument(operand)) throw failedToParse('the $lookup specification must be an Object');
  const { from, as, localField, foreignField, let: variables, pipeline } = operand;
  if (typeof as !== 'string') throw failedToParse("missing 'as' option to $lookup stage specification");
  if (isNullish(localField) !== isNullish(foreignField))
    throw failedToParse('$lookup requires both or neither of localField and foreignField to be specified');
  if (isNullish(localField) && pipeline === undefined)
    throw failedToParse("$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified");
  const names = isDocument(variables) ? Object.keys(variables) : [];
  const values = names.map((name) => [name, compileExpression((variables as Doc)[name], context.scope)] as const);
  const inner: PipelineContext = { ...insideOf(context), scope: { ...context.scope, names: new Set([...context.scope.names, ...names]) } };
  const stages: readonly Value[] = Array.isArray(pipeline) ? pipeline : [];
  if (from === undefined) checkSourceless(stages, localField);
  const collection = from === undefined ? undefined : source('$lookup', from, context);
  const join = subPipeline(stages, inner, collection);
  const target = as.split('.');

  // What comes in several steps reads the other collection once.
  let seen = 0;
  let known: ((values: readonly Value[]) => Doc[]) | undefined;
  return (docs, vars) => {
    if (seen <= FEW) known = undefined;
    seen += docs.length;
    known ??= typeof foreignField === 'string' && collection ? equalityJoin(collection, foreignField, context, seen) : undefined;
    const equal = known;
    const path = typeof localField === 'string' ? localField.split('.') : [];
    return docs.map((doc) => {
      const bound: Vars =
        names.length === 0 ? vars : { ...vars, ...Object.fromEntries(values.map(([name, of]) => [name, of({ root: doc, vars }) ?? null])) };
      return withNested(doc, target, join(equal?.(localValues(doc, path)), bound));
    });
  };
};

/** Runs a pipeline over a collection, or over documents that were found already. A leading `$match` may use an index. */
function subPipeline(
  stages: readonly Value[],
  context: PipelineContext,
  collection: PipelineCollection | undefined,
): (docs: Doc[] | undefined, vars: Vars) => Doc[] {
  const [first] = stages;
  const filter = isDocument(first) && isDocument(first.$match) ? first.$match : undefined;
  // What may stand at the beginning only is looked for in the whole.
  if (filter) context.compile([{ $match: {} }, ...stages.slice(1)], context);
  const rest: Stage = context.compile(filter ? stages.slice(1) : stages, context);
  return (docs, vars) => {
    const input = docs
      ? filter
        ? docs.filter(filterWith(filter, context.scope, vars))
        : docs
      : (collection?.find(filter ?? {}, context.scope.collator, vars) ?? []);
    return rest(input, vars);
  };
}

const graphLookup: StageCompiler = (operand, context) => {
  if (!isDocument(operand)) throw failedToParse('the $graphLookup stage specification must be an object');
  const { from, startWith, connectFromField, connectToField, as, maxDepth, depthField, restrictSearchWithMatch } = operand;
  if (typeof connectFromField !== 'string' || typeof connectToField !== 'string' || typeof as !== 'string') {
    throw new DocDbError(40105, "$graphLookup requires 'connectFromField', 'connectToField' and 'as' to be specified");
  }
  const collection = source('$graphLookup', from, context);
  const start = compileExpression(startWith, context.scope);
  const most = isNumber(maxDepth) ? Number(String(maxDepth)) : Infinity;
  const restrict = isDocument(restrictSearchWithMatch) ? restrictSearchWithMatch : {};
  const fromPath = connectFromField.split('.');
  return (docs, vars) => {
    const allowed = filterWith(restrict, context.scope, vars);
    const find = equalityJoin(collection, connectToField, context, Infinity);
    return docs.map((doc) => {
      const first = start({ root: doc, vars });
      let frontier: Value[] = Array.isArray(first) ? (first as Value[]) : first === undefined ? [] : [first];
      const seen = new Map<string, Doc>();
      for (let depth = 0; depth <= most && frontier.length > 0; depth++) {
        const next: Value[] = [];
        for (const found of find(frontier)) {
          const key = hashKey(found._id);
          if (seen.has(key) || !allowed(found)) continue;
          seen.set(key, typeof depthField === 'string' ? withNested(found, depthField.split('.'), BigInt(depth)) : found);
          next.push(
            ...pathValues(found, fromPath).flatMap((value) =>
              Array.isArray(value) ? (value as Value[]) : value === undefined || value === null ? [] : [value],
            ),
          );
        }
        frontier = next;
      }
      return withNested(doc, as.split('.'), [...seen.values()]);
    });
  };
};

const unionWith: StageCompiler = (operand, context) => {
  const spec: Doc = typeof operand === 'string' ? { coll: operand } : (operand as Doc);
  if (!isDocument(spec)) throw failedToParse('the $unionWith stage specification must be an object or string');
  const stages: readonly Value[] = Array.isArray(spec.pipeline) ? spec.pipeline : [];
  for (const stage of stages)
    if (isDocument(stage) && ('$out' in stage || '$merge' in stage)) throw new DocDbError(31441, 'a pipeline of $unionWith may not write');
  const run = subPipeline(stages, insideOf(context), spec.coll === undefined ? undefined : source('$unionWith', spec.coll, context));
  return (docs, vars) => [...docs, ...run(undefined, vars)];
};

/** Stages that read other collections. */
export const joinStages: Readonly<Record<string, StageCompiler>> = { $lookup: lookup, $graphLookup: graphLookup, $unionWith: unionWith };
