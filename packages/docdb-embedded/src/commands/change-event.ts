import { UUID } from 'bson';
import { decode } from '../bson/decode.ts';
import { wholeOption } from '../bson/rounding.ts';
import { type Doc, isDocument, isNumber, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import type { LogEntry } from '../storage/change.ts';
import { idIndexSpec } from '../storage/collection.ts';
import type { Reader } from '../storage/reader.ts';
import { differencesAt, updateDescription } from './change-description.ts';
import { token } from './change-request.ts';
import { type Difference, documentDifferences } from './document-diff.ts';

/** Events that every stream shows. */
const BASIC_EVENTS: ReadonlySet<string> = new Set([
  'insert',
  'update',
  'replace',
  'delete',
  'drop',
  'rename',
  'dropDatabase',
  'invalidate',
]);

/**
 * What a change stream shows of a change.
 *
 * @param spec options of the stream
 * @param watched the watched collection, if it is one
 * @returns `undefined` for a change that it does not show
 * @throws DocDbError (47) for an image that is required and was not kept
 */
export function changeEvent(logged: LogEntry, reader: Reader, spec: Doc, watched: string | undefined): Doc | undefined {
  const differences = logged.kind === 'update' ? differencesOf(logged) : [];
  const entry: LogEntry = differences ? logged : { ...logged, kind: 'replace' };
  if (!BASIC_EVENTS.has(entry.kind) && spec.showExpandedEvents !== true) return undefined;
  if (entry.kind === 'dropDatabase' && watched !== undefined) return undefined;
  const isView = isOfView(entry);
  if (isView && spec.showExpandedEvents !== true) return undefined;
  const dot = entry.ns.indexOf('.');
  const ns = dot < 0 ? { db: entry.ns } : { db: entry.ns.slice(0, dot), coll: entry.ns.slice(dot + 1) };
  const head: Doc = { _id: token(entry.seq), operationType: entry.kind, clusterTime: entry.clusterTime, wallTime: entry.wallTime };
  const transaction = entry.transaction ? { lsid: entry.transaction.lsid, txnNumber: entry.transaction.number } : {};
  const expanded = spec.showExpandedEvents === true;
  const identity = expanded && entry.uuid !== undefined ? { collectionUUID: new UUID(entry.uuid) } : {};
  return { ...head, ...documents(entry, reader, spec), ns, ...identity, ...detailsOf(entry, spec, differences ?? []), ...transaction };
}

/** @returns what an update changed; `undefined` for one that is shown as a replacement */
function differencesOf({ before: old, after, details }: LogEntry): readonly Difference[] | undefined {
  const [from, to] = [imageOf(old) ?? {}, imageOf(after) ?? {}];
  return details?.paths === undefined ? documentDifferences(from, to) : differencesAt(details.paths as string[], from, to);
}

function documents(entry: LogEntry, reader: Reader, spec: Doc): Doc {
  if (entry.kind === 'insert' || entry.kind === 'replace') return { fullDocument: imageOf(entry.after), ...before(entry, spec) };
  if (entry.kind === 'delete') return before(entry, spec);
  if (entry.kind !== 'update') return {};
  const { fullDocument } = spec;
  if (fullDocument === 'updateLookup') {
    return { fullDocument: present(entry, reader) ?? null, ...before(entry, spec) };
  }
  if (fullDocument === 'whenAvailable' || fullDocument === 'required') {
    return {
      fullDocument: entry.images === true ? imageOf(entry.after) : missingImage(fullDocument, entry),
      ...before(entry, spec),
    };
  }
  return before(entry, spec);
}

function before(entry: LogEntry, spec: Doc): Doc {
  const wanted = spec.fullDocumentBeforeChange ?? 'off';
  if (wanted === 'off' || entry.kind === 'insert') return {};
  return { fullDocumentBeforeChange: entry.images === true ? imageOf(entry.before) : missingImage(wanted, entry) };
}

/** @throws DocDbError (47) where it is required */
function missingImage(wanted: Value, entry: LogEntry): null {
  if (wanted !== 'required') return null;
  throw new DocDbError(
    47,
    `Change stream was configured to require an image for all events, but the image was not found for an event on ${entry.ns}`,
    { errorLabels: ['NonResumableChangeStreamError'] },
  );
}

function detailsOf(entry: LogEntry, spec: Doc, differences: readonly Difference[]): Doc {
  const { kind, details = {} } = entry;
  const expanded = spec.showExpandedEvents === true;
  if (kind === 'rename') return { to: details.to, ...(expanded ? { operationDescription: renameDescription(details) } : {}) };
  if (kind === 'update') return { documentKey: { _id: entry.id }, updateDescription: updateDescription(differences, expanded) };
  if (kind === 'insert' || kind === 'replace' || kind === 'delete') return { documentKey: { _id: entry.id } };
  if (kind === 'create') return creation(isDocument(details.options) ? details.options : {});
  if (kind === 'createIndexes' || kind === 'dropIndexes') return { operationDescription: { indexes: details.specs ?? [details] } };
  if (kind !== 'modify') return {};
  return { operationDescription: details.changes, ...(details.view === true ? {} : { stateBeforeChange: details.before }) };
}

/** What was made: a view, or a collection with the index of its ids. */
function creation(options: Doc): Doc {
  if (options.viewOn !== undefined) return { operationDescription: options, nsType: 'view' };
  const { clusteredIndex: clustered, expireAfterSeconds: seconds } = options;
  const index = isDocument(clustered)
    ? { clusteredIndex: { v: 2, key: { _id: 1 }, name: '_id_', unique: true, ...clustered } }
    : { idIndex: idIndexSpec(options) };
  const expires = isNumber(seconds) ? { expireAfterSeconds: BigInt(wholeOption(seconds)) } : {};
  return { operationDescription: { ...options, ...expires, ...index }, nsType: 'collection' };
}

/** @returns whether a change is one of a view: only streams of more than one collection show it, and those that show all events */
export function isOfView({ kind, details }: LogEntry): boolean {
  return details?.view === true || (kind === 'create' && isDocument(details?.options) && details.options.viewOn !== undefined);
}

function renameDescription({ to, dropTarget }: Doc): Doc {
  return typeof dropTarget === 'string' ? { to, dropTarget: new UUID(dropTarget) } : { to };
}

/** @returns a document of the log */
function imageOf(bytes: Buffer | undefined): Doc | undefined {
  return bytes && decode(bytes);
}

/** @returns the document as it is by now, in its collection: that may have another name by now, and another one its name */
function present({ ns, uuid, id }: LogEntry, reader: Reader): Doc | undefined {
  const named = reader.collection(ns);
  // Most keep their names: of the others all are looked through.
  const collection = named?.uuid === uuid ? named : reader.withIdentity(uuid);
  const record = collection && reader.recordOf(collection, id);
  return collection && record !== undefined ? reader.at(collection, record)?.doc : undefined;
}
