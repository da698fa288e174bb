import { checkStageNames } from '../aggregation/update-stages.ts';
import { toNumber } from '../bson/arithmetic.ts';
import { type Doc, isDocument, isNumber, type Value } from '../bson/values.ts';
import { isOn } from '../declarations/field.ts';
import { DocDbError, failedToParse } from '../errors.ts';
import { checkNamespace, checkWritable } from '../storage/collection.ts';
import type { Writer } from '../storage/writer.ts';
import { type Command, type CommandContext, documentField, listField, namespace } from './command.ts';
import { ErrorRoom, type ToldError } from './error-room.ts';
import { runBatch, type Statement } from './write-loop.ts';
import { checkConstants, deleteStatement, insertStatement, updateStatement, variablesWith } from './write-statements.ts';

/** The answer of a write as far as it came; kept for a retry. */
interface WriteAnswer {
  n: number;
  nModified?: number;
  readonly upserted: Doc[];
  readonly writeErrors: Doc[];
}

/** Carries out the statements of a write command; errors of single statements are part of the answer. */
async function runStatements(
  context: CommandContext,
  list: readonly Value[],
  begin: (statement: Doc, index: number, answer: WriteAnswer) => Statement,
  start: WriteAnswer,
  short = false,
): Promise<Doc> {
  if (list.length === 0 || list.length > 100_000)
    throw new DocDbError(16, `Write batch sizes must be between 1 and 100000. Got ${String(list.length)} operations.`);
  const { command, retried, server } = context;
  const known = retried && server.sessions.retryRecord(retried.key);
  const began = known && known.number === retried.number ? known : undefined;
  const answer: WriteAnswer = began ? resumed(began.answer ?? {}, start) : start;
  const room = new ErrorRoom();
  let kept = answer.n;
  // A long answer is kept in parts: the whole of it with each write would be more with each.
  let parts = began ? (began.parts ?? 1) : 0;
  let told = { upserted: answer.upserted.length, writeErrors: answer.writeErrors.length };
  await runBatch(
    context,
    {
      count: list.length,
      frees: context.name === 'delete',
      short,
      begin(index) {
        const statement = list[index];
        if (!isDocument(statement)) throw failedToParse('a write statement must be an object');
        return begin(statement, index, answer);
      },
      ...(context.transaction ? {} : { failed: (index, error) => noteError(answer, index, room.tell(error), command) }),
      ...(retried
        ? {
            after(writer: Writer, next: number, done: boolean) {
              // A retry may try again what failed, and the answer so far may be long.
              if (!done && answer.n === kept) return;
              kept = answer.n;
              const { upserted, writeErrors } = answer;
              const part = { ...answer, upserted: upserted.slice(told.upserted), writeErrors: writeErrors.slice(told.writeErrors) };
              const { number, statements } = retried;
              const record = { number, statements, next, answer: shown(done ? answer : part), done, committed: false };
              writer.keepReply(retried.key, record, done ? 0 : parts++);
              told = { upserted: upserted.length, writeErrors: writeErrors.length };
            },
          }
        : {}),
    },
    began?.next ?? 0,
  );
  return isAcknowledged(command) ? shown(answer) : {};
}

/** A write that asks for no answer gets none beside that it was taken. */
function isAcknowledged({ writeConcern }: Doc): boolean {
  if (!isDocument(writeConcern)) return true;
  const { w, j, fsync } = writeConcern;
  return !isNumber(w) || Math.trunc(toNumber(w)) !== 0 || isOn(j) || isOn(fsync);
}

function noteError(answer: WriteAnswer, index: number, { code, message, extra }: ToldError, command: Doc): boolean {
  answer.writeErrors.push({ index, code, errmsg: message, ...extra });
  return command.ordered === false;
}

function resumed(answer: Doc, start: WriteAnswer): WriteAnswer {
  return { ...start, ...answer, upserted: (answer.upserted ?? []) as Doc[], writeErrors: (answer.writeErrors ?? []) as Doc[] };
}

function shown({ n, nModified, upserted, writeErrors }: WriteAnswer): Doc {
  return {
    n,
    ...(nModified === undefined ? {} : { nModified }),
    ...(upserted.length > 0 ? { upserted } : {}),
    ...(writeErrors.length > 0 ? { writeErrors } : {}),
  };
}

/** `insert` */
export const insert: Command = (context) => {
  const documents = listField(context.command, 'documents');
  checkNamespace(namespace(context));
  checkWritable(namespace(context));
  const begin = (source: Doc, _index: number, answer: WriteAnswer): Statement =>
    insertStatement(context, source, () => {
      answer.n += 1;
    });
  return runStatements(context, documents, begin, { n: 0, upserted: [], writeErrors: [] }, true);
};

/** `update` */
export const update: Command = (context) => {
  const statements = listField(context.command, 'updates');
  checkNamespace(namespace(context));
  checkWritable(namespace(context));
  // A stage that there is not fails the command, and not its statement, whose other mistakes are told for each.
  for (const statement of statements) if (isDocument(statement) && Array.isArray(statement.u)) checkStageNames(statement.u);
  const begin = (source: Doc, index: number, answer: WriteAnswer): Statement => {
    checkConstants(source.c, source.u);
    return updateStatement(
      context,
      {
        filter: documentField(source, 'q'),
        update: source.u,
        multi: source.multi === true,
        upsert: source.upsert === true,
        sort: documentField(source, 'sort'),
        source: { ...source, let: variablesWith(source.c, context.command.let) },
      },
      ({ matched, modified, upserted }) => {
        answer.n += matched + (upserted ? 1 : 0);
        answer.nModified = (answer.nModified ?? 0) + modified;
        if (upserted) answer.upserted.push({ index, _id: upserted._id });
      },
    );
  };
  return runStatements(context, statements, begin, { n: 0, nModified: 0, upserted: [], writeErrors: [] });
};

/** `delete` */
export const deleteCommand: Command = (context) => {
  const statements = listField(context.command, 'deletes');
  checkNamespace(namespace(context));
  checkWritable(namespace(context));
  const begin = (source: Doc, _index: number, answer: WriteAnswer): Statement =>
    deleteStatement(context, documentField(source, 'q'), toNumber(source.limit) === 1 ? 1 : Infinity, source, () => {
      answer.n += 1;
    });
  return runStatements(context, statements, begin, { n: 0, upserted: [], writeErrors: [] });
};
