import { setTimeout } from 'node:timers/promises';
import { Binary, Timestamp } from 'bson';
import { toNumber } from '../bson/arithmetic.ts';
import { compare } from '../bson/compare.ts';
import { type Doc, Double, isDocument, isNumber } from '../bson/values.ts';
import { checkValue } from '../declarations/field.ts';
import { sessionId } from '../declarations/general-fields.ts';
import { apiOf } from '../declarations/stable-api.ts';
import { unsatisfied } from '../declarations/write-concern.ts';
import { DocDbError, Outdated } from '../errors.ts';
import { checkDatabaseName } from '../storage/database-name.ts';
import type { Session } from '../transactions/sessions.ts';
import { applicationOf } from './client-metadata.ts';
import type { Command, CommandContext, ConnectionState, ServerState } from './command.ts';
import { Operation, overTime } from './operation.ts';
import { targetOf } from './operations.ts';
import { commands, type RegisteredCommand, retryableCommands } from './registry.ts';
import { retriedStatements } from './retried-statements.ts';
import { checkInTransaction, checkTransactional, sessionOptions, type SessionOptions } from './session-options.ts';
import { versionOfError } from './topology-version.ts';

/** Answer of a command; `undefined` when the connection is to be closed instead. */
export type Answer = Doc | undefined;

/**
 * Carries out one command: fail points, session, transaction, retry, the command itself, and the fields that all answers
 * have.
 *
 * @param command the command document with `$db`
 */
export async function runCommand(server: ServerState, connection: ConnectionState, command: Doc): Promise<Answer> {
  const name = Object.keys(command)[0] ?? '';
  const failure = server.failPoints.failureOf(command, name, applicationOf(command.client ?? connection.client));
  const blocked = failure?.blockMs ?? 0;
  const limit = timeLimitOf(command, name);
  const isLate = limit > 0 && blocked >= limit;
  if (blocked > 0) await hold(connection, isLate ? limit : blocked);
  if (failure?.closeConnection === true) return undefined;
  let context: CommandContext | undefined;
  let done: (() => void) | undefined;
  let running: number | undefined;
  const started = server.profiler.isOn ? performance.now() : undefined;
  try {
    const { security } = server;
    security.admit(connection, commands.get(name)?.declared, name, command.$db);
    const owner = security.ownerOf(connection);
    const options = sessionOptions(command, name);
    const { lsid } = command;
    const use = (): Session | undefined => {
      if (!isDocument(lsid) || security.isStranger(owner)) return undefined;
      // A session is kept, also where its command is refused.
      checkValue(lsid, sessionId, `${name}.lsid`);
      return server.sessions.use(lsid, owner);
    };
    let session = use();
    if (options.number !== undefined) {
      done = await session?.checkOut();
      // It may have ended meanwhile, and nobody would end what begins in it now.
      while (session?.ended === true) {
        done?.();
        session = use();
        done = await session?.checkOut();
      }
    }
    // A command that is made to fail has begun no transaction, and ends none.
    if (isLate) throw overTime();
    if (failure?.error) throw failure.error;
    context = contextOf(server, connection, command, name, session, options);
    running = server.operations.begin({
      connection,
      owner,
      session,
      command,
      ns: `${context.database}.${targetOf(command) ?? '$cmd'}`,
      operation: context.operation,
    });
    if (server.parameters.commandLevel > 0) server.log.writeCommand(connection.id, context.database, command);
    const answer = await carryOut(context, options);
    if (isDocument(answer.cursor) && typeof answer.cursor.id === 'bigint' && answer.cursor.id !== 0n)
      await giveCursor(context, answer.cursor.id, owner);
    const extra = failure?.extra ?? {};
    const concern = isDocument(extra.writeConcernError) ? versionOfError(server, extra.writeConcernError.code) : {};
    const told = knownCommand(name).declared.writes === 'told behind' ? unsatisfied(command.writeConcern) : {};
    const whole = { ...answer, ...told, ...extra, ...concern, ok: answer.ok ?? new Double(1), ...times(server) };
    if (started !== undefined) await note(context, started, whole);
    return whole;
  } catch (error) {
    if (error instanceof DropConnection) return undefined;
    const failed = error instanceof DocDbError ? error : internal(error, Object.keys(command)[0] ?? '');
    abortAfter(context);
    const { code, codeName, message: errmsg, extra } = failed;
    const refusal = { ok: new Double(0), errmsg, code, codeName, ...extra, ...versionOfError(server, code), ...times(server) };
    if (started !== undefined && context) await note(context, started, refusal);
    return refusal;
  } finally {
    if (running !== undefined) server.operations.end(running);
    done?.();
  }
}

/**
 * A cursor belongs to who has opened it.
 *
 * @throws DocDbError (13) where they may not do so any more: their roles may have changed while the command ran
 */
async function giveCursor(
  { server, connection, command, name, database, session }: CommandContext,
  id: bigint,
  owner: string,
): Promise<void> {
  try {
    server.security.authorize(connection, knownCommand(name).declared, command, name, database);
  } catch (error) {
    await server.cursors.kill(id);
    throw error;
  }
  server.cursors.give(id, { owner, session, api: apiOf(command) });
}

/** @returns how many milliseconds a command has, 0 for no limit: the time of `getMore` is the one that it waits for something new */
function timeLimitOf({ maxTimeMS }: Doc, name: string): number {
  return isNumber(maxTimeMS) && name !== 'getMore' ? toNumber(maxTimeMS) : 0;
}

/** Holds a command back, for as long as somebody waits for its answer. */
async function hold({ gone }: ConnectionState, milliseconds: number): Promise<void> {
  const over = new AbortController();
  const time = setTimeout(milliseconds, undefined, over).catch(() => undefined);
  await Promise.race([time, gone]);
  over.abort();
}

/** @returns when the profiler of the command's database has noted it, if it does */
function note({ server, connection, command, database }: CommandContext, started: number, answer: Doc): Promise<void> {
  return server.profiler.note({ database, command, connection, started, answer });
}

/** What was too large for JavaScript is an error of the caller; everything else is a fault of this program, and logged with its place. */
function internal(error: unknown, name: string): DocDbError {
  if (error instanceof RangeError && /call stack/.test(error.message)) return new DocDbError(15, 'what was asked for is nested too deeply');
  if (error instanceof RangeError && /(string|array|buffer) length|Array buffer/i.test(error.message))
    return new DocDbError(10334, `what was asked for is too large: ${error.message}`);
  console.error(`docdb-embedded: a fault of the database in the command '${name}'`, error);
  return new DocDbError(8, `A fault of the database in the command '${name}': its place is in the log of the process`);
}

function times(server: ServerState): Doc {
  const time = server.store.lastTime();
  return { $clusterTime: { clusterTime: time, signature: { hash: new Binary(new Uint8Array(20)), keyId: 0n } }, operationTime: time };
}

/** @throws DocDbError (59) */
function knownCommand(name: string): RegisteredCommand {
  const known = commands.get(name);
  if (!known) throw new DocDbError(59, `no such command: '${name}'`);
  return known;
}

/** What is refused here leaves the transaction that it was meant for as it is, and begins none. */
function contextOf(
  server: ServerState,
  connection: ConnectionState,
  command: Doc,
  name: string,
  session: Session | undefined,
  options: SessionOptions,
): CommandContext {
  const database = command.$db;
  if (typeof database !== 'string') throw new DocDbError(40571, 'OP_MSG requests require a $db argument');
  checkDatabaseName(database);
  const { declared } = knownCommand(name);
  if (options.transaction !== 'none') checkTransactional(name);
  server.security.authorize(connection, declared, command, name, database);
  if (options.transaction !== 'none') checkInTransaction(command, name, database, options.transaction === 'begins');
  if (isNumber(command.maxTimeMS) && toNumber(command.maxTimeMS) > 0 && server.failPoints.hit('maxTimeAlwaysTimeOut')) throw overTime();
  const operation = new Operation(timeLimitOf(command, name));
  const base = { server, connection, command, name, database, session, retried: undefined, snapshot: undefined, operation };
  const { number, transaction } = options;
  if (transaction === 'none' || number === undefined || !session) return { ...base, transaction: undefined };
  const committing = name === 'commitTransaction';
  const ending = committing || name === 'abortTransaction';
  const begins = transaction === 'begins';
  const found = server.sessions.transaction(session, number, begins, ending, committing);
  if (begins) session.transactionApi = apiOf(command);
  else if (found && session.transactionApi !== apiOf(command))
    throw new DocDbError(347, `API parameter mismatch: transaction ${String(number)} was begun with other API parameters`);
  return { ...base, transaction: found };
}

async function carryOut(context: CommandContext, options: SessionOptions): Promise<Doc> {
  const { name, transaction, session, command } = context;
  const { run } = knownCommand(name);
  const handler: Command = (given) => given.operation.during(() => run(given));
  checkReadTimes(context);
  if (options.transaction !== 'none') {
    if (!transaction) return {};
    return inTransaction(context, handler, options.transaction === 'begins' ? BEGINNINGS : 1);
  }
  const read = context.server.snapshots.of(name, command);
  if (read) return withTime(await handler({ ...context, snapshot: read.snapshot }), read.time);
  if (READS.has(name)) await behindWrites(context);
  if (options.number === undefined || !session) return handler(context);
  return retryable(context, session, options.number, handler);
}

/** What shows the writes that came before its connection was made. */
const READS: ReadonlySet<string> = new Set(['find', 'aggregate', 'count', 'distinct']);

/** Waits for such writes of the collection; who keeps all writers out does not keep readers out. */
async function behindWrites({ server, connection, command, database, operation }: CommandContext): Promise<void> {
  const writes = server.operations.firstWrites.ended(`${database}.${targetOf(command) ?? ''}`, connection.id);
  if (writes && !server.store.engine.lock.ended) await operation.until(writes);
}

/** How often a transaction begins with one command. */
const BEGINNINGS = 10;
/** Milliseconds that it waits each time for a change of a collection. */
const PATIENCE = 5;

/** The first command may have waited for its turn to write, and others have committed what it does not see: then it begins on what is there by now. */
async function inTransaction(context: CommandContext, handler: Command, beginnings: number): Promise<Doc> {
  const { server, session, transaction, operation } = context;
  try {
    return await handler(context);
  } catch (error) {
    if (beginnings === 1 || !(error instanceof Outdated) || !session || transaction?.state !== 'open') throw error;
    // First of all: a change that is waited for may wait for the transaction itself.
    const again = server.sessions.beginAgain(session, transaction);
    await operation.until(error.changed ? Promise.race([error.changed, setTimeout(PATIENCE)]) : Promise.resolve());
    return inTransaction({ ...context, transaction: again }, handler, beginnings - 1);
  }
}

/** @throws DocDbError (72) for a read at or behind a time that nobody was told, (239) for a transaction that is to see what was there before */
function checkReadTimes({ server, transaction, command: { readConcern } }: CommandContext): void {
  const now = server.store.lastTime();
  const times = isDocument(readConcern) ? readConcern : {};
  for (const name of ['afterClusterTime', 'atClusterTime'] as const) {
    const time = times[name];
    if (time instanceof Timestamp && compare(time, now) > 0)
      throw new DocDbError(72, `readConcern ${name} value must not be greater than the current clusterTime`);
  }
  if (transaction && times.atClusterTime instanceof Timestamp && compare(times.atClusterTime, now) < 0)
    throw new DocDbError(239, 'A transaction of this database sees what is there when it begins: leave atClusterTime out');
}

/** The time of the state that was read lies beside the documents. */
function withTime(answer: Doc, atClusterTime: Timestamp): Doc {
  return isDocument(answer.cursor) ? { ...answer, cursor: { ...answer.cursor, atClusterTime } } : { ...answer, atClusterTime };
}

/** A write that was carried out already gives the same answer again. */
async function retryable(context: CommandContext, session: Session, number: bigint, handler: Command): Promise<Doc> {
  const { command, name, server } = context;
  if (!retryableCommands.has(name))
    throw new DocDbError(
      50768,
      `txnNumber may only be provided for multi-document transactions and retryable write commands. autocommit:false was not provided, and ${name} is not a retryable write command.`,
    );
  if (number < session.number)
    throw new DocDbError(
      225,
      `Retryable write with txnNumber ${String(number)} is prohibited on session because a newer one has been started.`,
    );
  const record = server.sessions.retryRecord(session.key);
  if (session.transaction?.number === number || (record?.number === number && record.committed))
    throw new DocDbError(72, 'Must specify autocommit=false on all operations of a multi-statement transaction.');
  if (number > session.number) server.sessions.leaveBehind(session);
  session.number = number;
  const statements = statementsOf(command, name);
  if (record?.number === number && record.statements !== statements)
    throw new DocDbError(72, `Another write was carried out under txnNumber ${String(number)}: give each one a number of its own`);
  const again = record?.number === number ? retriedStatements(command, name, record) : {};
  if (record?.number === number && record.done && record.answer) return { ...record.answer, ...again };
  const point = server.failPoints.hit('onPrimaryTransactionalWrite');
  if (point?.failBeforeCommitExceptionCode !== undefined) throw new DropConnection();
  const answer = await handler({ ...context, retried: { key: session.key, number, statements } });
  if (point) throw new DropConnection();
  return { ...answer, ...again };
}

/** @returns what a command calls its statements: one that is sent again calls them the same */
function statementsOf({ stmtId, stmtIds }: Doc, name: string): string {
  const ids = Array.isArray(stmtIds) ? stmtIds.map(String) : [String(stmtId ?? 0)];
  return [name, ...ids].join(' ');
}

/** Thrown to close a connection instead of answering, before or after the work is done. */
class DropConnection extends Error {}

/** An error ends the transaction, except at a commit. */
function abortAfter(context: CommandContext | undefined): void {
  const { name, server, session } = context ?? {};
  // It may have begun again.
  const transaction = context?.transaction && session?.transaction;
  if (!transaction || !server || transaction.state !== 'open' || name === 'commitTransaction') return;
  server.store.end(transaction, 'aborted');
}
