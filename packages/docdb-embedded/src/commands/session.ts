import { type Doc, isDocument } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import type { Command, CommandContext } from './command.ts';

/** `commitTransaction` */
export const commitTransaction: Command = (context) => {
  const { transaction, server } = active(context);
  if (transaction.state === 'open') {
    const { session } = context;
    const log = transaction.log.map((change) => ({ ...change, transaction: { lsid: session?.lsid ?? {}, number: transaction.number } }));
    transaction.log.splice(0, Infinity, ...log);
    server.store.commit(transaction);
  }
  return {};
};

/** `abortTransaction` */
export const abortTransaction: Command = (context) => {
  const { transaction, server } = active(context);
  if (transaction.state === 'committed') throw new DocDbError(256, `Transaction ${String(transaction.number)} has been committed.`);
  server.store.abort(transaction);
  return {};
};

function active(context: CommandContext): CommandContext & { readonly transaction: NonNullable<CommandContext['transaction']> } {
  const { transaction } = context;
  if (!transaction) throw new DocDbError(251, "Transaction isn't in progress", { errorLabels: ['TransientTransactionError'] });
  return { ...context, transaction };
}

/** `endSessions` and `killSessions` */
export const endSessions: Command = ({ command, name, server }) => {
  const sessions = command[name];
  if (Array.isArray(sessions)) for (const lsid of sessions as Doc[]) if (isDocument(lsid)) server.sessions.end(lsid);
  return {};
};

/** `killAllSessions` */
export const killAllSessions: Command = ({ server }) => {
  server.sessions.endAll();
  return {};
};

/** `startSession`, `refreshSessions` */
export const refreshSessions: Command = () => ({});
