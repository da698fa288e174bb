import type { Doc } from '../bson/values.ts';

/** Bytes of stored documents that are kept decoded. */
const BUDGET: number = 16 * 1024 * 1024;

interface Kept {
  readonly version: number;
  readonly doc: Doc;
}

/** Decoded documents, those used last: two halves, of which the older one is given up when the younger is full. */
export class DocumentCache {
  #young = new Map<string, Kept>();
  #old = new Map<string, Kept>();
  #bytes = 0;

  /** @returns the document of a record if it was decoded in this version */
  get(key: string, version: number): Doc | undefined {
    const kept = this.#young.get(key) ?? this.#old.get(key);
    return kept?.version === version ? kept.doc : undefined;
  }

  set(key: string, version: number, doc: Doc, bytes: number): void {
    this.#young.set(key, { version, doc });
    this.#bytes += bytes;
    if (this.#bytes < BUDGET / 2) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#bytes = 0;
  }
}
