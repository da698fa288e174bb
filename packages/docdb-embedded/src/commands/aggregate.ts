import { neededFields } from '../aggregation/needed-fields.ts';
import { checkLeading, commandScope, commandVars, compilePipeline, compileSteps, isOutput, stageName } from '../aggregation/pipeline.ts';
import type { PipelineCollection, PipelineContext, PipelineHost, PipelineStep, Vars } from '../aggregation/pipeline-types.ts';
import { encode, Encoded } from '../bson/encode.ts';
import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { checkStage } from '../declarations/stages.ts';
import { DocDbError, failedToParse } from '../errors.ts';
import { parseSort } from '../query/sort.ts';
import type { Collection } from '../storage/collection.ts';
import { countSteps } from '../storage/count-documents.ts';
import { findDocuments, findSteps } from '../storage/find-documents.ts';
import type { Reader } from '../storage/reader.ts';
import { openChangeStream } from './change-stream.ts';
import { type Command, type CommandContext, countField, documentField, listField } from './command.ts';
import type { DocumentSource } from './cursors.ts';
import { prepareGeoNear } from './geo-near.ts';
import { writeOutput } from './output.ts';
import { runStages } from './pipeline-run.ts';
import { collectionIn, compileCommandFilter, readingOf } from './query-command.ts';

const SOURCELESS: ReadonlySet<string> = new Set([
  '$documents',
  '$collStats',
  '$indexStats',
  '$currentOp',
  '$listLocalSessions',
  '$listSessions',
  '$changeStream',
]);

/** Views over views that are followed. */
const MAX_VIEWS = 20;

/** `aggregate` */
export const aggregate: Command = async (context) => {
  const { command, server, transaction } = context;
  const pipeline = listField(command, 'pipeline');
  const target = command.aggregate;
  const ns = targetOf(context);
  if (command.cursor === undefined && command.explain !== true)
    throw failedToParse("The 'cursor' option is required, except for aggregate with the explain argument");
  const first = pipeline[0] === undefined ? undefined : stageName(pipeline[0]);
  if (first === '$changeStream') return openChangeStream(context, pipeline, typeof target === 'string' ? ns : undefined);
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
    await writeOutput(context, run.stages.at(-1) as PipelineStep, run.steps(), run.pipeline, run.vars);
  } finally {
    reading.release();
  }
  return server.cursors.firstOf(ns, [], batchSize);
};

function targetOf({ command, database, name }: CommandContext): string {
  const target = command[name];
  return `${database}.${typeof target === 'string' ? target : '$cmd.aggregate'}`;
}

/** Opens the documents of a pipeline on the collection that the command names. */
export async function aggregateSource(context: CommandContext, pipeline: readonly Value[]): Promise<DocumentSource> {
  await Promise.resolve();
  const reading = readingOf(context);
  try {
    return { steps: encoded(prepare(context, reading.reader, pipeline).steps()), release: reading.release };
  } catch (error) {
    reading.release();
    throw error;
  }
}

async function* encoded(steps: AsyncIterable<Doc[]>): AsyncGenerator<Encoded[], void> {
  for await (const docs of steps) yield docs.map((doc) => new Encoded(encode(doc)));
}

/** The documents of a pipeline on the collection that the command names. */
export function aggregateSteps(context: CommandContext, reader: Reader, pipeline: readonly Value[]): AsyncIterable<Doc[]> {
  return prepare(context, reader, pipeline).steps();
}

interface PreparedPipeline {
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
  const host = pipelineHost(context, reader, ns);
  const source = leadingQuery(context, reader, pipeline, collection);
  checkLeading(pipeline, pipeline.length - source.rest.length);
  const stages = compileSteps(source.rest, { host, scope });
  return {
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
  for (let depth = 0; collection?.isView === true; depth++) {
    if (depth === MAX_VIEWS) throw new DocDbError(165, `View depth too deep or view cycle detected; maximum depth is ${String(MAX_VIEWS)}`);
    const { viewOn, pipeline: own } = collection.options;
    if (Array.isArray(own)) pipeline = [...(own as Value[]), ...pipeline];
    collection = reader.collection(`${database}.${viewOn as string}`);
  }
  return { collection, pipeline };
}

/** The first stages become a query, so that they can use an index. */
function leadingQuery(
  context: CommandContext,
  reader: Reader,
  pipeline: readonly Value[],
  collection: Collection | undefined,
): { readonly rest: readonly Value[]; steps(): AsyncIterable<Doc[]> } {
  const [first, second, third] = pipeline as readonly (Doc | undefined)[];
  if ((first && SOURCELESS.has(Object.keys(first)[0] ?? '')) || !collection) return { rest: pipeline, steps: nothing };
  if (isDocument(first) && '$geoNear' in first) return nearestFirst(context, reader, pipeline, collection);
  const match = isDocument(first?.$match) ? first.$match : undefined;
  const afterMatch = match ? second : first;
  const sort = isDocument(afterMatch?.$sort) ? afterMatch.$sort : undefined;
  const afterSort = sort ? (match ? third : second) : afterMatch;
  const limit = afterSort?.$limit === undefined ? undefined : Number(String(afterSort.$limit));
  const used = (match ? 1 : 0) + (sort ? 1 : 0) + (limit === undefined ? 0 : 1);
  const compiled = compileCommandFilter(match ?? {}, collection, context.command);
  if (compiled.order.length > 0)
    throw new DocDbError(
      5626500,
      '$geoNear, $near, and $nearSphere are not allowed in this context, as these operators require sorting geospatial data',
    );
  const query = {
    ...compiled,
    sort: parseSort(sort),
    skip: 0,
    limit: limit === undefined || !(limit > 0) ? Infinity : limit,
    hint: context.command.hint,
    allowDiskUse: context.command.allowDiskUse,
  };
  const counted = sort || limit !== undefined ? undefined : countingGroup(pipeline[used]);
  if (counted)
    return {
      rest: pipeline.slice(used + 1),
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
    async *steps() {
      const fields = compiled.score ? undefined : neededFields(rest);
      for (const step of context.operation.stepping(findSteps(reader, collection, query, (found) => found.fields(fields)))) {
        yield step;
        await context.operation.turn();
      }
    },
  };
}

/** The nearest documents, with how far away they are. */
function nearestFirst(
  context: CommandContext,
  reader: Reader,
  pipeline: readonly Value[],
  collection: Collection,
): { readonly rest: readonly Value[]; steps(): AsyncIterable<Doc[]> } {
  const spec = (pipeline[0] as Doc).$geoNear;
  checkStage('$geoNear', spec);
  const vars = commandVars(context.command.let);
  const scope = commandScope(context.command.collation ?? collection.options.collation, vars);
  const near = prepareGeoNear(spec as Doc, collection, scope, vars);
  const query = { ...near, collator: scope.collator, skip: 0, limit: Infinity, allowDiskUse: context.command.allowDiskUse };
  return {
    rest: pipeline.slice(1),
    async *steps() {
      for (const step of context.operation.stepping(findSteps(reader, collection, query, (found) => near.add(found.doc)))) {
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
  if (!('_id' in stage.$group) || (id !== null && typeof id !== 'number') || Object.keys(fields).length !== 1 || name.includes('.'))
    return undefined;
  return isDocument(operand) && Object.keys(operand).length === 1 && operand.$sum === 1 ? { id, name } : undefined;
}

async function* nothing(): AsyncGenerator<Doc[], void> {
  await Promise.resolve();
  yield [];
}

function pipelineHost(context: CommandContext, reader: Reader, ns: string): PipelineHost {
  const { database, server } = context;
  return {
    ns,
    address: server.address,
    collection: (name, other) => pipelineCollection(context, reader, collectionIn(context, reader, `${other ?? database}.${name}`)),
    sessions: () => server.sessions.list(),
  };
}

function pipelineCollection(context: CommandContext, reader: Reader, named: Collection | undefined): PipelineCollection {
  const database = named?.ns.slice(0, named.ns.indexOf('.')) ?? '';
  const { collection, pipeline } = resolveView(reader, named, database, []);
  return {
    find(filter, collator, vars) {
      if (!collection) return [];
      const inView = pipeline.length > 0;
      const compiled = compileCommandFilter(inView ? {} : filter, collection, { collation: collator?.spec, let: literals(vars) });
      const docs = findDocuments(reader, collection, { ...compiled, sort: [], skip: 0, limit: Infinity });
      if (!inView) return docs;
      const host = pipelineHost(context, reader, collection.ns);
      return compilePipeline([...pipeline, { $match: filter }], { host, scope: { collator, names: new Set(Object.keys(vars)) } })(
        docs,
        vars,
      );
    },
    hasIndex: (field) =>
      pipeline.length === 0 &&
      (field === '_id' ||
        [...(collection?.indexes.values() ?? [])].some(
          (index) => index.ready && index.fields[0]?.name === field && !index.partial && !index.sparse,
        )),
    stats: () => {
      const { count, bytes } = collection ? reader.sizeOf(collection) : { count: 0, bytes: 0 };
      const indexes = [...(collection?.indexes.values() ?? [])].map((index) => index.spec);
      return { count, size: bytes, indexes, options: named?.options, isView: named?.isView === true };
    },
  };
}

function literals(vars: Vars): Doc {
  return Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, { $literal: value }]));
}
