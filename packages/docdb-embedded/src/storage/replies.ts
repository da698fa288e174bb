import { decode } from '../bson/decode.ts';
import { encode } from '../bson/encode.ts';
import type { Doc } from '../bson/values.ts';
import type { Engine } from './engine.ts';

/** Bytes of the number of a part. */
const NUMBER = 4;
const MOST_PARTS = 2 ** 32 - 1;

/** Parts stand behind the place of their session, in their order. */
function partKey(session: Buffer, part: number): Buffer {
  const key = Buffer.alloc(session.length + NUMBER);
  key.set(session);
  key.writeUInt32BE(part, session.length);
  return key;
}

function partsOf(session: Buffer): { readonly start: Buffer; readonly end: Buffer } {
  return { start: partKey(session, 0), end: partKey(session, MOST_PARTS) };
}

/**
 * Keeps what a retry of a session's write is answered; in a write only.
 *
 * @param part 0 for what takes the place of everything before; the number of a part that is added to that
 */
export function putReply({ retries }: Engine, session: Buffer, record: Doc, part: number): void {
  if (part === 0) removeParts(retries, session);
  void retries.put(part === 0 ? session : partKey(session, part), encode({ ...record, at: new Date() }));
}

/** Forgets what a retry of a session's write would be answered; in a write only. */
export function removeReply({ retries }: Engine, session: Buffer): void {
  removeParts(retries, session);
  void retries.remove(session);
}

function removeParts(retries: Engine['retries'], session: Buffer): void {
  for (const key of [...retries.getKeys(partsOf(session))]) void retries.remove(key);
}

/** @returns what was kept of the last write of a session, and the parts that were added while it was not done */
export function readReply({ retries }: Engine, session: Buffer): Doc[] {
  const bytes = retries.get(session);
  if (!bytes) return [];
  const first = decode(bytes);
  return first.done === true ? [first] : [first, ...[...retries.getRange(partsOf(session))].map(({ value }) => decode(value))];
}

/** @returns the sessions that something is kept for, and when that was first */
export function repliesOf({ retries }: Engine, session: number): { readonly key: Buffer; readonly at: number }[] {
  const found: { readonly key: Buffer; readonly at: number }[] = [];
  for (const { key, value } of retries.getRange({}))
    if (key.length === session) found.push({ key, at: (decode(value).at as Date).getTime() });
  return found;
}
