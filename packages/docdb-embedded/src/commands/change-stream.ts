import { UUID } from 'bson';
import { commandScope, compilePipeline } from '../aggregation/pipeline.ts';
import { NO_COLLECTIONS, type PipelineHost } from '../aggregation/pipeline-types.ts';
import { type Doc, isDocument, type Timestamp, type Value } from '../bson/values.ts';
import { compare } from '../bson/compare.ts';
import { decode } from '../bson/decode.ts';
import { DocDbError } from '../errors.ts';
import type { LogEntry } from '../storage/change.ts';
import type { Collection } from '../storage/collection.ts';
import type { Reader } from '../storage/reader.ts';
import type { Store } from '../storage/store.ts';
import { updateDescription } from './change-description.ts';
import { checkChangeStream, readToken, token } from './change-request.ts';
import { type CommandContext, countField, documentField } from './command.ts';
import type { LiveSource } from './cursors.ts';
import { NextCommit } from './next-commit.ts';

/** Events of a first batch. */
const FIRST_EVENTS = 101;
/** Events of an answer. */
const MOST_EVENTS = 10_000;
/** Bytes of documents in the events of one answer. */
const BATCH_BYTES = 8_000_000;
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
 * Opens a change stream.
 *
 * @param ns the watched collection; `undefined` for a database, or for all
 * @throws DocDbError (260, 280, 286, …)
 */
export function openChangeStream(context: CommandContext, pipeline: readonly Value[], ns: string | undefined): Promise<Doc> {
  const { server, database, command } = context;
  const spec = ((pipeline[0] as Doc).$changeStream ?? {}) as Doc;
  checkChangeStream(spec, pipeline.slice(1));
  const rest = pipeline.slice(1).filter((stage) => !('$changeStreamSplitLargeEvent' in (stage as Doc)));
  const host: PipelineHost = { ...NO_COLLECTIONS, ns: ns ?? '' };
  const shape = compilePipeline(rest, { host, scope: commandScope(command.collation, {}) });
  const stream = new ChangeStream(server.store, spec, { ns, database: spec.allChangesForCluster === true ? undefined : database }, (docs) =>
    shape(docs, {}),
  );
  const target = ns ?? `${database}.$cmd.aggregate`;
  const batchSize = countField(documentField(command, 'cursor'), 'batchSize') ?? FIRST_EVENTS;
  return server.cursors.live(target, stream, { batchSize });
}

interface Watched {
  readonly ns: string | undefined;
  readonly database: string | undefined;
}

class ChangeStream implements LiveSource {
  ended = false;
  #position: number;
  #token: Doc;
  readonly waits = true;
  readonly #store: Store;
  readonly #commits: NextCommit;
  readonly #spec: Doc;
  readonly #watched: Watched;
  readonly #shape: (docs: Doc[]) => Doc[];

  constructor(store: Store, spec: Doc, watched: Watched, shape: (docs: Doc[]) => Doc[]) {
    this.#store = store;
    this.#commits = new NextCommit(store);
    this.#spec = spec;
    this.#watched = watched;
    this.#shape = shape;
    this.#position = this.#start();
    this.#token = token(this.#position);
  }

  #start(): number {
    const { resumeAfter, startAfter, startAtOperationTime } = this.#spec;
    const given = resumeAfter ?? startAfter;
    if (given !== undefined && given !== null) {
      const { seq, invalidate } = readToken(given);
      if (invalidate && startAfter === undefined)
        throw new DocDbError(
          260,
          "Attempting to resume a change stream using 'resumeAfter' is not allowed from an invalidate notification.",
        );
      return this.#checked(seq);
    }
    if (startAtOperationTime === undefined) return this.#present();
    return this.#at(startAtOperationTime as Timestamp);
  }

  #present(): number {
    const { reader, release } = this.#store.read();
    release();
    return reader.seq;
  }

  /** The place before the first change at or after a time, if the log reaches back to it. */
  #at(time: Timestamp): number {
    const before = this.#store.log.findLast((entry) => compare(entry.clusterTime, time) < 0);
    if (before) return before.seq;
    const [first] = this.#store.log.after(this.#store.logStart);
    if (first && this.#store.isTrimmed && compare(first.clusterTime, time) > 0) return this.#checked(-1);
    return this.#store.logStart;
  }

  #checked(seq: number): number {
    if (seq < this.#store.logStart || seq > this.#store.seq) {
      throw new DocDbError(286, 'Resume of change stream was not possible, as the resume point may no longer be in the oplog.', {
        errorLabels: ['NonResumableChangeStreamError'],
      });
    }
    return seq;
  }

  extra(): Doc {
    return { postBatchResumeToken: this.#token };
  }

  /** @returns the events since the last call, shaped by the pipeline; at most 16 MB of them */
  take(limit: number): Doc[] {
    if (limit === 0) return [];
    if (this.#position < this.#store.logStart) this.#checked(this.#position);
    const events: Doc[] = [];
    const reading = this.#store.read();
    let bytes = 0;
    try {
      for (const entry of this.#store.log.after(this.#position)) {
        bytes += (entry.after?.length ?? 0) + (entry.before?.length ?? 0);
        if (events.length > 0 && (events.length >= limit || bytes > BATCH_BYTES)) return events;
        this.#position = entry.seq;
        this.#token = token(entry.seq);
        if (!this.#concerns(entry)) continue;
        const event = this.#event(entry, reading.reader);
        if (event) events.push(...this.#checkIds(this.#shape([event])));
        if (this.#invalidates(entry)) {
          this.#token = token(entry.seq, true);
          events.push(
            ...this.#shape([{ _id: this.#token, operationType: 'invalidate', clusterTime: entry.clusterTime, wallTime: entry.wallTime }]),
          );
          this.ended = true;
          return events;
        }
      }
      // What was there when it began to look has been seen.
      this.#position = Math.max(this.#position, reading.reader.seq);
      this.#token = token(this.#position);
      return events;
    } finally {
      reading.release();
    }
  }

  #checkIds(events: Doc[]): Doc[] {
    for (const event of events) {
      if (!isDocument(event._id))
        throw new DocDbError(280, 'Encountered an event whose _id field, which contains the resume token, was modified by the pipeline.', {
          errorLabels: ['NonResumableChangeStreamError'],
        });
    }
    return events;
  }

  async next(waitMs: number, limit: number): Promise<Doc[]> {
    const deadline = Date.now() + waitMs;
    for (;;) {
      const events = this.take(Math.min(limit, MOST_EVENTS));
      const left = deadline - Date.now();
      if (events.length > 0 || left <= 0 || this.ended) return events;
      await this.#commits.within(left);
    }
  }

  stop(): void {
    this.ended = true;
    this.#commits.stop();
  }

  #concerns(entry: LogEntry): boolean {
    const { ns, database } = this.#watched;
    if (ns !== undefined) return entry.ns === ns || (entry.kind === 'dropDatabase' && ns.startsWith(`${entry.ns}.`));
    return database === undefined || entry.ns === database || entry.ns.startsWith(`${database}.`);
  }

  #invalidates(entry: LogEntry): boolean {
    const { ns, database } = this.#watched;
    if (ns !== undefined) return entry.kind === 'drop' || entry.kind === 'rename' || entry.kind === 'dropDatabase';
    return database !== undefined && entry.kind === 'dropDatabase';
  }

  #event(entry: LogEntry, reader: Reader): Doc | undefined {
    if (!BASIC_EVENTS.has(entry.kind) && this.#spec.showExpandedEvents !== true) return undefined;
    if (entry.kind === 'dropDatabase' && this.#watched.ns !== undefined) return undefined;
    const dot = entry.ns.indexOf('.');
    const ns = dot < 0 ? { db: entry.ns } : { db: entry.ns.slice(0, dot), coll: entry.ns.slice(dot + 1) };
    const head: Doc = { _id: token(entry.seq), operationType: entry.kind, clusterTime: entry.clusterTime, wallTime: entry.wallTime };
    const transaction = entry.transaction ? { lsid: entry.transaction.lsid, txnNumber: entry.transaction.number } : {};
    const expanded = this.#spec.showExpandedEvents === true;
    const identity = expanded && entry.uuid !== undefined ? { collectionUUID: new UUID(entry.uuid) } : {};
    return { ...head, ...this.#documents(entry, reader), ns, ...identity, ...this.#details(entry), ...transaction };
  }

  #documents(entry: LogEntry, reader: Reader): Doc {
    if (entry.kind === 'insert' || entry.kind === 'replace') return { fullDocument: imageOf(entry.after), ...this.#before(entry) };
    if (entry.kind === 'delete') return this.#before(entry);
    if (entry.kind !== 'update') return {};
    const { fullDocument } = this.#spec;
    if (fullDocument === 'updateLookup') {
      const collection = reader.collection(entry.ns);
      const record = collection && reader.recordOf(collection, entry.id);
      const stored = record === undefined ? undefined : reader.at(collection as Collection, record);
      return { fullDocument: stored?.doc ?? null, ...this.#before(entry) };
    }
    if (fullDocument === 'whenAvailable' || fullDocument === 'required') {
      return {
        fullDocument: this.#keepsImages(entry) ? imageOf(entry.after) : this.#missingImage(fullDocument, entry),
        ...this.#before(entry),
      };
    }
    return this.#before(entry);
  }

  #before(entry: LogEntry): Doc {
    const { fullDocumentBeforeChange: wanted } = this.#spec;
    if (wanted === undefined || wanted === 'off' || entry.kind === 'insert') return {};
    return { fullDocumentBeforeChange: this.#keepsImages(entry) ? imageOf(entry.before) : this.#missingImage(wanted, entry) };
  }

  #keepsImages(entry: LogEntry): boolean {
    const option = this.#store.newest.collection(entry.ns)?.options.changeStreamPreAndPostImages;
    return isDocument(option) && option.enabled === true;
  }

  #missingImage(wanted: Value, entry: LogEntry): null {
    if (wanted !== 'required') return null;
    throw new DocDbError(
      47,
      `Change stream was configured to require an image for all events, but the image was not found for an event on ${entry.ns}`,
      { errorLabels: ['NonResumableChangeStreamError'] },
    );
  }

  #details(entry: LogEntry): Doc {
    const { kind, details = {} } = entry;
    const expanded = this.#spec.showExpandedEvents === true;
    if (kind === 'rename') return { to: details.to, ...(expanded ? { operationDescription: renameDescription(details) } : {}) };
    if (kind === 'update')
      return {
        documentKey: { _id: entry.id },
        updateDescription: updateDescription(imageOf(entry.before) ?? {}, imageOf(entry.after) ?? {}, expanded),
      };
    if (kind === 'insert' || kind === 'replace' || kind === 'delete') return { documentKey: { _id: entry.id } };
    if (kind === 'create') return { operationDescription: details.options ?? {} };
    if (kind === 'createIndexes' || kind === 'dropIndexes') return { operationDescription: { indexes: [details] } };
    return kind === 'modify' ? { operationDescription: details } : {};
  }
}

function renameDescription({ to, dropTarget }: Doc): Doc {
  return typeof dropTarget === 'string' ? { to, dropTarget: new UUID(dropTarget) } : { to };
}

/** @returns a document of the log */
function imageOf(bytes: Buffer | undefined): Doc | undefined {
  return bytes && decode(bytes);
}
