import { calculateObjectSize, serialize } from 'bson';
import { DocDbError } from '../errors.ts';
import type { Doc } from './values.ts';

/** Largest document, in bytes. */
export const MAX_DOCUMENT_SIZE: number = 16 * 1024 * 1024;

/** @returns the BSON bytes of a document */
export function encode(doc: Doc): Uint8Array {
  return serialize(doc, { ignoreUndefined: true });
}

/** @returns the size of a document in bytes */
export function sizeOf(doc: Doc): number {
  return calculateObjectSize(doc, { ignoreUndefined: true });
}

/** @throws DocDbError (10334) for a document over 16 MiB */
export function checkSize(doc: Doc): void {
  // Most documents are far below the limit: their JSON-like shape tells without measuring.
  if (!mayBeLarge(doc)) return;
  const size = sizeOf(doc);
  if (size > MAX_DOCUMENT_SIZE) {
    throw new DocDbError(10334, `BSONObj size: ${String(size)} is invalid. Size must be between 0 and ${String(MAX_DOCUMENT_SIZE)}`);
  }
}

function mayBeLarge(doc: Doc): boolean {
  let budget = 10_000;
  const visit = (value: unknown): void => {
    budget -= typeof value === 'string' ? value.length : 16;
    if (budget <= 0 || typeof value !== 'object' || value === null) return;
    const bytes = (value as { buffer?: { byteLength?: number } }).buffer?.byteLength;
    if (typeof bytes === 'number') budget -= bytes;
    else for (const inner of Object.values(value)) visit(inner);
  };
  visit(doc);
  return budget <= 0;
}
