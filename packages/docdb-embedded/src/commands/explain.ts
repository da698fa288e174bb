import { createHash } from 'node:crypto';
import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { isOn } from '../declarations/field.ts';
import { declaredCommands } from '../declarations/all-commands.ts';
import { checkCommand } from '../declarations/command-declaration.ts';
import { badValue, DocDbError } from '../errors.ts';
import type { Collection } from '../storage/collection.ts';
import { distinctByIndex } from '../storage/distinct-values.ts';
import { type CollectionQuery, findSteps, type FindStats, rejectedPlans, statsOf } from '../storage/find-documents.ts';
import type { Reader } from '../storage/reader.ts';
import { aggregate, preparePipeline } from './aggregate.ts';
import { type Command, type CommandContext, documentField, listField } from './command.ts';
import { isCovered } from './covered-plan.ts';
import { explainedDistinct, explainedPlan, type PlanCounts, workFields } from './explained-plan.ts';
import { FINDING } from './leading-query.ts';
import { INTERRUPTED } from './operation.ts';
import { collectionIn, readingOf } from './query-command.ts';
import { prepareFind, viewStages } from './read.ts';
import { SERVER_VERSION } from './server-version.ts';
import { checkWritable } from './targeted-statement.ts';

/** How much is told; what is not only planned is tried without writing anything. */
type Verbosity = 'queryPlanner' | 'executionStats' | 'allPlansExecution';

function isVerbosity(value: Value): value is Verbosity {
  return value === 'queryPlanner' || value === 'executionStats' || value === 'allPlansExecution';
}

/** `explain`, for find, count, distinct, aggregate, update, delete and findAndModify. */
export const explain: Command = (context) => {
  const { command, database } = context;
  const inner = documentField(command, 'explain');
  const verbosity = command.verbosity ?? 'allPlansExecution';
  if (!isVerbosity(verbosity))
    throw badValue(`Enumeration value '${String(verbosity)}' for field 'explain.verbosity' is not a valid value.`);
  const [name = ''] = Object.keys(inner);
  if (inner.$db !== undefined && inner.$db !== database)
    throw new DocDbError(73, `Mismatched $db in explain command: expected '${database}', got '${String(inner.$db)}'`);
  const declared = declaredCommands.get(name);
  if (declared && Object.hasOwn(EXPLAINERS, name)) checkCommand(declared, inner, name, database);
  const explained: CommandContext = { ...context, command: { ...inner, $db: database }, name };
  return explanationOf(explained, verbosity);
};

/** `aggregate`; with `explain` it says how it would run, and neither runs nor writes. */
export const aggregateOrExplain: Command = (context) => {
  if (context.command.explain !== true) return aggregate(context);
  if (context.command.apiStrict === true)
    throw new DocDbError(323, "The explain of an aggregate is not allowed with 'apiStrict: true' in API Version 1");
  if (isDocument(context.command.writeConcern)) throw new DocDbError(9, "Aggregation explain does not support the 'writeConcern' option");
  return explanationOf(context, 'queryPlanner');
};

async function explanationOf(context: CommandContext, verbosity: Verbosity): Promise<Doc> {
  const { name, command, server } = context;
  const explainer = Object.hasOwn(EXPLAINERS, name) ? EXPLAINERS[name] : undefined;
  if (!explainer) throw new DocDbError(name === 'insert' ? 20 : 59, `Explain failed due to unknown command: ${name}`);
  const reading = readingOf(context);
  try {
    return {
      explainVersion: '1',
      ...(await explainer(context, reading.reader, verbosity)),
      queryShapeHash: createHash('sha256').update(shapeOf(command)).digest('hex').toUpperCase(),
      command,
      serverInfo: { host: server.address, version: SERVER_VERSION },
      serverParameters: {},
    };
  } finally {
    reading.release();
  }
}

/** Commands that differ in the values of their filters alone have the same shape. */
function shapeOf(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(shapeOf).join()}]`;
  if (!isDocument(value)) return typeof value === 'string' && value.startsWith('$') ? value : '?';
  return `{${Object.keys(value)
    .map((name) => `${name}:${shapeOf(value[name])}`)
    .join()}}`;
}

type Explainer = (context: CommandContext, reader: Reader, verbosity: Verbosity) => Promise<Doc>;

const EXPLAINERS: Readonly<Record<string, Explainer>> = {
  find: (context, reader, verbosity) => explainQuery(context, reader, documentField(context.command, 'filter'), verbosity),
  count: (context, reader, verbosity) => explainQuery(context, reader, documentField(context.command, 'query'), verbosity),
  distinct: (context, reader, verbosity) => explainQuery(context, reader, documentField(context.command, 'query'), verbosity),
  aggregate: (context, reader, verbosity) => explainPipeline(context, reader, verbosity, listField(context.command, 'pipeline')),
  update: (context, reader, verbosity) => explainWrite(context, reader, 'updates', verbosity),
  delete: (context, reader, verbosity) => explainWrite(context, reader, 'deletes', verbosity),
  findAndModify: explainModify,
  findandmodify: explainModify,
};

function namespaceOf({ command, database, name }: CommandContext): string {
  return `${database}.${String(command[name])}`;
}

async function explainQuery(context: CommandContext, reader: Reader, filter: Doc, verbosity: Verbosity): Promise<Doc> {
  const ns = namespaceOf(context);
  const collection = collectionIn(context, reader, ns);
  if (collection?.isView === true) return explainPipeline(context, reader, verbosity, stagesOnView(context, filter));
  const { query } = prepareFind({ ...context.command, filter }, collection);
  return explanation(context, reader, ns, collection, query, verbosity);
}

/** The pipeline that a query of a view is. */
function stagesOnView({ name, command }: CommandContext, filter: Doc): readonly Doc[] {
  const { key, skip, limit } = command;
  if (name === 'distinct') return [{ $match: filter }, { $group: { _id: null, distinct: { $addToSet: `$${String(key)}` } } }];
  const found = viewStages(name === 'count' ? { filter, skip, limit } : command);
  return name === 'count' ? [...found, { $count: 'count' }] : found;
}

/** Says what a statement would change or take away, and changes nothing. */
async function explainWrite(context: CommandContext, reader: Reader, field: 'updates' | 'deletes', verbosity: Verbosity): Promise<Doc> {
  const statements = listField(context.command, field);
  const [statement] = statements;
  if (!isDocument(statement) || statements.length !== 1) throw badValue(`explained write batches must be of size 1`);
  const { q, hint, collation, multi, limit, let: variables }: Doc = { let: context.command.let, ...statement };
  const one = field === 'updates' ? multi !== true : String(limit) === '1';
  return explainChange(
    context,
    reader,
    field === 'updates' ? 'UPDATE' : 'DELETE',
    { filter: q, hint, collation, let: variables, limit: one ? 1 : 0 },
    verbosity,
  );
}

function explainModify(context: CommandContext, reader: Reader, verbosity: Verbosity): Promise<Doc> {
  const { query, sort, hint, collation, remove, let: variables } = context.command;
  const kind = isOn(remove) ? 'DELETE' : 'UPDATE';
  return explainChange(context, reader, kind, { filter: query, sort, hint, collation, let: variables, limit: 1 }, verbosity);
}

async function explainChange(
  context: CommandContext,
  reader: Reader,
  kind: 'UPDATE' | 'DELETE',
  find: Doc,
  verbosity: Verbosity,
): Promise<Doc> {
  const ns = namespaceOf(context);
  const collection = collectionIn(context, reader, ns);
  if (collection) checkWritable(collection, context);
  const given = Object.fromEntries(Object.entries(find).filter(([, value]) => value !== undefined));
  const { query } = prepareFind(given, collection);
  const found = await explanation(context, reader, ns, collection, query, verbosity);
  const { executionStats: stats, queryPlanner: planner } = found;
  const wrapped = (stage: Value, counts: Doc): Doc => ({ stage: kind, ...counts, inputStage: stage });
  const counts = ({ nReturned: n, executionTimeMillis: milliseconds }: Doc): Doc => ({
    ...workFields({ advanced: 0, needTime: Number(n), stopped: false }, { milliseconds: Number(milliseconds) }),
    ...(kind === 'UPDATE' ? { nMatched: n, nWouldModify: n, nWouldUpsert: 0 } : { nWouldDelete: n }),
  });
  return {
    queryPlanner: isDocument(planner) ? { ...planner, winningPlan: wrapped(planner.winningPlan, {}) } : planner,
    ...(isDocument(stats)
      ? { executionStats: { ...stats, nReturned: 0, executionStages: wrapped(stats.executionStages, counts(stats)) } }
      : {}),
  };
}

/** The stages that would run, behind the query that their first ones become. */
async function explainPipeline(context: CommandContext, reader: Reader, verbosity: Verbosity, pipeline: readonly Value[]): Promise<Doc> {
  const { collection, query, stages } = preparePipeline(context, reader, pipeline);
  const ns = collection?.ns ?? namespaceOf(context);
  const rest = stages.map(({ name, operand }): Doc => ({ [name]: operand }));
  const [leading] = stages;
  if (!query && (collection || (leading && FINDING.has(leading.name)))) return { stages: rest };
  const first = await explanation(context, reader, ns, collection, query ?? NOTHING, verbosity);
  return rest.length === 0 ? first : { stages: [{ $cursor: first }, ...rest] };
}

/** What is asked of a collection that is not there. */
const NOTHING: CollectionQuery = { filter: {}, predicate: () => true, sort: [], skip: 0, limit: Infinity, collator: undefined };

async function explanation(
  { name, operation, command }: CommandContext,
  reader: Reader,
  ns: string,
  collection: Collection | undefined,
  query: CollectionQuery,
  verbosity: Verbosity,
): Promise<Doc> {
  const started = Date.now();
  const stats: FindStats = collection
    ? statsOf(collection, query)
    : { plan: { kind: 'scan', reverse: false }, keysExamined: 0, docsExamined: 0, matched: 0 };
  let nReturned = 0;
  let failure: Doc | undefined;
  const { key } = command;
  const distinct =
    collection && name === 'distinct' && typeof key === 'string' ? distinctByIndex(reader, collection, key, query) : undefined;
  try {
    if (collection && !distinct && verbosity !== 'queryPlanner')
      for (const step of operation.stepping(findSteps(reader, collection, query, () => undefined, stats))) {
        nReturned += step.length;
        await operation.turn();
      }
  } catch (error) {
    // What a document makes fail is a part of what is told.
    if (!(error instanceof DocDbError) || INTERRUPTED.has(error.code)) throw error;
    failure = { executionSuccess: false, errorMessage: error.message, errorCode: error.code };
  }
  // Values are read of documents here, where a server takes them from the keys.
  if (collection && isCovered(stats.plan, collection, query)) stats.docsExamined = 0;
  const express = name === 'find' || name === 'aggregate';
  const told = { plan: stats.plan, collection, query, express };
  const winning = (counts?: PlanCounts): Doc =>
    distinct ? explainedDistinct(distinct, counts?.milliseconds) : explainedPlan({ ...told, counts });
  const rejected =
    collection && !distinct ? rejectedPlans(collection, query, stats.plan).map((plan) => explainedPlan({ ...told, plan })) : [];
  const indexFilterSet = collection?.indexFilters.of(query) !== undefined;
  const queryPlanner = {
    namespace: ns,
    indexFilterSet,
    parsedQuery: query.filter,
    winningPlan: winning(),
    rejectedPlans: rejected,
  };
  if (verbosity === 'queryPlanner') return { queryPlanner };
  const milliseconds = Date.now() - started;
  if (distinct) nReturned = stats.keysExamined = distinct.values.length;
  return {
    queryPlanner,
    executionStats: {
      ...(failure ?? { executionSuccess: true }),
      nReturned,
      executionTimeMillis: milliseconds,
      totalKeysExamined: stats.keysExamined,
      totalDocsExamined: stats.docsExamined,
      executionStages: winning({ ...stats, nReturned, milliseconds }),
      // There is one plan, which no other was tried beside.
      ...(verbosity === 'allPlansExecution' ? { allPlansExecution: [] } : {}),
    },
  };
}
