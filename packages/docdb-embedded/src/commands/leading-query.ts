import { neededFields } from '../aggregation/needed-fields.ts';
import { commandScope, commandVars } from '../aggregation/pipeline.ts';
import type { Collator } from '../bson/collation.ts';
import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { checkStage } from '../declarations/stages.ts';
import { DocDbError } from '../errors.ts';
import { hasNear } from '../geo/near.ts';
import { filterNames } from '../query/filter-fields.ts';
import type { Collection } from '../storage/collection.ts';
import { countSteps } from '../storage/count-documents.ts';
import { type CollectionQuery, findSteps, statsOf } from '../storage/find-documents.ts';
import type { Reader } from '../storage/reader.ts';
import type { DocumentView } from '../storage/stored.ts';
import type { CommandContext } from './command.ts';
import { prepareGeoNear } from './geo-near.ts';
import { collationOf, compileCommandFilter, presenceOf, sortOf } from './query-command.ts';
import { describer } from './shown-document.ts';

/** Views over views that are followed. */
export const MAX_VIEWS = 20;

/** Stages that read no collection. */
export const SOURCELESS: ReadonlySet<string> = new Set([
  '$documents',
  '$collStats',
  '$indexStats',
  '$currentOp',
  '$listLocalSessions',
  '$listSessions',
  '$changeStream',
  // These are refused for what they are, and not for where they stand.
  '$querySettings',
  '$listClusterCatalog',
  '$shardedDataDistribution',
]);

/** Stages that find their documents by themselves. */
export const FINDING: ReadonlySet<string> = new Set([...SOURCELESS, '$rankFusion']);

/** How the first stages of a pipeline find their documents. */
export interface LeadingQuery {
  readonly rest: readonly Value[];
  /** The query that they became; `undefined` where they are none. */
  readonly query: CollectionQuery | undefined;
  steps(): AsyncIterable<Doc[]>;
}

/** What the query of a pipeline asks. */
export interface Asked {
  readonly collection: Collection | undefined;
  /** That of the pipeline: of a view it is not that of the collection. */
  readonly collator: Collator | undefined;
  /** What the command says of indexes, for the pipeline that is its own. */
  readonly hint: Value;
}

/** The first stages become a query, so that they can use an index. */
export function leadingQuery(
  context: CommandContext,
  reader: Reader,
  given: readonly Value[],
  { collection, collator, hint }: Asked,
): LeadingQuery {
  const pipeline = matchingOnce(given);
  const [first, second, third] = pipeline as readonly (Doc | undefined)[];
  if ((first && FINDING.has(Object.keys(first)[0] ?? '')) || !collection) return { rest: pipeline, query: undefined, steps: nothing };
  if (isDocument(first) && '$geoNear' in first) return nearestFirst(context, reader, pipeline, collection, collator);
  const match = isDocument(first?.$match) ? first.$match : undefined;
  const afterMatch = match ? second : first;
  const sort = isDocument(afterMatch?.$sort) ? afterMatch.$sort : undefined;
  const afterSort = sort ? (match ? third : second) : afterMatch;
  const limit = afterSort?.$limit === undefined ? undefined : Number(String(afterSort.$limit));
  const used = (match ? 1 : 0) + (sort ? 1 : 0) + (limit === undefined ? 0 : 1);
  if (match && hasNear(match))
    throw new DocDbError(
      5626500,
      '$geoNear, $near, and $nearSphere are not allowed in this context, as these operators require sorting geospatial data',
    );
  const compiled = compileCommandFilter(match ?? {}, collection, {
    let: context.command.let,
    collation: collationOf(collator),
    apiStrict: context.command.apiStrict,
  });
  const keys = sortOf(sort, compiled);
  const query = {
    ...compiled,
    sort: keys,
    skip: 0,
    limit: limit === undefined || !(limit > 0) ? Infinity : limit,
    hint,
    allowDiskUse: context.command.allowDiskUse,
  };
  const counted = sort || limit !== undefined ? undefined : countingGroup(pipeline[used]);
  if (counted)
    return {
      rest: pipeline.slice(used + 1),
      query,
      async *steps() {
        let n = 0;
        for (const some of countSteps(reader, collection, query)) {
          n += some;
          await context.operation.turn();
        }
        if (n > 0) yield [{ _id: counted.id, [counted.name]: n }];
      },
    };
  const rest = pipeline.slice(limit !== undefined && !(limit > 0) ? used - 1 : used);
  return {
    rest,
    query,
    async *steps() {
      const fields = compiled.score ? undefined : neededFields(rest);
      const describe = describer(compiled, [...rest], keys);
      const stats = statsOf(collection, query);
      const check = presenceOf(context, collection, stats.plan);
      const take = (found: DocumentView): Doc => describe(found.fields(fields), found, stats.plan);
      for (const step of context.operation.stepping(findSteps(reader, collection, query, take, stats))) {
        yield step;
        check();
        await context.operation.turn();
      }
    },
  };
}

/** Filters that follow one another are one: those of a view, and what is asked of it, find documents together. */
function matchingOnce(pipeline: readonly Value[]): readonly Value[] {
  const filters: Doc[] = [];
  for (const stage of pipeline) {
    if (!isDocument(stage) || !isDocument(stage.$match) || Object.keys(stage).length !== 1) break;
    // A search by words or by place is told where it stands.
    if (filters.length > 0 && filterNames(stage.$match) === undefined) break;
    filters.push(stage.$match);
  }
  const some = filters.filter((filter) => Object.keys(filter).length > 0);
  const [only = {}] = some;
  return filters.length < 2 ? pipeline : [{ $match: some.length < 2 ? only : { $and: some } }, ...pipeline.slice(filters.length)];
}

/** The nearest documents, with how far away they are. */
function nearestFirst(
  context: CommandContext,
  reader: Reader,
  pipeline: readonly Value[],
  collection: Collection,
  collator: Collator | undefined,
): LeadingQuery {
  const spec = (pipeline[0] as Doc).$geoNear;
  checkStage('$geoNear', spec);
  const vars = commandVars(context.command.let);
  const scope = commandScope(collationOf(collator), vars);
  const { query, add } = prepareGeoNear(spec as Doc, collection, { scope, vars }, context.command.allowDiskUse);
  return {
    rest: pipeline.slice(1),
    query,
    async *steps() {
      for (const step of context.operation.stepping(findSteps(reader, collection, query, (found) => add(found.doc)))) {
        yield step;
        await context.operation.turn();
      }
    },
  };
}

/** The group that drivers count documents with: one of them all, and their number. */
function countingGroup(stage: Value): { readonly id: Value; readonly name: string } | undefined {
  if (!isDocument(stage) || !isDocument(stage.$group)) return undefined;
  const { _id: id, ...fields } = stage.$group;
  const [name = ''] = Object.keys(fields);
  const operand = fields[name];
  if (
    !('_id' in stage.$group) ||
    (id !== null && typeof id !== 'number') ||
    Object.keys(fields).length !== 1 ||
    name.includes('.') ||
    name.startsWith('$')
  )
    return undefined;
  return isDocument(operand) && Object.keys(operand).length === 1 && operand.$sum === 1 ? { id, name } : undefined;
}

async function* nothing(): AsyncGenerator<Doc[], void> {
  await Promise.resolve();
  yield [];
}
