import { ObjectId } from 'bson';
import { toNumber } from '../bson/arithmetic.ts';
import { type Doc, isDocument, isNumber } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import type { CommandContext } from './command.ts';

/** Longest time that timers know, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/**
 * What the server is never changes while it runs: a client that asks to be told of a change waits for as long as it likes, or until the connection ends. So it
 * learns of the end of the server at once.
 *
 * @returns the version of what the server is
 * @throws DocDbError (31368, 31372, 31373, 31382) for what no client asks
 */
export async function topologyVersion({ command, server, connection, operation }: CommandContext): Promise<Doc> {
  const { topologyVersion: known, maxAwaitTimeMS: given } = command;
  const current = { processId: server.processId, counter: 0n };
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
