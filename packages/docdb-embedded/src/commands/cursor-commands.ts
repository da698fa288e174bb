import { toNumber } from '../bson/arithmetic.ts';
import { apiOf } from '../declarations/stable-api.ts';
import { DocDbError } from '../errors.ts';
import { type Command, type CommandContext, countField, namespace } from './command.ts';

/** Codes after which a change stream goes on by itself. */
const RESUMABLE: ReadonlySet<number> = new Set([
  6, 7, 43, 63, 89, 91, 133, 150, 189, 234, 262, 9001, 10107, 11600, 11602, 13388, 13435, 13436,
]);

/** `getMore` */
export const getMore: Command = async ({ command, database, server, connection, session, transaction, operation }: CommandContext) => {
  const data = server.failPoints.hit('failGetMoreAfterCursorCheckout');
  if (data) {
    const code = toNumber(data.errorCode);
    const labels = data.errorLabels ?? (RESUMABLE.has(code) ? ['ResumableChangeStreamError'] : undefined);
    throw new DocDbError(code, "Hit 'failGetMoreAfterCursorCheckout' fail point", labels === undefined ? {} : { errorLabels: labels });
  }
  server.security.checkCursor(connection, server.cursors, command.getMore as bigint, 'getMore');
  return server.cursors.more(command.getMore as bigint, `${database}.${command.collection as string}`, {
    batchSize: countField(command, 'batchSize') || undefined,
    waitMs: connection.closed ? 0 : countField(command, 'maxTimeMS'),
    session,
    api: apiOf(command),
    transaction,
    operation,
    isMadeLate: () => server.failPoints.hit('maxTimeAlwaysTimeOut') !== undefined,
  });
};

/** `killCursors` */
export const killCursors: Command = async (context) => {
  namespace(context);
  const { command, server, connection } = context;
  const ids = (command.cursors as (bigint | null)[]).filter((id) => id !== null);
  for (const id of ids) server.security.checkCursor(connection, server.cursors, id, 'killCursors');
  const killed: bigint[] = [];
  const missing: bigint[] = [];
  for (const id of ids) ((await server.cursors.kill(id)) ? killed : missing).push(id);
  return { cursorsKilled: killed, cursorsNotFound: missing, cursorsAlive: [], cursorsUnknown: [] };
};
