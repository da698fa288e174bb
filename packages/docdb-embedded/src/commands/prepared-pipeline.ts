import { checkLeading, commandScope, commandVars, compilePipeline, compileSteps, depthInside } from '../aggregation/pipeline.ts';
import type {
  OpenPipeline,
  OtherPipeline,
  PipelineCollection,
  PipelineContext,
  PipelineHost,
  PipelineStep,
  Vars,
} from '../aggregation/pipeline-types.ts';
import type { ExpressionScope } from '../aggregation/expression.ts';
import { type InTurns, withTurns } from '../aggregation/stages/in-turns.ts';
import { type Collator, sameCollation } from '../bson/collation.ts';
import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { DocDbError, notFirst } from '../errors.ts';
import type { Collection } from '../storage/collection.ts';
import { checkDatabaseName } from '../storage/database-name.ts';
import { type CollectionQuery, findInTurns, findSteps } from '../storage/find-documents.ts';
import type { Reader } from '../storage/reader.ts';
import { checkViewCollation } from './collection-options.ts';
import type { CommandContext } from './command.ts';
import { describeOperations, operationChoice } from './current-operations.ts';
import { prepareGeoNear } from './geo-near.ts';
import { leadingQuery, MAX_VIEWS } from './leading-query.ts';
import { listedCollection, shownOf } from './listed-collection.ts';
import { runStages } from './pipeline-run.ts';
import { collationOf, collectionIn, compileCommandFilter } from './query-command.ts';

/** A pipeline that is checked, and has not run. */
export interface PreparedPipeline {
  readonly collection: Collection | undefined;
  readonly query: CollectionQuery | undefined;
  readonly stages: readonly PipelineStep[];
  readonly pipeline: PipelineContext;
  readonly vars: Vars;
  steps(): AsyncIterable<Doc[]>;
}

/** What the stages of one command share. */
interface Shared {
  readonly scope: ExpressionScope;
  readonly vars: Vars;
}

/**
 * Prepares a pipeline on the collection that the command names, and runs nothing.
 *
 * @throws DocDbError with the codes of the stages
 */
export function prepare(context: CommandContext, reader: Reader, ns: string, given: readonly Value[]): PreparedPipeline {
  const { command } = context;
  const named = collectionIn(context, reader, ns);
  const vars = commandVars(command.let);
  const scope = commandScope(command.collation ?? named?.options.collation, vars);
  const place = { ns, named, depth: 0, hint: command.hint };
  return prepareOn(context, reader, given, place, { scope, vars });
}

/** Where a pipeline runs. */
interface Place {
  readonly ns: string;
  readonly named: Collection | undefined;
  /** How many pipelines it is inside of. */
  readonly depth: number;
  readonly hint: Value;
}

function prepareOn(
  context: CommandContext,
  reader: Reader,
  given: readonly Value[],
  { ns, named, depth, hint }: Place,
  { scope, vars }: Shared,
): PreparedPipeline {
  // The pipelines in it are those that begin with the stages of a view.
  const { collection, pipeline } = beginsWithRanking(given)
    ? { collection: named, pipeline: given }
    : resolveView(reader, named, databaseOf(ns), given);
  checkViewCollation(named, scope.collator);
  const host = pipelineHost(context, reader, ns, scope.collator);
  checkLeading(pipeline);
  const source = leadingQuery(context, reader, pipeline, { collection, collator: scope.collator, hint });
  const open: OpenPipeline = (other) => openOther(context, reader, { from: host, other, depth: depthInside(depth) }, { scope, vars });
  const stages = compileSteps(source.rest, { host, scope, depth, open });
  const memory = { allowDiskUse: context.command.allowDiskUse !== false };
  return {
    collection,
    query: source.query,
    stages,
    pipeline: { host, scope, compile: compilePipeline },
    vars,
    steps: () => runStages(source.steps(), stages, { vars, scope, operation: context.operation, memory }),
  };
}

/** Views are opened when their turn has come: how much they lead to is not said by the command. */
function openOther(
  context: CommandContext,
  reader: Reader,
  { from, other, depth }: { readonly from: PipelineHost; readonly other: OtherPipeline; readonly depth: number },
  shared: Shared,
): () => AsyncIterable<Doc[]> {
  const { collection, stages } = other;
  const host = collection && from.on(collection.name, collection.database);
  const named = host && collectionIn(context, reader, host.ns);
  const place = { ns: host?.ns ?? from.ns, named, depth, hint: undefined };
  const prepared = (): PreparedPipeline => prepareOn(context, reader, stages, place, shared);
  if (!host || named?.isView !== true) {
    const ready = prepared();
    return () => ready.steps();
  }
  compilePipeline(stages, { host, scope: shared.scope, depth: depth - 1 });
  return () => context.operation.during(prepared).steps();
}

function beginsWithRanking([first]: readonly Value[]): boolean {
  return isDocument(first) && '$rankFusion' in first;
}

function databaseOf(ns: string): string {
  return ns.slice(0, ns.indexOf('.'));
}

/** A view is a pipeline over another collection, or over another view. */
function resolveView(
  reader: Reader,
  named: Collection | undefined,
  database: string,
  given: readonly Value[],
): { readonly collection: Collection | undefined; readonly ns: string; readonly pipeline: readonly Value[] } {
  let collection = named;
  let ns = named?.ns ?? '';
  let pipeline = given;
  for (let depth = 1; collection?.isView === true; depth++) {
    // As many views as that can be made, and not be followed to the end.
    if (depth === MAX_VIEWS) throw new DocDbError(165, `View depth too deep or view cycle detected; maximum depth is ${String(MAX_VIEWS)}`);
    const { viewOn, pipeline: own } = collection.options;
    if (Array.isArray(own)) pipeline = [...(own as Value[]), ...pipeline];
    ns = `${database}.${viewOn as string}`;
    collection = reader.collection(ns);
  }
  return { collection, ns, pipeline };
}

function pipelineHost(context: CommandContext, reader: Reader, ns: string, collator: Collator | undefined): PipelineHost {
  const { server } = context;
  // A view of another database names collections of its own database.
  const database = databaseOf(ns);
  const nameOf = (name: string, other: string | undefined): string => {
    if (other !== undefined) checkDatabaseName(other);
    return `${other ?? database}.${name}`;
  };
  return {
    ns,
    address: server.address,
    collection(name, other) {
      const named = collectionIn(context, reader, nameOf(name, other));
      checkViewCollation(named, collator);
      return pipelineCollection(context, reader, named);
    },
    on: (name, other) => pipelineHost(context, reader, nameOf(name, other), collator),
    sessions: (all) => server.sessions.list(all ? '' : server.security.ownerOf(context.connection)),
    catalogue: () => listedIn(reader, database),
    operations: (choice) => describeOperations(server, operationChoice(context, choice)),
    latency: () => server.operations.usage.latencyOf(ns),
  };
}

/** Nothing is divided among several servers. */
function listedIn(reader: Reader, database: string): Doc[] {
  const names = database === 'admin' ? reader.collections().map(({ ns }) => databaseOf(ns)) : [database];
  return [...new Set(names)].flatMap((db) =>
    shownOf(reader, db).map((collection) => ({ db, ns: collection.ns, ...listedCollection(collection), sharded: false })),
  );
}

function pipelineCollection(context: CommandContext, reader: Reader, named: Collection | undefined): PipelineCollection {
  const database = named ? databaseOf(named.ns) : '';
  const { collection, ns, pipeline } = resolveView(reader, named, database, []);
  const inView = pipeline.length > 0;
  const nearOfView = geoNearOf(pipeline[0]);
  const queryOf = (filter: Doc, collator: Collator | undefined, vars: Vars, of: Collection): CollectionQuery => ({
    ...compileCommandFilter(filter, of, { collation: collationOf(collator), let: literals(vars) }),
    sort: [],
    skip: 0,
    limit: Infinity,
  });
  const nearest = function* (spec: Doc, scope: ExpressionScope, vars: Vars): InTurns<Doc[]> {
    if (!collection) return [];
    const { query, add } = prepareGeoNear(spec, collection, { scope, vars }, context.command.allowDiskUse);
    return (yield* findInTurns(reader, collection, query)).map(add);
  };
  const find = function* (filter: Doc, collator: Collator | undefined, vars: Vars): InTurns<Doc[]> {
    const scope = { collator, names: new Set(Object.keys(vars)) };
    const docs = nearOfView
      ? yield* nearest(nearOfView, scope, vars)
      : collection
        ? yield* findInTurns(reader, collection, queryOf(inView ? {} : filter, collator, vars, collection))
        : [];
    if (!inView) return docs;
    // A view over what is not there yet has what its stages make of nothing.
    const host = pipelineHost(context, reader, ns, collator);
    return yield* compilePipeline([...pipeline.slice(nearOfView ? 1 : 0), { $match: filter }], { host, scope }).turns(docs, vars);
  };
  return {
    findInTurns: find,
    *nearest(spec, scope, vars) {
      if (inView) throw notFirst('$geoNear');
      return yield* nearest(spec, scope, vars);
    },
    steps(filter, collator) {
      if (inView) return inSteps(find(filter, collator, {}));
      if (!collection) return [];
      return findSteps(reader, collection, queryOf(filter, collator, {}, collection), ({ doc }) => doc);
    },
    hasIndex: (field, collator) =>
      !inView &&
      [...(collection?.indexes.values() ?? [])].some(
        (index) =>
          index.ready &&
          index.spec.hidden !== true &&
          index.fields[0]?.name === field &&
          !index.partial &&
          !index.sparse &&
          sameCollation(index.collator, collator),
      ),
    stats: () => {
      const { count, bytes } = collection ? reader.sizeOf(collection) : { count: 0, bytes: 0 };
      const indexes = [...(collection?.indexes.values() ?? [])].map(({ spec, usage }) => ({ spec, usage }));
      return { count, size: bytes, indexes, options: named?.options, isView: named?.isView === true };
    },
  };
}

/** What is found is there at the end; the steps before are turns of others. */
function* inSteps(found: InTurns<Doc[]>): Generator<Doc[], void> {
  yield yield* withTurns(found);
}

function geoNearOf(stage: Value): Doc | undefined {
  return isDocument(stage) && isDocument(stage.$geoNear) ? stage.$geoNear : undefined;
}

function literals(vars: Vars): Doc {
  return Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, value === undefined ? '$$REMOVE' : { $literal: value }]));
}
