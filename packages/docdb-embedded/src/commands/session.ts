import { UUID } from 'bson';
import { type Doc, isDocument } from '../bson/values.ts';
import { DocDbError, writeConflict } from '../errors.ts';
import type { Writer } from '../storage/writer.ts';
import type { Transaction } from '../transactions/transaction.ts';
import type { Command, CommandContext, ServerState } from './command.ts';
import { INTERRUPTED, type Operation } from './operation.ts';

/** `commitTransaction` */
export const commitTransaction: Command = async (context) => {
  const { transaction, server } = active(context);
  // One that was not written is no success the second time.
  if (server.store.engine.failure) throw server.store.engine.failure;
  if (transaction.state !== 'open') return {};
  if (transaction.log.length > 0) await write(context, transaction);
  else server.store.end(transaction, 'committed');
  return {};
};

/** Writes a transaction, or ends it: nobody comes back to what was refused, and others would wait for it. */
async function write(context: CommandContext, transaction: Transaction): Promise<void> {
  const {
    server: { store },
    session,
    operation,
  } = context;
  const work = (writer: Writer): void => {
    // It may have been too long.
    transaction.checkOpen();
    if (writer.isOvertaken(transaction)) throw writeConflict();
    writer.commit(transaction, session?.lsid ?? {});
    if (session) writer.keepReply(session.key, { number: transaction.number, next: 0, answer: {}, done: true, committed: true });
    // From here on it has happened: later writers see it, and need not wait.
    store.end(transaction, 'committed');
  };
  try {
    await store.write(
      work,
      transaction.log.every(({ kind }) => kind === 'delete'),
      operation,
    );
  } catch (error) {
    // Who has had no turn to write may ask for it again.
    if (!(error instanceof DocDbError && INTERRUPTED.has(error.code))) store.end(transaction, 'aborted');
    throw error;
  }
}

/** `abortTransaction` */
export const abortTransaction: Command = (context) => {
  const { transaction, server } = active(context);
  if (transaction.state === 'committed') throw new DocDbError(256, `Transaction ${String(transaction.number)} has been committed.`);
  server.store.end(transaction, 'aborted');
  return {};
};

function active(context: CommandContext): CommandContext & { readonly transaction: NonNullable<CommandContext['transaction']> } {
  const { transaction } = context;
  if (!transaction) throw new DocDbError(251, "Transaction isn't in progress", { errorLabels: ['TransientTransactionError'] });
  return { ...context, transaction };
}

/** `endSessions` and `killSessions` */
export const endSessions: Command = async ({ command, name, server, connection, operation }) => {
  const sessions = command[name];
  const owner = server.security.ownerOf(connection);
  for (const lsid of Array.isArray(sessions) ? (sessions as Doc[]) : []) {
    if (isDocument(lsid)) server.sessions.end(lsid, owner);
    await operation.turn();
  }
  await killOfEnded(server, name === 'killSessions' ? operation : undefined);
  return {};
};

/** `killAllSessions`: those of some users, or all. */
export const killAllSessions: Command = async ({ command, server, operation }) => {
  const users = (command.killAllSessions ?? []) as readonly Doc[];
  if (users.length === 0) server.sessions.endAll();
  for (const user of users) endOfUser(server, user);
  await killOfEnded(server, operation);
  return {};
};

/** `killAllSessionsByPattern`: those with an id, or of some users, or all. */
export const killAllSessionsByPattern: Command = async ({ command, server, operation }) => {
  const patterns = (command.killAllSessionsByPattern ?? []) as readonly Doc[];
  if (patterns.length === 0) server.sessions.endAll();
  for (const { lsid, users } of patterns) {
    if (isDocument(lsid)) server.sessions.endWith(lsid);
    for (const user of (users ?? []) as readonly Doc[]) endOfUser(server, user);
    if (!isDocument(lsid) && users === undefined) server.sessions.endAll();
  }
  await killOfEnded(server, operation);
  return {};
};

/**
 * Ends the cursors of sessions that have ended, and what runs in those that were killed.
 *
 * @param killer the operation that kills them, which may be in one itself
 */
async function killOfEnded({ cursors, operations }: ServerState, killer: Operation | undefined): Promise<void> {
  if (killer) operations.killOfEnded(killer);
  await cursors.killOfEnded();
}

function endOfUser({ security, sessions }: ServerState, { user, db }: Doc): void {
  const owner = security.ownerNamed(String(user), String(db));
  if (owner !== undefined) sessions.endOf(owner);
}

/** `startSession` */
export const startSession: Command = ({ server, connection }) => {
  const id = new UUID();
  server.sessions.use({ id }, server.security.ownerOf(connection));
  return { id: { id }, timeoutMinutes: 30 };
};

/** `refreshSessions` */
export const refreshSessions: Command = async ({ command, server, connection, operation }) => {
  const owner = server.security.ownerOf(connection);
  for (const lsid of command.refreshSessions as Doc[]) {
    server.sessions.use(lsid, owner);
    await operation.turn();
  }
  return {};
};
