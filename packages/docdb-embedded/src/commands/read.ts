import { compare } from '../bson/compare.ts';
import { sizeOf } from '../bson/encode.ts';
import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { badValue, DocDbError } from '../errors.ts';
import { pathValues } from '../query/path-values.ts';
import { compileProjection } from '../query/projection.ts';
import { parseSort } from '../query/sort.ts';
import type { Collection } from '../storage/collection.ts';
import { type CollectionQuery, findDocuments, type FindStats, planOf } from '../storage/find-documents.ts';
import { aggregateDocuments, viewDefinition } from './aggregate.ts';
import { checkFields, type Command, type CommandContext, countField, documentField, namespace } from './command.ts';
import { compileCommandFilter, computer, distinctValues, viewOf } from './query-command.ts';

const FIND_FIELDS = [
  'filter',
  'sort',
  'projection',
  'hint',
  'skip',
  'limit',
  'batchSize',
  'singleBatch',
  'noCursorTimeout',
  'tailable',
  'awaitData',
  'allowPartialResults',
  'allowDiskUse',
  'min',
  'max',
  'returnKey',
  'showRecordId',
  'oplogReplay',
];

interface PreparedFind {
  readonly query: CollectionQuery;
  readonly project: (doc: Doc) => Doc;
}

function prepareFind(command: Doc, collection: Collection | undefined): PreparedFind {
  const compiled = compileCommandFilter(documentField(command, 'filter'), collection, command);
  const limit = countField(command, 'limit') ?? 0;
  const skip = countField(command, 'skip') ?? 0;
  if (skip < 0) throw badValue("BSON field 'skip' value must be >= 0");
  if (command.tailable === true && collection && collection.options.capped !== true)
    throw badValue(`error processing query: tailable cursor requested on non capped collection`);
  const sort = documentField(command, 'sort');
  const natural = sort.$natural;
  const hint = natural === undefined ? command.hint : { $natural: natural };
  const query: CollectionQuery = {
    filter: compiled.filter,
    predicate: compiled.predicate,
    sort: parseSort(sort),
    skip,
    limit: limit === 0 ? Infinity : Math.abs(limit),
    collator: compiled.collator,
    hint,
    score: compiled.score,
  };
  const context = {
    collator: compiled.collator,
    compute: computer(compiled.scope, compiled.vars),
    score: compiled.score,
    filter: compiled.filter,
    expression: undefined,
  };
  return { query, project: compileProjection(documentField(command, 'projection'), context) };
}

/** `find` */
export const find: Command = (context) => {
  const { command, server } = context;
  checkFields(context, FIND_FIELDS);
  const ns = namespace(context);
  const limit = countField(command, 'limit') ?? 0;
  const batchSize = countField(command, 'batchSize');
  const single = command.singleBatch === true || limit < 0;
  const collection = server.store.get(ns);
  const docs = collection && viewDefinition(collection) ? findInView(context) : findIn(context, collection);
  return server.cursors.first(ns, docs, batchSize ?? (single ? Infinity : undefined), single, command.noCursorTimeout === true);
};

function findIn(context: CommandContext, collection: Collection | undefined): Doc[] {
  const { query, project } = prepareFind(context.command, collection);
  return collection ? findDocuments(collection, query, viewOf(context, collection)).map(project) : [];
}

function findInView(context: CommandContext): Doc[] {
  const { command } = context;
  const stages: Doc[] = [{ $match: documentField(command, 'filter') }];
  if (Object.keys(documentField(command, 'sort')).length > 0) stages.push({ $sort: command.sort });
  const skip = countField(command, 'skip') ?? 0;
  const limit = Math.abs(countField(command, 'limit') ?? 0);
  if (skip > 0) stages.push({ $skip: skip });
  if (limit > 0) stages.push({ $limit: limit });
  if (Object.keys(documentField(command, 'projection')).length > 0) stages.push({ $project: command.projection });
  return aggregateDocuments(context, stages);
}

/** `count` */
export const count: Command = (context) => {
  const { command, server } = context;
  checkFields(context, ['query', 'limit', 'skip', 'hint', 'fields']);
  const collection = server.store.get(namespace(context));
  const limit = Math.abs(countField(command, 'limit') ?? 0) || Infinity;
  const skip = countField(command, 'skip') ?? 0;
  if (!collection) return { n: 0 };
  const filter = documentField(command, 'query');
  if (viewDefinition(collection))
    return { n: Math.max(0, Math.min(aggregateDocuments(context, [{ $match: filter }]).length - skip, limit)) };
  const { transaction } = context;
  if (Object.keys(filter).length === 0 && !transaction) return { n: Math.max(0, Math.min(collection.count - skip, limit)) };
  const compiled = compileCommandFilter(filter, collection, command);
  const query: CollectionQuery = { ...compiled, sort: [], skip, limit, hint: command.hint };
  return { n: findDocuments(collection, query, viewOf(context, collection)).length };
};

/** `distinct` */
export const distinct: Command = (context) => {
  const { command, server } = context;
  checkFields(context, ['key', 'query', 'hint']);
  const { key } = command;
  if (typeof key !== 'string') throw new DocDbError(14, "BSON field 'distinct.key' is the wrong type, expected type 'string'");
  const collection = server.store.get(namespace(context));
  if (!collection) return { values: [] };
  const compiled = compileCommandFilter(documentField(command, 'query'), collection, command);
  const docs = viewDefinition(collection)
    ? aggregateDocuments(context, [{ $match: compiled.filter }])
    : findDocuments(collection, { ...compiled, sort: [], skip: 0, limit: Infinity, hint: command.hint }, viewOf(context, collection));
  const path = key.split('.');
  const all = docs.flatMap((doc) =>
    pathValues(doc, path).flatMap((value) => (Array.isArray(value) ? (value as Value[]) : value === undefined ? [] : [value])),
  );
  return { values: distinctValues(all, compiled.collator).sort((a, b) => compare(a, b, compiled.collator)) };
};

/** `explain`, for find, count, aggregate, update, delete and findAndModify. */
export const explain: Command = (context) => {
  const inner = documentField(context.command, 'explain');
  const [name = ''] = Object.keys(inner);
  const ns = `${context.database}.${String(inner[name])}`;
  const collection = context.server.store.get(ns);
  const statement = isDocument((inner.updates as Value[] | undefined)?.[0] ?? (inner.deletes as Value[] | undefined)?.[0])
    ? (((inner.updates ?? inner.deletes) as Doc[])[0] as Doc)
    : inner;
  const first = name === 'aggregate' ? ((inner.pipeline as Doc[])[0] ?? {}) : {};
  const filter =
    name === 'aggregate'
      ? ((first.$match as Doc | undefined) ?? {})
      : documentField(statement, name === 'find' ? 'filter' : statement === inner ? 'query' : 'q');
  const { query } = prepareFind(
    {
      ...inner,
      filter,
      ...(statement.hint === undefined ? {} : { hint: statement.hint }),
      ...(statement.collation === undefined ? {} : { collation: statement.collation }),
    },
    collection,
  );
  return explanation(ns, collection, query, context);
};

function explanation(ns: string, collection: Collection | undefined, query: CollectionQuery, context: CommandContext): Doc {
  const started = Date.now();
  const stats: FindStats = {
    plan: collection ? planOf(collection, query) : { kind: 'scan', reverse: false },
    keysExamined: 0,
    docsExamined: 0,
  };
  const docs = collection ? findDocuments(collection, query, viewOf(context, collection), stats) : [];
  const access = accessStage(stats.plan);
  const sorted = query.sort.length === 0 || (stats.plan.kind === 'index' && stats.plan.sorted);
  const winningPlan = sorted ? access : { stage: 'SORT', inputStage: access };
  return {
    explainVersion: '1',
    queryPlanner: { namespace: ns, parsedQuery: query.filter, winningPlan, rejectedPlans: [] },
    executionStats: {
      executionSuccess: true,
      nReturned: docs.length,
      executionTimeMillis: Date.now() - started,
      totalKeysExamined: stats.keysExamined,
      totalDocsExamined: stats.docsExamined,
      executionStages: { ...winningPlan, nReturned: docs.length, docsExamined: stats.docsExamined },
    },
    serverInfo: { host: context.server.address, version: '7.0.0' },
  };
}

function accessStage(plan: FindStats['plan']): Doc {
  if (plan.kind === 'scan') return { stage: 'COLLSCAN', direction: plan.reverse ? 'backward' : 'forward' };
  if (plan.kind === 'id')
    return plan.ids.length === 1
      ? { stage: 'IDHACK' }
      : { stage: 'FETCH', inputStage: { stage: 'IXSCAN', indexName: '_id_', keyPattern: { _id: 1 }, direction: 'forward' } };
  const { index } = plan;
  const inputStage = {
    stage: 'IXSCAN',
    keyPattern: index.spec.key,
    indexName: index.name,
    isMultiKey: index.multikey,
    isUnique: index.unique,
    isSparse: index.sparse,
    direction: plan.reverse ? 'backward' : 'forward',
  };
  return { stage: 'FETCH', inputStage };
}

/** Facts about the size of a collection. */
export function collectionSize(collection: Collection): number {
  let size = 0;
  for (const record of collection.records.values()) if (record.doc) size += sizeOf(record.doc);
  return size;
}
