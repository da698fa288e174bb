import type { Collator } from '../bson/collation.ts';
import { copyOf } from '../bson/fields.ts';
import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { EMPTY_ARRAY_KEY } from '../query/path-values.ts';
import { type Score, type SortKey, sortKeysOf } from '../query/sort.ts';
import type { SpecialForm } from './form-parts.ts';

/** What a search found out about a document. */
export interface Metadata {
  readonly textScore?: Value;
  readonly geoNearDistance?: Value;
  readonly geoNearPoint?: Value;
  /** The key of the index by which it was found. */
  readonly indexKey?: Doc;
  /** Its number in the collection. */
  readonly recordId?: Value;
  /** The values that it was sorted by. */
  readonly sortKey?: readonly Value[];
  /** What the places of a document in several rankings come to, and how. */
  readonly score?: Value;
  readonly scoreDetails?: Value;
}

/** Holds it: not a field, and copied with the document's fields. */
const METADATA = Symbol('what a search found out');

interface Described {
  [METADATA]?: Metadata;
}

/** @returns the document, with what a search found out about it beside what is known of it already */
export function withMetadata(doc: Doc, metadata: Metadata): Doc {
  const described: Doc & Described = copyOf(doc);
  described[METADATA] = { ...metadataOf(doc), ...metadata };
  return described;
}

/** @returns what a search found out about a document */
export function metadataOf(doc: Value): Metadata | undefined {
  return typeof doc === 'object' && doc !== null && METADATA in doc ? (doc as Described)[METADATA] : undefined;
}

/** @returns a document that is made of another one, with what was found out about that */
export function keepMetadata(from: Doc, to: Doc): Doc {
  const metadata = metadataOf(from);
  return metadata ? withMetadata(to, metadata) : to;
}

/** What only other searches find out: it is missing here. */
const NEVER: ReadonlySet<Value> = new Set([
  'randVal',
  'searchScore',
  'searchHighlights',
  'searchScoreDetails',
  'searchSequenceToken',
  'searchRootDocumentId',
  'vectorSearchScore',
]);
const KNOWN: Readonly<Record<string, keyof Metadata>> = {
  textScore: 'textScore',
  geoNearDistance: 'geoNearDistance',
  geoNearPoint: 'geoNearPoint',
  indexKey: 'indexKey',
  recordId: 'recordId',
  sortKey: 'sortKey',
  score: 'score',
  scoreDetails: 'scoreDetails',
};
/** What is missing of a document that was not found in that way. */
const MAY_BE_MISSING: ReadonlySet<Value> = new Set(['indexKey', 'recordId']);
/** What is found out only where an expression asks for it. */
const ON_DEMAND: ReadonlySet<Value> = new Set([...MAY_BE_MISSING, 'sortKey']);

/** @returns what expressions ask for that is found out on demand */
export function askedMetadata(expressions: Value): ReadonlySet<Value> {
  const asked = new Set<Value>();
  const look = (value: Value): void => {
    if (Array.isArray(value)) for (const entry of value as Value[]) look(entry);
    else if (isDocument(value))
      for (const name of Object.keys(value)) {
        const operand = value[name];
        if (name === '$meta' && ON_DEMAND.has(operand)) asked.add(operand);
        else look(operand);
      }
  };
  look(expressions);
  return asked;
}

/** @returns the place of the last stage that asks for the values that documents were sorted by; -1 where none does */
export function lastAskingForSortKey(stages: readonly Value[]): number {
  return stages.findLastIndex((stage) => askedMetadata(stage).has('sortKey'));
}

/**
 * The values that a document is sorted by, as `$meta: 'sortKey'` shows them: null for what is missing and for an empty list.
 *
 * @throws DocDbError (115) where a collation decides: a server shows what its own tables make of texts
 */
export function shownSortKey(doc: Doc, keys: readonly SortKey[], collator: Collator | undefined, score: Score): readonly Value[] {
  if (collator) throw new DocDbError(115, "{ $meta: 'sortKey' } with a collation is not supported by this database");
  return sortKeysOf(doc, keys, undefined, score).map((value) => (value === EMPTY_ARRAY_KEY ? null : (value ?? null)));
}

/** @throws DocDbError (17307, 17308, 115) for what nobody finds out */
export function checkMeta(name: Value): void {
  if (typeof name !== 'string') throw new DocDbError(17307, '$meta only supports string arguments');
  if (Object.hasOwn(KNOWN, name) || NEVER.has(name)) return;
  if (name === 'stream') throw new DocDbError(115, `{ $meta: '${name}' } is not supported by this database`);
  throw new DocDbError(17308, `Unsupported argument to $meta: ${name}`);
}

/** @returns what was found out about a document. @throws DocDbError (40218) where nothing looked for it */
export function readMeta(name: Value, doc: Value): Value {
  const key = typeof name === 'string' && Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
  if (!key) return undefined;
  const metadata = metadataOf(doc);
  // What another branch than the search found has no score of it.
  const isKnown = metadata !== undefined && key in metadata;
  if (metadata?.[key] === undefined && (isKnown || MAY_BE_MISSING.has(name))) return undefined;
  if (metadata?.[key] === undefined) throw new DocDbError(40218, `query requires ${String(name)} metadata, but it is not available`);
  return metadata[key];
}

/** `$meta`: what the search that began the pipeline found out. */
export const meta: SpecialForm = (operand) => {
  checkMeta(operand);
  return ({ root }) => readMeta(operand, root);
};

/** What a sort compares where it asks for what a search found out. */
export function sortedMeta(doc: Doc, { meta: name = 'textScore' }: SortKey): Value {
  return readMeta(name, doc);
}
