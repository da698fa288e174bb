import { DocDbError } from '../errors.ts';
import { documentClaim, type Transaction } from '../transactions/transaction.ts';
import type { Engine } from './engine.ts';
import type { IndexEntries } from './index-entries.ts';
import { documentKey, type Reader } from './reader.ts';
import { HEADER, type Stored } from './stored.ts';
import type { Candidate } from './unique-keys.ts';
import { isLarge, MOST_LARGE } from './write-memory.ts';

/** @returns bytes of a document as it is kept; 0 for none */
export function sizeOf(stored: Stored | undefined): number {
  return stored ? HEADER + stored.bytes.length : 0;
}

/**
 * Notes a change that a transaction is about to make, where its commit would have LMDB keep something in mind for it; in a write only.
 *
 * @param newest reads what the commit will find: a document may be changed several times by then
 * @throws DocDbError (257) when there are too many of them
 */
export function noteLarge(
  engine: Engine,
  entries: IndexEntries,
  newest: Reader,
  { collection, record, before, after }: Candidate,
  transaction: Transaction,
): void {
  if (transaction.created.has(collection.ns)) return;
  const isFirst = !transaction.overlayOf(collection)?.documents.has(record);
  const stored = isFirst ? before : newest.at(collection, record);
  if (!stored) return;
  if (!engine.memory.isCounting) transaction.isCountedRoughly = true;
  const size = sizeOf(stored);
  const isKept = after ? isLarge(size) : engine.memory.keepsRemoved(engine.documents, documentKey(collection.number, record), size);
  const keys = engine.memory.keepsKeys(() => entries.removed(collection, stored.doc, after));
  transaction.noteLarge(documentClaim(collection, record), (isKept ? 1 : 0) + keys);
  checkLarge(engine, transaction);
}

/**
 * Looks at the changes of a transaction before it is written: the file may have grown since it made them.
 *
 * @throws DocDbError (257) when there are too many that LMDB would keep something in mind for
 */
export function checkChanges(engine: Engine, entries: IndexEntries, newest: Reader, transaction: Transaction): void {
  if (transaction.isCountedRoughly && engine.memory.isCounting)
    for (const { collection, documents } of transaction.changes())
      for (const [record, stored] of documents)
        noteLarge(engine, entries, newest, { collection, record, before: undefined, after: stored?.doc }, transaction);
  checkLarge(engine, transaction);
}

/** @throws DocDbError (257) when a transaction may not be written, since nothing else could be written with it or behind it */
function checkLarge({ memory }: Engine, { large }: Transaction): void {
  if (!memory.isTooMuch(large)) return;
  throw new DocDbError(
    257,
    `A transaction may change or remove ${String(MOST_LARGE)} documents of about 1 kB and more, and fewer that have such long texts in indexes, where there are more than 64 MB of data. Commit earlier`,
  );
}
