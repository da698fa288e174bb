import { checkLeading, commandScope, commandVars, compilePipeline, compileSteps, isOutput, stageName } from '../aggregation/pipeline.ts';
import type { PipelineCollection, PipelineContext, PipelineHost, PipelineStep, Vars } from '../aggregation/pipeline-types.ts';
import { type Collator, sameCollation } from '../bson/collation.ts';
import { encode, Encoded, MOST_OF_ONE } from '../bson/encode.ts';
import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { stages } from '../declarations/stages.ts';
import { badValue, DocDbError, failedToParse, framed } from '../errors.ts';
import type { Collection } from '../storage/collection.ts';
import { checkDatabaseName } from '../storage/database-name.ts';
import { type CollectionQuery, findDocuments, findSteps } from '../storage/find-documents.ts';
import type { Reader } from '../storage/reader.ts';
import { openChangeStream } from './change-stream.ts';
import { checkViewCollation } from './collection-options.ts';
import { type Command, type CommandContext, countField, documentField, listField } from './command.ts';
import { describeOperations, operationChoice } from './current-operations.ts';
import type { DocumentSource } from './open-cursor.ts';
import { leadingQuery, MAX_VIEWS, SOURCELESS } from './leading-query.ts';
import type { Operation } from './operation.ts';
import { checkOutput, writeOutput } from './output.ts';
import { runStages } from './pipeline-run.ts';
import { collationOf, collectionIn, compileCommandFilter, readingOf } from './query-command.ts';

/** What is going on where a stage fails. */
const FRAME = 'PlanExecutor error during aggregation';

/** `aggregate` */
export const aggregate: Command = async (context) => {
  const { command, server, transaction } = context;
  const pipeline = listField(command, 'pipeline');
  const target = command.aggregate;
  const ns = targetOf(context);
  if (command.cursor === undefined && command.explain !== true)
    throw failedToParse("The 'cursor' option is required, except for aggregate with the explain argument");
  const first = pipeline[0] === undefined ? undefined : stageName(pipeline[0]);
  if (transaction && first !== undefined && NOT_IN_TRANSACTIONS.has(first))
    throw new DocDbError(263, `Stage not supported inside of a multi-document transaction: ${first}`);
  if (first === '$changeStream') return openChangeStream(context, pipeline, typeof target === 'string' ? ns : undefined);
  if (first !== undefined && !Object.hasOwn(stages, first)) throw new DocDbError(40324, `Unrecognized pipeline stage name: '${first}'`);
  checkSource(context, first);
  if (typeof target !== 'string' && (first === undefined || !SOURCELESS.has(first))) {
    throw new DocDbError(73, `{aggregate: 1} is not valid for '${first ?? ''}'; a collection is required.`);
  }
  const batchSize = countField(documentField(command, 'cursor'), 'batchSize');
  const { level } = documentField(command, 'readConcern');
  const last = pipeline.at(-1);
  if (last === undefined || !isOutput(stageName(last)))
    return server.cursors.first(ns, await aggregateSource(context, pipeline), { batchSize, transaction });
  if (level === 'linearizable') throw new DocDbError(72, "Aggregation stages that write can not run with the read concern 'linearizable'");
  if (transaction)
    throw new DocDbError(
      263,
      `Operation not permitted in transaction :: caused by :: Aggregation stage ${stageName(last)} cannot run within a multi-document transaction`,
    );
  const reading = readingOf(context);
  try {
    const run = prepare(context, reading.reader, pipeline);
    checkOutput(context, reading.reader, run.stages.at(-1) as PipelineStep, run.pipeline);
    await writeOutput(context, run.stages.at(-1) as PipelineStep, run.steps(), run.pipeline, run.vars).catch((error: unknown) => {
      throw framed(error, FRAME);
    });
  } finally {
    reading.release();
  }
  return server.cursors.firstOf(ns, [], batchSize);
};

/** Stages that need the database and no collection, and those of them that need the database `admin`. */
const OF_DATABASE: ReadonlySet<string> = new Set(['$currentOp', '$listLocalSessions']);
/** Stages that tell what is now, and no state that a read concern names. */
const ONLY_LOCAL: ReadonlySet<string> = new Set([...OF_DATABASE, '$listSearchIndexes']);
/** Stages that tell of more than documents. */
const NOT_IN_TRANSACTIONS: ReadonlySet<string> = new Set([
  '$changeStream',
  '$collStats',
  '$currentOp',
  '$indexStats',
  '$listLocalSessions',
  '$listSessions',
  '$planCacheStats',
]);
/** @throws DocDbError (2, 72, 73) for a stage that does not run on what the command names, or not so */
function checkSource({ command, database }: CommandContext, first: string | undefined): void {
  if (first === undefined) return;
  if (first === '$geoNear' && isDocument(command.hint) && '$natural' in command.hint)
    throw badValue('$geoNear reads an index of places, and not in the natural order');
  if (OF_DATABASE.has(first) && (typeof command.aggregate === 'string' || (first === '$currentOp' && database !== 'admin')))
    throw new DocDbError(73, `${first} must be run against the ${first === '$currentOp' ? "'admin' " : ''}database with {aggregate: 1}`);
  const { level } = documentField(command, 'readConcern');
  if (ONLY_LOCAL.has(first) && typeof level === 'string' && level !== 'local')
    throw new DocDbError(
      72,
      `Aggregation stage ${first} cannot run with a readConcern other than 'local', or in a multi-document transaction. Current readConcern: ${level}`,
    );
}

function targetOf({ command, database, name }: CommandContext): string {
  const target = command[name];
  return `${database}.${typeof target === 'string' ? target : '$cmd.aggregate'}`;
}

/** Opens the documents of a pipeline on the collection that the command names. */
export async function aggregateSource(context: CommandContext, pipeline: readonly Value[]): Promise<DocumentSource> {
  await Promise.resolve();
  const reading = readingOf(context);
  try {
    const { operation } = context;
    return {
      steps: encoded(prepare(context, reading.reader, pipeline).steps(), operation),
      release: reading.release,
      operation,
      frame: FRAME,
    };
  } catch (error) {
    reading.release();
    throw error;
  }
}

async function* encoded(steps: AsyncIterable<Doc[]>, operation: Operation): AsyncGenerator<Encoded[], void> {
  for await (const docs of steps) yield operation.during(() => docs.map((doc) => new Encoded(encode(doc, MOST_OF_ONE))));
}

/**
 * Prepares a pipeline and runs nothing.
 *
 * @throws DocDbError with the codes of the stages
 */
export function preparePipeline(
  context: CommandContext,
  reader: Reader,
  pipeline: readonly Value[],
): { readonly collection: Collection | undefined; readonly query: CollectionQuery | undefined; readonly stages: readonly PipelineStep[] } {
  const { collection, query, stages, pipeline: inner } = prepare(context, reader, pipeline);
  const last = stages.at(-1);
  if (last && isOutput(last.name)) checkOutput(context, reader, last, inner);
  return { collection, query, stages };
}

/** The documents of a pipeline on the collection that the command names. */
export function aggregateSteps(context: CommandContext, reader: Reader, pipeline: readonly Value[]): AsyncIterable<Doc[]> {
  return prepare(context, reader, pipeline).steps();
}

interface PreparedPipeline {
  readonly collection: Collection | undefined;
  readonly query: CollectionQuery | undefined;
  readonly stages: readonly PipelineStep[];
  readonly pipeline: PipelineContext;
  readonly vars: Vars;
  steps(): AsyncIterable<Doc[]>;
}

function prepare(context: CommandContext, reader: Reader, given: readonly Value[]): PreparedPipeline {
  const { command, database } = context;
  const ns = targetOf(context);
  const named = collectionIn(context, reader, ns);
  const { collection, pipeline } = resolveView(reader, named, database, given);
  const vars = commandVars(command.let);
  const scope = commandScope(command.collation ?? named?.options.collation, vars);
  checkViewCollation(named, scope.collator);
  const host = pipelineHost(context, reader, ns, scope.collator);
  checkLeading(pipeline);
  const source = leadingQuery(context, reader, pipeline, collection, scope.collator);
  const stages = compileSteps(source.rest, { host, scope });
  return {
    collection,
    query: source.query,
    stages,
    pipeline: { host, scope, compile: compilePipeline },
    vars,
    steps: () =>
      runStages(source.steps(), stages, {
        vars,
        scope,
        operation: context.operation,
        memory: { allowDiskUse: command.allowDiskUse !== false },
      }),
  };
}

/** A view is a pipeline over another collection, or over another view. */
function resolveView(
  reader: Reader,
  named: Collection | undefined,
  database: string,
  given: readonly Value[],
): { readonly collection: Collection | undefined; readonly pipeline: readonly Value[] } {
  let collection = named;
  let pipeline = given;
  for (let depth = 1; collection?.isView === true; depth++) {
    // As many views as that can be made, and not be followed to the end.
    if (depth === MAX_VIEWS) throw new DocDbError(165, `View depth too deep or view cycle detected; maximum depth is ${String(MAX_VIEWS)}`);
    const { viewOn, pipeline: own } = collection.options;
    if (Array.isArray(own)) pipeline = [...(own as Value[]), ...pipeline];
    collection = reader.collection(`${database}.${viewOn as string}`);
  }
  return { collection, pipeline };
}

function pipelineHost(context: CommandContext, reader: Reader, ns: string, collator: Collator | undefined): PipelineHost {
  const { server } = context;
  // A view of another database names collections of its own database.
  const database = ns.slice(0, ns.indexOf('.'));
  return {
    ns,
    address: server.address,
    collection(name, other) {
      if (other !== undefined) checkDatabaseName(other);
      const named = collectionIn(context, reader, `${other ?? database}.${name}`);
      checkViewCollation(named, collator);
      return pipelineCollection(context, reader, named);
    },
    sessions: (all) => server.sessions.list(all ? '' : server.security.ownerOf(context.connection)),
    operations: (choice) => describeOperations(server, operationChoice(context, choice)),
    latency: () => server.operations.usage.latencyOf(ns),
  };
}

function pipelineCollection(context: CommandContext, reader: Reader, named: Collection | undefined): PipelineCollection {
  const database = named?.ns.slice(0, named.ns.indexOf('.')) ?? '';
  const { collection, pipeline } = resolveView(reader, named, database, []);
  const inView = pipeline.length > 0;
  const queryOf = (filter: Doc, collator: Collator | undefined, vars: Vars, of: Collection): CollectionQuery => ({
    ...compileCommandFilter(filter, of, { collation: collationOf(collator), let: literals(vars) }),
    sort: [],
    skip: 0,
    limit: Infinity,
  });
  const find = (filter: Doc, collator: Collator | undefined, vars: Vars): Doc[] => {
    if (!collection) return [];
    const docs = findDocuments(reader, collection, queryOf(inView ? {} : filter, collator, vars, collection));
    if (!inView) return docs;
    const host = pipelineHost(context, reader, collection.ns, collator);
    return compilePipeline([...pipeline, { $match: filter }], { host, scope: { collator, names: new Set(Object.keys(vars)) } })(docs, vars);
  };
  return {
    find,
    steps(filter, collator) {
      if (!collection || inView) return [find(filter, collator, {})];
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

function literals(vars: Vars): Doc {
  return Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, value === undefined ? '$$REMOVE' : { $literal: value }]));
}
