import { askedMetadata } from '../aggregation/metadata.ts';
import { compare, equal } from '../bson/compare.ts';
import { FieldNames } from '../bson/decode-fields.ts';
import { Encoded, encodeSent, sizeOf } from '../bson/encode.ts';
import { MAX_DOCUMENT_SIZE, MOST_OF_ONE } from '../bson/limits.ts';
import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { isOn } from '../declarations/field.ts';
import { badValue, DocDbError, failedToParse } from '../errors.ts';
import { pathValues } from '../query/path-values.ts';
import { firstOf } from '../query/filter-fields.ts';
import { compileProjection } from '../query/projection.ts';
import { uniqueValues } from '../query/value-set.ts';
import { checkNamespace, type Collection } from '../storage/collection.ts';
import { countSteps } from '../storage/count-documents.ts';
import { distinctByIndex } from '../storage/distinct-values.ts';
import { type CollectionQuery, findSteps, type FindStats, statsOf } from '../storage/find-documents.ts';
import { roughSize } from '../spill/rough-size.ts';
import { keyBounds } from '../storage/key-bounds.ts';
import type { Reader } from '../storage/reader.ts';
import type { DocumentView } from '../storage/stored.ts';
import { aggregateSource, aggregateSteps } from './aggregate.ts';
import { type Command, type CommandContext, countField, documentField, namespace } from './command.ts';
import type { DocumentSource } from './open-cursor.ts';
import type { Operation } from './operation.ts';
import { collectionIn, collectionNow, compileCommandFilter, computer, presenceOf, readingOf, sortOf } from './query-command.ts';
import { type Show, shownDocument } from './shown-document.ts';
import { TailableFind } from './tailable-find.ts';

/** A find that is checked and compiled. */
export interface PreparedFind {
  readonly query: CollectionQuery;
  /** What is sent of a document; `undefined` for all of it, as it is. */
  readonly show: Show | undefined;
}

/** @returns the query of a find, and what it sends of each document */
export function prepareFind(command: Doc, collection: Collection | undefined): PreparedFind {
  const compiled = compileCommandFilter(documentField(command, 'filter'), collection, command);
  const limit = countField(command, 'limit') ?? 0;
  const skip = countField(command, 'skip') ?? 0;
  if (skip < 0) throw badValue("BSON field 'skip' value must be >= 0");
  if (isOn(command.tailable)) checkTailable(command, collection);
  if (isOn(command.awaitData) && !isOn(command.tailable)) throw failedToParse("Cannot set 'awaitData' without also setting 'tailable'");
  const sort = documentField(command, 'sort');
  const projection = documentField(command, 'projection');
  if ('$natural' in sort && compiled.score)
    throw badValue('a search by text or by distance is not allowed with a sort in the $natural order');
  if (Object.keys(sort).length === 0 && askedMetadata(projection).has('sortKey'))
    throw badValue('cannot use sortKey $meta projection without a sort');
  const natural = sort.$natural;
  const hint = natural === undefined ? command.hint : { $natural: natural };
  const query: CollectionQuery = {
    filter: compiled.filter,
    predicate: compiled.predicate,
    sort: compiled.order.length > 0 && Object.keys(sort).length === 0 ? [...compiled.order] : sortOf(sort, compiled),
    skip,
    limit: limit === 0 ? Infinity : Math.abs(limit),
    collator: compiled.collator,
    hint,
    allowDiskUse: command.allowDiskUse === undefined || command.allowDiskUse === null || isOn(command.allowDiskUse),
    score: compiled.score,
    projection,
    within: compiled.within,
    implied: compiled.implied ?? [],
    between: collection && keyBounds(collection, keysOf(command, hint), compiled.collator),
  };
  const context = {
    collator: compiled.collator,
    compute: computer(compiled.scope, compiled.vars),
    filter: compiled.filter,
    expression: undefined,
  };
  const project = Object.keys(projection).length === 0 ? undefined : compileProjection(projection, context);
  return { query, show: shownDocument(command, compiled, query.sort, project) };
}

function keysOf(command: Doc, hint: Value): { readonly min: Doc; readonly max: Doc; readonly hint: Value } {
  return { min: documentField(command, 'min'), max: documentField(command, 'max'), hint };
}

/** @throws BadValue (2) for a cursor that cannot wait at the end of what it reads */
function checkTailable(command: Doc, collection: Collection | undefined): void {
  if (collection?.isCapped === false) throw badValue('error processing query: tailable cursor requested on non capped collection');
  const sort = documentField(command, 'sort');
  if (Object.keys(sort).length > 0 && !equal(sort, { $natural: 1 }))
    throw badValue('cannot use tailable option with a sort other than {$natural: 1}');
  if (isDocument(command.min) || isDocument(command.max))
    throw badValue('cannot use tailable option with min or max: it reads in natural order');
  if (isOn(command.singleBatch) || (countField(command, 'limit') ?? 0) < 0)
    throw badValue("cannot use tailable option with the 'singleBatch' option");
}

/** @returns the documents of a capped collection that has some, with those that are added later */
function tailed(context: CommandContext, ns: string): TailableFind | undefined {
  const { command, server, transaction } = context;
  if (!isOn(command.tailable)) return undefined;
  if (transaction) throw new DocDbError(72, 'It is illegal to open a tailable cursor in a transaction');
  const collection = collectionNow(context, ns);
  if (!collection) return undefined;
  if (collection.isView) throw new DocDbError(168, 'Option tailable not supported in aggregation: a view is one');
  const find = prepareFind(command, collection);
  return server.store.newest.sizeOf(collection).count === 0
    ? undefined
    : new TailableFind(server.store, collection, find, isOn(command.awaitData));
}

/** `find` */
export const find: Command = async (context) => {
  const { command, server, transaction } = context;
  const ns = namespace(context);
  checkNamespace(ns);
  const limit = countField(command, 'limit') ?? 0;
  const batchSize = countField(command, 'batchSize');
  const single = isOn(command.singleBatch) || limit < 0;
  const noTimeout = isOn(command.noCursorTimeout);
  const tail = tailed(context, ns);
  if (tail) return server.cursors.live(ns, tail, { batchSize, noTimeout, operation: context.operation });
  return server.cursors.first(ns, await findSource(context, ns), { batchSize, single, noTimeout, transaction });
};

async function findSource(context: CommandContext, ns: string): Promise<DocumentSource> {
  const reading = readingOf(context);
  try {
    const collection = collectionIn(context, reading.reader, ns);
    if (collection?.isView === true) {
      const source = await aggregateSource(context, viewStages(context.command));
      reading.release();
      return source;
    }
    const { query, show } = prepareFind(context.command, collection);
    const stats = collection && statsOf(collection, query);
    const steps = collection && stats ? sentSteps(reading.reader, collection, query, show, stats) : [];
    const { operation } = context;
    const check = collection && stats ? { check: presenceOf(context, collection, stats.plan) } : {};
    return {
      steps: inTurns(steps, operation),
      release: reading.release,
      peek: query.limit < Infinity,
      operation,
      frame: `Executor error during find command: ${ns}`,
      ...check,
    };
  } catch (error) {
    reading.release();
    throw error;
  }
}

/** Documents that are sent as they are need not be written anew. */
function sentSteps(
  reader: Reader,
  collection: Collection,
  query: CollectionQuery,
  show: Show | undefined,
  stats: FindStats,
): Iterable<Encoded[]> {
  const send = (found: DocumentView): Encoded => new Encoded(show ? encodeSent(show(found, stats.plan)) : found.kept().bytes);
  return findSteps(reader, collection, query, send, stats);
}

async function* inTurns<T>(steps: Iterable<T>, operation: Operation): AsyncGenerator<T, void> {
  for (const step of operation.stepping(steps)) {
    yield step;
    await operation.turn();
  }
}

/** What names records or indexes, of which a view has none. */
const NOT_OF_VIEWS = ['min', 'max', 'returnKey', 'showRecordId'] as const;

/**
 * The pipeline that a find on a view is.
 *
 * @throws DocDbError (168) for what a view can not tell
 */
export function viewStages(command: Doc): Doc[] {
  for (const name of NOT_OF_VIEWS)
    if (isDocument(command[name]) ? Object.keys(command[name]).length > 0 : isOn(command[name]))
      throw new DocDbError(168, `Option ${name} not supported in aggregation: a view is one`);
  if ('$natural' in documentField(command, 'sort'))
    throw new DocDbError(168, 'Sort option $natural not supported in aggregation: a view is one');
  const stages: Doc[] = [{ $match: documentField(command, 'filter') }];
  if (Object.keys(documentField(command, 'sort')).length > 0) stages.push({ $sort: command.sort });
  const skip = countField(command, 'skip') ?? 0;
  const limit = Math.abs(countField(command, 'limit') ?? 0);
  if (skip > 0) stages.push({ $skip: skip });
  if (limit > 0) stages.push({ $limit: limit });
  if (Object.keys(documentField(command, 'projection')).length > 0) stages.push({ $project: command.projection });
  return stages;
}

/** What a command reads of a collection, or of a view in its place. */
interface Source<T> {
  collection(reader: Reader, collection: Collection, query: CollectionQuery): Iterable<T>;
  view(docs: readonly Doc[]): T;
}

/** Reads the documents of a filter a step at a time. */
async function* stepsOf<T>(context: CommandContext, filter: Doc, source: Source<T>): AsyncGenerator<T, void> {
  const reading = readingOf(context);
  try {
    const collection = collectionIn(context, reading.reader, namespace(context));
    const compiled = compileCommandFilter(filter, collection, context.command, null);
    if (!collection) return;
    if (collection.isView) {
      for await (const docs of aggregateSteps(context, reading.reader, [{ $match: filter }])) yield source.view(docs);
      return;
    }
    const query = { ...compiled, sort: [], skip: 0, limit: Infinity, hint: context.command.hint };
    yield* inTurns(source.collection(reading.reader, collection, query), context.operation);
  } finally {
    reading.release();
  }
}

/** `count` */
export const count: Command = async (context) => {
  const { command } = context;
  const limit = Math.abs(countField(command, 'limit') ?? 0) || Infinity;
  if (limit !== Infinity && limit >= 2 ** 63) throw badValue('the limit of a count has to be above the least long');
  const skip = countField(command, 'skip') ?? 0;
  let n = 0;
  for await (const some of stepsOf(context, documentField(command, 'query'), { collection: countSteps, view: ({ length }) => length })) {
    n += some;
    if (n >= skip + limit) break;
  }
  return { n: Math.max(0, Math.min(n - skip, limit)) };
};

/** Values that `distinct` keeps before it looks for those that come again, and bytes of them. */
const DISTINCT = 1000;
const DISTINCT_BYTES: number = MAX_DOCUMENT_SIZE;

/** @throws DocDbError (17217) for more values than a document has room for */
function checkValues(values: readonly Value[]): void {
  try {
    if (sizeOf({ values }, MOST_OF_ONE) <= MAX_DOCUMENT_SIZE) return;
  } catch (error) {
    if (!(error instanceof DocDbError) || error.code !== 10334) throw error;
  }
  throw new DocDbError(17217, 'the values of the distinct have more than 16 MiB: use an aggregation with $group, which gives a cursor');
}

/** `distinct` */
export const distinct: Command = async (context) => {
  const { command } = context;
  const { key } = command;
  if (typeof key !== 'string') throw new DocDbError(14, "BSON field 'distinct.key' is the wrong type, expected type 'string'");
  if (key.includes('\0')) throw new DocDbError(31032, 'a path may not contain a null byte');
  const path = key.split('.');
  const filter = documentField(command, 'query');
  const { collator } = compileCommandFilter(filter, collectionNow(context, namespace(context)), command, null);
  const fields = FieldNames.of([firstOf(key)]);
  const valuesIn = (doc: Doc): Value[] =>
    pathValues(doc, path).flatMap((value) => (Array.isArray(value) ? (value as Value[]) : value === undefined ? [] : [value]));
  let all: Value[] = [];
  const steps = stepsOf<readonly Value[]>(context, filter, {
    *collection(reader, collection, query) {
      const known = distinctByIndex(reader, collection, key, query);
      if (known) yield known.values;
      else for (const step of findSteps(reader, collection, query, (found) => valuesIn(found.fields(fields)))) yield step.flat();
    },
    view: (docs) => docs.flatMap(valuesIn),
  });
  let most = DISTINCT;
  let bytes = 0;
  for await (const values of steps) {
    for (const value of values) {
      all.push(value);
      bytes += roughSize(value);
    }
    // What comes again need not be kept, and where there is too much already nothing more is read.
    if (all.length <= most && bytes <= DISTINCT_BYTES) continue;
    all = uniqueValues(all, collator);
    checkValues(all);
    most = DISTINCT + 2 * all.length;
    bytes = 0;
  }
  all = uniqueValues(all, collator);
  const values = all.sort((a, b) => compare(a, b, collator));
  checkValues(values);
  // Of a view it is the answer of an aggregation, whose `ok` is whole.
  return collectionNow(context, namespace(context))?.isView === true ? { values, ok: 1 } : { values };
};
