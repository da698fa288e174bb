import { toNumber } from '../bson/arithmetic.ts';
import { Double, type Doc } from '../bson/values.ts';
import { badValue, DocDbError } from '../errors.ts';
import { checkNamespace, checkWritable } from '../storage/collection.ts';
import type { WriteOutcome as Outcome } from '../transactions/sessions.ts';
import { type Command, type CommandContext, countField, documentField, namespace } from './command.ts';
import { BULK_RESULTS } from './cursors.ts';
import { checkConstants, deleteStatement, insertStatement, updateStatement, variablesWith } from './write-statements.ts';
import { ErrorRoom } from './error-room.ts';
import { type Batch, runBatch, type Statement } from './write-loop.ts';

const KINDS = ['insert', 'update', 'delete'] as const;

function kindOf(operation: Doc): Outcome['kind'] {
  const kind = KINDS.find((name) => name in operation);
  if (!kind) throw new DocDbError(40414, 'BSON field BulkWriteOperation is missing insert, update or delete');
  for (const field of REQUIRED[kind])
    if (operation[field] === undefined || operation[field] === null)
      throw new DocDbError(40414, `BSON field 'bulkWrite.ops.${field}' is missing but a required field`);
  for (const field of Object.keys(operation))
    if (!ALLOWED[kind].includes(field)) throw new DocDbError(40415, `BSON field 'bulkWrite.ops.${field}' is an unknown field.`);
  return kind;
}

const REQUIRED: Readonly<Record<Outcome['kind'], readonly string[]>> = {
  insert: ['insert', 'document'],
  update: ['update', 'filter', 'updateMods'],
  delete: ['delete', 'filter'],
};
const ALLOWED: Readonly<Record<Outcome['kind'], readonly string[]>> = {
  insert: REQUIRED.insert,
  update: [...REQUIRED.update, 'multi', 'upsert', 'arrayFilters', 'constants', 'collation', 'hint', 'sort'],
  delete: [...REQUIRED.delete, 'multi', 'collation', 'hint'],
};

/** The context of an operation is that of a command on its own collection. */
function contextOf(context: CommandContext, kind: Outcome['kind'], operation: Doc, namespaces: readonly string[]): CommandContext {
  const index = toNumber(operation[kind]);
  const ns = namespaces[index];
  if (ns === undefined) throw badValue(`BulkWrite ops entry has an invalid nsInfo index ${String(index)}`);
  const dot = ns.indexOf('.');
  const { let: variables, bypassDocumentValidation, bypassEmptyTsReplacement, ordered } = context.command;
  const command = { [kind]: ns.slice(dot + 1), let: variables, bypassDocumentValidation, bypassEmptyTsReplacement, ordered };
  return { ...context, name: kind, database: ns.slice(0, dot), command };
}

function begin(context: CommandContext, operation: Doc, outcome: Outcome, namespaces: readonly string[]): Statement {
  const { kind } = outcome;
  const own = contextOf(context, kind, operation, namespaces);
  checkWritable(namespace(own));
  if (kind === 'insert')
    return insertStatement(own, operation.document as Doc, () => {
      outcome.n = 1;
    });
  if (kind === 'delete')
    return deleteStatement(own, operation.filter as Doc, operation.multi === true ? Infinity : 1, operation, () => {
      outcome.n += 1;
    });
  checkConstants(operation.constants, operation.updateMods);
  const statement = {
    filter: operation.filter as Doc,
    update: operation.updateMods,
    multi: operation.multi === true,
    upsert: operation.upsert === true,
    sort: documentField(operation, 'sort'),
    source: { ...operation, let: variablesWith(operation.constants, context.command.let) },
  };
  return updateStatement(own, statement, ({ matched, modified, upserted }) => {
    outcome.n += matched + (upserted ? 1 : 0);
    outcome.nModified += modified;
    outcome.upserted = upserted ? { _id: upserted._id } : outcome.upserted;
  });
}

/** `bulkWrite` */
export const bulkWrite: Command = async (context) => {
  const { command, retried, transaction, server } = context;
  const operations = command.ops as Doc[];
  const namespaces = (command.nsInfo as Doc[]).map(({ ns }) => ns as string);
  if (operations.length === 0 || operations.length > 100_000)
    throw new DocDbError(16, `Write batch sizes must be between 1 and 100000. Got ${String(operations.length)} operations.`);
  for (const ns of namespaces) checkNamespace(ns);
  const kinds = operations.map(kindOf);
  // An index that names nothing is a mistake of the whole command.
  operations.forEach((operation, at) => contextOf(context, kinds[at] as Outcome['kind'], operation, namespaces));
  const known = retried && server.sessions.retryRecord(retried.key);
  const began = known && known.number === retried.number ? known : undefined;
  const outcomes = [...(began?.outcomes ?? [])];
  const stopped = command.ordered !== false && outcomes.some(({ error }) => error);
  const room = new ErrorRoom();
  // As the answers of other writes.
  let parts = began ? (began.parts ?? 1) : 0;
  let told = outcomes.length;
  const batch: Batch = {
    count: operations.length,
    frees: kinds.every((kind) => kind === 'delete'),
    collections: namespaces,
    begin(at) {
      const outcome: Outcome = { kind: kinds[at] as Outcome['kind'], n: 0, nModified: 0, upserted: undefined, error: undefined };
      outcomes[at] = outcome;
      return begin(context, operations[at] as Doc, outcome, namespaces);
    },
    ...(transaction
      ? {}
      : {
          failed(at, error) {
            outcomes[at] = { ...(outcomes[at] as Outcome), error: room.tell(error) };
            return command.ordered === false;
          },
        }),
    after(writer, next, done) {
      if (!retried || (!done && next === told)) return;
      const { number, statements } = retried;
      const record = { number, statements, next, outcomes: outcomes.slice(done ? 0 : told, next), done, committed: false };
      writer.keepReply(retried.key, record, done ? 0 : parts++);
      told = next;
    },
  };
  if (!stopped) await runBatch(context, batch, began?.next);
  const rows = outcomes.map(row).filter((entry) => command.errorsOnly !== true || 'code' in entry);
  const batchSize = countField(documentField(command, 'cursor'), 'batchSize');
  const { cursor } = await server.cursors.firstOf(`admin.${BULK_RESULTS}`, rows, batchSize, context.transaction);
  return { cursor, ...counts(outcomes) };
};

function row({ kind, n, nModified, upserted, error }: Outcome, idx: number): Doc {
  if (error)
    return {
      ok: new Double(0),
      idx,
      code: error.code,
      errmsg: error.message,
      ...error.extra,
      n: 0,
      ...(kind === 'update' ? { nModified: 0 } : {}),
    };
  return { ok: new Double(1), idx, n, ...(kind === 'update' ? { nModified } : {}), ...(upserted ? { upserted } : {}) };
}

function counts(outcomes: readonly Outcome[]): Doc {
  const sum = (of: (outcome: Outcome) => number): number => outcomes.reduce((total, outcome) => total + of(outcome), 0);
  return {
    nErrors: sum(({ error }) => (error ? 1 : 0)),
    nInserted: sum(({ kind, n }) => (kind === 'insert' ? n : 0)),
    nMatched: sum(({ kind, n, upserted }) => (kind === 'update' && !upserted ? n : 0)),
    nModified: sum(({ nModified }) => nModified),
    nUpserted: sum(({ upserted }) => (upserted ? 1 : 0)),
    nDeleted: sum(({ kind, n }) => (kind === 'delete' ? n : 0)),
  };
}
