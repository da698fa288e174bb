import { decodeSent } from '../bson/decode.ts';
import { checkSize, MAX_SENT_SIZE } from '../bson/limits.ts';
import type { Doc } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';

/**
 * Reads a document of a message. Others wait for as long as one is read, and of small values it takes many times its bytes in memory.
 *
 * @param end where what it is in ends
 * @throws DocDbError (10334) for one that is too large, (22) for bytes that are none, 15 for one that is nested too deeply, and 40413 for one with two fields of one name
 */
export function readSent(bytes: Buffer, at: number, end: number = bytes.length): Doc {
  const size = at + 4 <= end ? bytes.readInt32LE(at) : 0;
  checkSize(size, MAX_SENT_SIZE);
  if (at + size > end) throw new DocDbError(22, 'invalid BSON: a document is longer than what it is in');
  return decodeSent(bytes, at);
}
