import { commandScope, commandVars, compilePipeline, stageName } from '../aggregation/pipeline.ts';
import type { PipelineCollection, PipelineHost } from '../aggregation/pipeline-types.ts';
import type { Collator } from '../bson/collation.ts';
import { sizeOf } from '../bson/encode.ts';
import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { DocDbError, failedToParse } from '../errors.ts';
import { withIdFirst } from '../update/update-document.ts';
import { parseSort } from '../query/sort.ts';
import { Collection, LATEST, type View } from '../storage/collection.ts';
import { findDocuments } from '../storage/find-documents.ts';
import { openChangeStream } from './change-stream.ts';
import { checkFields, type Command, type CommandContext, countField, documentField, listField } from './command.ts';
import { compileCommandFilter } from './query-command.ts';

const SOURCELESS: ReadonlySet<string> = new Set([
  '$documents',
  '$collStats',
  '$indexStats',
  '$currentOp',
  '$listLocalSessions',
  '$listSessions',
  '$changeStream',
]);

/** `aggregate` */
export const aggregate: Command = (context) => {
  const { command, database, server } = context;
  checkFields(context, ['pipeline', 'cursor', 'explain', 'allowDiskUse', 'hint', 'bypassDocumentValidation', 'collation']);
  const pipeline = listField(command, 'pipeline');
  const target = command.aggregate;
  const ns = typeof target === 'string' ? `${database}.${target}` : `${database}.$cmd.aggregate`;
  if (command.cursor === undefined && command.explain !== true)
    throw failedToParse("The 'cursor' option is required, except for aggregate with the explain argument");
  const first = pipeline[0] === undefined ? undefined : stageName(pipeline[0]);
  if (first === '$changeStream') return openChangeStream(context, pipeline, typeof target === 'string' ? ns : undefined);
  if (typeof target !== 'string' && (first === undefined || !SOURCELESS.has(first))) {
    throw new DocDbError(73, `{aggregate: 1} is not valid for '${first ?? ''}'; a collection is required.`);
  }
  const level = documentField(command, 'readConcern').level;
  const last = pipeline.at(-1) as Doc | undefined;
  if (level === 'linearizable' && last && ('$out' in last || '$merge' in last))
    throw new DocDbError(72, "Aggregation stages that write can not run with the read concern 'linearizable'");
  const docs = aggregateDocuments(context, pipeline);
  return server.cursors.first(ns, docs, countField(documentField(command, 'cursor'), 'batchSize'), false);
};

/** @returns what a view is made of, or `undefined` for a collection */
export function viewDefinition(collection: Collection): { readonly viewOn: string; readonly pipeline: readonly Value[] } | undefined {
  const { viewOn, pipeline } = collection.options;
  return typeof viewOn === 'string' ? { viewOn, pipeline: Array.isArray(pipeline) ? (pipeline as Value[]) : [] } : undefined;
}

/** Runs a pipeline on the collection that the command names. */
export function aggregateDocuments(context: CommandContext, pipeline: readonly Value[]): Doc[] {
  const { command, database, name, server } = context;
  const target = command[name];
  const ns = `${database}.${typeof target === 'string' ? target : '$cmd.aggregate'}`;
  const collection = server.store.get(ns);
  const vars = commandVars(command.let);
  const scope = commandScope(command.collation ?? collection?.options.collation, vars);
  const host = pipelineHost(context, ns);
  const definition = collection && viewDefinition(collection);
  if (definition) {
    const base = host.collection(definition.viewOn).find({}, scope.collator, vars);
    return compilePipeline([...definition.pipeline, ...pipeline], { host, scope })(base, vars);
  }
  const { rest, docs } = leadingQuery(context, pipeline, collection);
  return compilePipeline(rest, { host, scope })(docs, vars);
}

/** The first stages become a query, so that they can use an index. */
function leadingQuery(
  context: CommandContext,
  pipeline: readonly Value[],
  collection: Collection | undefined,
): { readonly rest: readonly Value[]; readonly docs: Doc[] } {
  const [first, second, third] = pipeline as readonly (Doc | undefined)[];
  if (first && SOURCELESS.has(Object.keys(first)[0] ?? '')) return { rest: pipeline, docs: [] };
  if (!collection) return { rest: pipeline, docs: [] };
  const match = isDocument(first?.$match) ? first.$match : undefined;
  const afterMatch = match ? second : first;
  const sort = isDocument(afterMatch?.$sort) ? afterMatch.$sort : undefined;
  const afterSort = sort ? (match ? third : second) : afterMatch;
  const limit = afterSort?.$limit === undefined ? undefined : Number(String(afterSort.$limit));
  const used = (match ? 1 : 0) + (sort ? 1 : 0) + (limit === undefined ? 0 : 1);
  const compiled = compileCommandFilter(match ?? {}, collection, context.command);
  const query = {
    ...compiled,
    sort: parseSort(sort),
    skip: 0,
    limit: limit === undefined || !(limit > 0) ? Infinity : limit,
    hint: context.command.hint,
  };
  return {
    rest: pipeline.slice(limit !== undefined && !(limit > 0) ? used - 1 : used),
    docs: findDocuments(collection, query, context.server.store.view(collection, context.transaction)),
  };
}

function pipelineHost(context: CommandContext, ns: string): PipelineHost {
  const { database, server, transaction } = context;
  const { store } = server;
  const full = (name: string, other: string | undefined): string => `${other ?? database}.${name}`;
  return {
    ns,
    collection: (name, other) =>
      pipelineCollection(store.get(full(name, other)), (collection) => store.view(collection, transaction), context),
    sessions: () => server.sessions.list(),
    replaceCollection: (other, name, docs) => {
      const target = full(name, other);
      const old = store.get(target);
      const next = new Collection(target, old?.options ?? {});
      for (const index of old?.indexes.values() ?? []) if (index.name !== '_id_') next.buildIndex(index.spec);
      // Checked aside first: a document that does not fit leaves the old collection as it was.
      const seen = new Collection(target, old?.options ?? {});
      for (const index of old?.indexes.values() ?? []) if (index.name !== '_id_') seen.buildIndex(index.spec);
      docs.forEach((doc, at) => {
        seen.checkUnique(doc, `\0${String(at)}`, undefined);
        seen.apply(`\0${String(at)}`, doc, 1, false);
      });
      store.dropCollection(target);
      store.addCollection(next);
      for (const index of next.indexes.values())
        if (index.name !== '_id_') store.publish([{ kind: 'createIndexes', ns: target, details: index.spec }]);
      for (const doc of docs) store.insert(next, withIdFirst(doc), undefined);
    },
    insert: (other, name, doc) => {
      store.insert(store.forWrite(full(name, other)), withIdFirst(doc), transaction);
    },
    replace: (other, name, old, doc) => {
      store.replace(store.forWrite(full(name, other)), old, withIdFirst(doc), 'update', transaction);
    },
    hasUniqueIndex: (other, name, fields) => {
      const collection = store.get(full(name, other));
      if (fields.length === 1 && fields[0] === '_id') return true;
      return [...(collection?.indexes.values() ?? [])].some(
        (index) => index.unique && index.fields.length === fields.length && index.fields.every((field) => fields.includes(field.name)),
      );
    },
  };
}

function pipelineCollection(
  collection: Collection | undefined,
  view: (collection: Collection) => View,
  context: CommandContext,
): PipelineCollection {
  const definition = collection && viewDefinition(collection);
  return {
    find(filter, collator: Collator | undefined, vars) {
      if (!collection) return [];
      if (definition) {
        const base = context.server.store.get(`${context.database}.${definition.viewOn}`);
        const docs = base ? [...base.scan(view(base))] : [];
        return compilePipeline([...definition.pipeline, { $match: filter }], {
          host: pipelineHost(context, collection.ns),
          scope: { collator, names: new Set() },
        })(docs, {});
      }
      const compiled = compileCommandFilter(filter, collection, { collation: collator?.spec, let: literals(vars) });
      return findDocuments(
        collection,
        { ...compiled, sort: [], skip: 0, limit: Infinity },
        view(collection) === LATEST ? LATEST : view(collection),
      );
    },
    hasIndex: (field) =>
      field === '_id' ||
      [...(collection?.indexes.values() ?? [])].some((index) => index.fields[0]?.name === field && !index.partial && !index.sparse),
    stats: () => ({
      count: collection?.count ?? 0,
      size: [...(collection?.records.values() ?? [])].reduce((size, record) => size + (record.doc ? sizeOf(record.doc) : 0), 0),
      indexes: [...(collection?.indexes.values() ?? [])].map((index) => index.spec),
    }),
  };
}

function literals(vars: Readonly<Record<string, Value>>): Doc {
  return Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, { $literal: value }]));
}
