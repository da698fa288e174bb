import { DocDbError } from '../errors.ts';

/** Largest document, in bytes. */
export const MAX_DOCUMENT_SIZE: number = 16 * 1024 * 1024;
/** Bytes of a document that is sent, in either direction: a stored one, and what lies around it. */
export const MAX_SENT_SIZE: number = MAX_DOCUMENT_SIZE + 16 * 1024;
/** Bytes of one document at which it is given up: texts take three times their length until they are written. A smaller one is refused with its size. */
export const MOST_OF_ONE: number = 4 * MAX_DOCUMENT_SIZE;

/** Levels of whatever is written: more than any stored document has, so that answers, and what is kept of them, have room for their own. */
export const MAX_LEVELS = 250;
/** Levels of a document in a collection, which are those of MongoDB. */
export const STORED_LEVELS = 180;
/** Levels of a document that a client sends, 200 of them inside of it, as in MongoDB; what is made and kept of it has room for more. */
export const SENT_LEVELS = 201;

/** @returns the error for a document that has more levels than it may have */
export function tooDeep(levels: number): DocDbError {
  return new DocDbError(15, `The document is nested too deeply: it exceeds ${String(levels)} levels of nesting`);
}

/**
 * @param size bytes of a document
 * @throws DocDbError (10334) for one that has more than it may
 */
export function checkSize(size: number, most: number): void {
  if (size > most)
    throw new DocDbError(10334, `BSONObj size: ${String(size)} is invalid. Size must be between 0 and ${String(most)}(16MB)`);
}
