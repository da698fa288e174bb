import { ObjectId } from 'bson';
import { toNumber } from '../bson/arithmetic.ts';
import { type Doc, isDocument, isNumber, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import type { CommandContext, ServerState } from './command.ts';

/** Longest time that timers know, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** Codes of the errors that say that a node is not the primary. */
const NOT_PRIMARY: ReadonlySet<number> = new Set([189, 10058, 10107, 11602, 13435, 13436]);

function currentVersion({ processId }: ServerState): Doc {
  return { processId, counter: 0n };
}

/**
 * Errors that say that the node is not the primary tell which state of the server they are of: a client that knows that state goes on using the node, and one
 * that is not told gives it up until its next look at it.
 *
 * @param code that of the error, or of a `writeConcernError`
 * @returns what is added to the answer
 */
export function versionOfError(server: ServerState, code: Value): Doc {
  const tells = isNumber(code) && NOT_PRIMARY.has(toNumber(code));
  return tells ? { topologyVersion: currentVersion(server) } : {};
}

/**
 * What the server is never changes while it runs: a client that asks to be told of a change waits for as long as it likes, or until the connection ends. So it
 * learns of the end of the server at once.
 *
 * @returns the version of what the server is
 * @throws DocDbError (31368, 31372, 31373, 31382) for what no client asks
 */
export async function topologyVersion({ command, server, connection, operation }: CommandContext): Promise<Doc> {
  const { topologyVersion: known, maxAwaitTimeMS: given } = command;
  const current = currentVersion(server);
  if ((known === undefined) !== (given === undefined)) {
    const [has, misses] = known === undefined ? ['maxAwaitTimeMS', 'topologyVersion'] : ['topologyVersion', 'maxAwaitTimeMS'];
    throw new DocDbError(31368, `A request with ${has} must include ${misses}`);
  }
  if (known === undefined) return current;
  const milliseconds = isNumber(given) ? toNumber(given) : NaN;
  if (!(milliseconds >= 0)) throw new DocDbError(31373, 'maxAwaitTimeMS must be a non-negative integer');
  const { processId, counter } = isDocument(known) ? known : {};
  if (!isNumber(counter) || toNumber(counter) < 0) throw new DocDbError(31372, 'topologyVersion must have a non-negative counter');
  if (!(processId instanceof ObjectId) || !processId.equals(server.processId)) return current;
  if (toNumber(counter) > 0) {
    throw new DocDbError(
      31382,
      `Received a topology version with counter: ${String(counter)} which is greater than the server topology version counter: 0`,
    );
  }
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(milliseconds, LONGEST)).unref();
  });
  try {
    await operation.until(Promise.race([over, connection.gone]));
  } finally {
    clearTimeout(timer);
  }
  return current;
}
