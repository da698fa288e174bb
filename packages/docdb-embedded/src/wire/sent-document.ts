import { decode } from '../bson/decode.ts';
import { MAX_SENT_SIZE } from '../bson/encode.ts';
import type { Doc } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';

/** Levels of a document that a client sends, 200 of them inside of it, as in MongoDB; what is made and kept of it has room for more. */
const LEVELS = 201;

/**
 * Reads a document of a message. Others wait for as long as one is read, and of small values it takes many times its bytes in memory.
 *
 * @param end where what it is in ends
 * @throws DocDbError (10334) for one that is too large, (22) for bytes that are none, and 15 for one that is nested too deeply
 */
export function readSent(bytes: Buffer, at: number, end: number = bytes.length): Doc {
  const size = at + 4 <= end ? bytes.readInt32LE(at) : 0;
  if (size > MAX_SENT_SIZE)
    throw new DocDbError(10334, `BSONObj size: ${String(size)} is invalid. Size must be between 0 and ${String(MAX_SENT_SIZE)}(16MB)`);
  if (at + size > end) throw new DocDbError(22, 'invalid BSON: a document is longer than what it is in');
  return decode(bytes, at, LEVELS);
}
