import { isOutput } from '../aggregation/pipeline.ts';
import { stageName } from '../aggregation/stage-name.ts';
import type { PipelineStep } from '../aggregation/pipeline-types.ts';
import { Encoded, encodeSent } from '../bson/encode.ts';
import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { stages } from '../declarations/stages.ts';
import { needsDatabase } from '../declarations/status-stages.ts';
import { checkReachable } from '../declarations/write-concern.ts';
import { badValue, DocDbError, failedToParse, framed } from '../errors.ts';
import type { Collection } from '../storage/collection.ts';
import type { CollectionQuery } from '../storage/find-documents.ts';
import type { Reader } from '../storage/reader.ts';
import { openChangeStream } from './change-stream.ts';
import { type Command, type CommandContext, countField, documentField, listField } from './command.ts';
import type { DocumentSource } from './open-cursor.ts';
import { SOURCELESS } from './leading-query.ts';
import type { Operation } from './operation.ts';
import { checkOutput, writeOutput } from './output.ts';
import { prepare } from './prepared-pipeline.ts';
import { readingOf } from './query-command.ts';

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
  if (first === '$changeStream') {
    checkReachable(command.writeConcern);
    return openChangeStream(context, pipeline, typeof target === 'string' ? ns : undefined);
  }
  if (first !== undefined && !Object.hasOwn(stages, first)) throw new DocDbError(40324, `Unrecognized pipeline stage name: '${first}'`);
  checkSource(context, first);
  if (typeof target !== 'string' && first === '$facet') checkFacet((pipeline[0] as Doc).$facet);
  if (typeof target !== 'string' && (first === undefined || !SOURCELESS.has(first))) {
    throw new DocDbError(73, `{aggregate: 1} is not valid for '${first ?? ''}'; a collection is required.`);
  }
  const batchSize = countField(documentField(command, 'cursor'), 'batchSize');
  const { level } = documentField(command, 'readConcern');
  const last = pipeline.at(-1);
  if (last === undefined || !isOutput(stageName(last))) {
    checkReachable(command.writeConcern);
    return server.cursors.first(ns, await aggregateSource(context, pipeline), { batchSize, transaction });
  }
  if (level === 'linearizable') throw new DocDbError(72, "Aggregation stages that write can not run with the read concern 'linearizable'");
  if (transaction)
    throw new DocDbError(
      263,
      `Operation not permitted in transaction :: caused by :: Aggregation stage ${stageName(last)} cannot run within a multi-document transaction`,
    );
  const reading = readingOf(context);
  try {
    const run = prepare(context, reading.reader, ns, pipeline);
    checkOutput(context, reading.reader, run.stages.at(-1) as PipelineStep, run.pipeline);
    await writeOutput(context, run.stages.at(-1) as PipelineStep, run.steps(), run.pipeline, run.vars).catch((error: unknown) => {
      throw framed(error, FRAME);
    });
  } finally {
    reading.release();
  }
  return server.cursors.firstOf(ns, [], batchSize);
};

/** @throws DocDbError (40600) for a stage in it that reads no collection, before the collection that it has not is missed */
function checkFacet(branches: Value): void {
  for (const branch of isDocument(branches) ? Object.values(branches) : [])
    for (const stage of Array.isArray(branch) ? (branch as Value[]) : []) {
      const [name = ''] = isDocument(stage) ? Object.keys(stage) : [];
      if (SOURCELESS.has(name)) throw new DocDbError(40600, `${name} is not allowed to be used within a $facet stage`);
    }
}

/** Stages that need the database and no collection, and those of them that need the database `admin`. */
const OF_DATABASE: ReadonlySet<string> = new Set(['$currentOp', '$listLocalSessions']);
/** Stages that tell what is now, and no state that a read concern names. */
const ONLY_LOCAL: ReadonlySet<string> = new Set([...OF_DATABASE, '$listClusterCatalog', '$listSearchIndexes']);
/** Stages that tell of more than documents. */
const NOT_IN_TRANSACTIONS: ReadonlySet<string> = new Set([
  '$changeStream',
  '$collStats',
  '$currentOp',
  '$indexStats',
  '$listClusterCatalog',
  '$listLocalSessions',
  '$listSessions',
  '$planCacheStats',
]);
/** @throws DocDbError (2, 72, 73, 9621301) for a stage that does not run on what the command names, or not so */
function checkSource({ command, database }: CommandContext, first: string | undefined): void {
  if (first === undefined) return;
  if (first === '$geoNear' && isDocument(command.hint) && '$natural' in command.hint)
    throw badValue('$geoNear reads an index of places, and not in the natural order');
  if (first === '$listClusterCatalog' && typeof command.aggregate === 'string') throw needsDatabase();
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
    const prepared = operation.during(() => prepare(context, reading.reader, targetOf(context), pipeline));
    return {
      steps: encoded(prepared.steps(), operation),
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
  for await (const docs of steps) yield operation.during(() => docs.map((doc) => new Encoded(encodeSent(doc))));
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
  const { collection, query, stages, pipeline: inner } = prepare(context, reader, targetOf(context), pipeline);
  const last = stages.at(-1);
  if (last && isOutput(last.name)) checkOutput(context, reader, last, inner);
  return { collection, query, stages };
}

/** The documents of a pipeline on the collection that the command names. */
export function aggregateSteps(context: CommandContext, reader: Reader, pipeline: readonly Value[]): AsyncIterable<Doc[]> {
  return prepare(context, reader, targetOf(context), pipeline).steps();
}
