import { commandScope, commandVars, compilePipeline } from '../aggregation/pipeline.ts';
import { NO_COLLECTIONS, type PipelineHost } from '../aggregation/pipeline-types.ts';
import { type Doc, isDocument, Timestamp, type Value } from '../bson/values.ts';
import { compare, equal } from '../bson/compare.ts';
import type { Encoded } from '../bson/encode.ts';
import { DocDbError } from '../errors.ts';
import type { LogEntry } from '../storage/change.ts';
import { OWN_DATABASES } from '../storage/own-databases.ts';
import type { Reader } from '../storage/reader.ts';
import type { Store } from '../storage/store.ts';
import { changeEvent, isOfView } from './change-event.ts';
import { type ChangeRequest, changeRequest, readToken, token } from './change-request.ts';
import { type CommandContext, countField, documentField } from './command.ts';
import { BATCH_BYTES, type LiveSource } from './open-cursor.ts';
import { splitEvent, wholeEvent } from './split-event.ts';
import { NextCommit } from './next-commit.ts';
import { Operation } from './operation.ts';

/** Events of a first batch. */
const FIRST_EVENTS = 101;
/** Tells clients not to try again. */
const FINAL = { errorLabels: ['NonResumableChangeStreamError'] };

/**
 * Opens a change stream.
 *
 * @param ns the watched collection; `undefined` for a database, or for all
 * @throws DocDbError (260, 280, 286, and those of {@link changeRequest})
 */
export function openChangeStream(context: CommandContext, pipeline: readonly Value[], ns: string | undefined): Promise<Doc> {
  const { server, database, command } = context;
  const request = changeRequest(context, pipeline, ns);
  const host: PipelineHost = { ...NO_COLLECTIONS, ns: ns ?? '' };
  const vars = commandVars(command.let);
  const { run: shape } = compilePipeline(request.stages, { host, scope: commandScope(command.collation, vars) });
  const watched = { ns, database: request.spec.allChangesForCluster === true ? undefined : database };
  const stream = new ChangeStream(server.store, request, watched, (docs) => shape(docs, vars));
  const batchSize = countField(documentField(command, 'cursor'), 'batchSize') ?? FIRST_EVENTS;
  return server.cursors.live(ns ?? `${database}.$cmd.aggregate`, stream, { batchSize, operation: context.operation });
}

interface Watched {
  readonly ns: string | undefined;
  readonly database: string | undefined;
}

/** Events that wait for room in an answer. */
interface Waiting {
  /** Without one only the end of the stream is noted. */
  readonly event: Encoded | undefined;
  /** Where a stream goes on that has seen it. */
  readonly token: Doc;
  /** Whether it is the last one of its stream. */
  readonly last: boolean;
}

/** What an answer has so far. */
interface Batch {
  readonly events: Encoded[];
  bytes: number;
  readonly limit: number;
}

class ChangeStream implements LiveSource {
  ended = false;
  #position: number;
  #token: Doc;
  #waiting: Waiting[] = [];
  /** Parts of the event behind its place that were seen before. */
  #seen = 0;
  readonly waits = true;
  readonly #store: Store;
  readonly #commits: NextCommit;
  readonly #spec: Doc;
  readonly #splits: boolean;
  readonly #watched: Watched;
  readonly #shape: (docs: Doc[]) => Doc[];

  constructor(store: Store, { spec, splits }: ChangeRequest, watched: Watched, shape: (docs: Doc[]) => Doc[]) {
    this.#store = store;
    this.#commits = new NextCommit(store);
    this.#spec = spec;
    this.#splits = splits;
    this.#watched = watched;
    this.#shape = shape;
    this.#position = this.#start();
    this.#token = givenToken(spec) ?? token(this.#position, { kind: 'reached' });
  }

  #start(): number {
    const { startAfter, startAtOperationTime } = this.#spec;
    const given = givenToken(this.#spec);
    if (given) {
      const { seq, kind, fragment } = readToken(given);
      if (kind === 'invalidate' && (startAfter === undefined || startAfter === null))
        throw new DocDbError(
          260,
          "Attempting to resume a change stream using 'resumeAfter' is not allowed from an invalidate notification.",
        );
      this.#seen = fragment;
      this.#checked(seq);
      const entry = kind === 'reached' ? undefined : this.#ownChange(seq);
      // A part is followed by the others of its event.
      if (fragment > 0) return this.#checked(seq - 1);
      if (entry && kind === 'event') this.#oweEnd(entry);
      return seq;
    }
    // What is written but not acknowledged comes behind its opening: its writer can not know that it was there before.
    if (startAtOperationTime === undefined || startAtOperationTime === null) return this.#store.acknowledged;
    return this.#at(startAtOperationTime as Timestamp);
  }

  /** @returns the change that a token was told with; `undefined` where the log begins behind it. Throws 280 for one that is not watched */
  #ownChange(seq: number): LogEntry | undefined {
    const [entry] = this.#store.log.after(seq - 1);
    if (entry?.seq !== seq) return undefined;
    if (this.#concerns(entry)) return entry;
    throw new DocDbError(
      280,
      `cannot resume stream; the resume token is that of a change of ${entry.ns}, which is not watched here`,
      FINAL,
    );
  }

  /** What was read up to an event that ends streams is ended all the same. */
  #oweEnd(entry: LogEntry): void {
    const { reader, release } = this.#store.read();
    try {
      this.#waiting = this.#eventsOf(entry, reader).filter(({ last }) => last);
    } finally {
      release();
    }
  }

  /** The place before the first change at or after a time, if the log reaches back to it. */
  #at(time: Timestamp): number {
    const { log, logStart, isTrimmed, seq } = this.#store;
    const before = log.lastBefore(time, logStart, seq);
    if (before === logStart && isTrimmed) {
      const [first] = log.after(logStart);
      if (first && compare(first.clusterTime, time) > 0) return this.#checked(-1);
    }
    return before;
  }

  #checked(seq: number): number {
    if (seq < this.#store.logStart || seq > this.#store.seq) {
      throw new DocDbError(286, 'Resume of change stream was not possible, as the resume point may no longer be in the oplog.', FINAL);
    }
    return seq;
  }

  extra(): Doc {
    return { postBatchResumeToken: this.#token };
  }

  /** @returns the events since the last call, shaped by the pipeline: as many as an answer has room for */
  async #take(limit: number): Promise<Encoded[]> {
    const batch: Batch = { events: [], bytes: 0, limit };
    const operation = new Operation();
    if (limit === 0 || !this.#fill(batch)) return batch.events;
    // Others have their turn while a long log is gone through.
    while (operation.during(() => this.#takeSome(batch, operation)) && !this.ended) await operation.turn();
    return batch.events;
  }

  /** @returns whether there may be more, and room for it */
  #takeSome(batch: Batch, operation: Operation): boolean {
    if (this.#position < this.#store.logStart) this.#checked(this.#position);
    const reading = this.#store.read();
    try {
      for (const entry of this.#store.log.after(this.#position)) {
        this.#position = entry.seq;
        if (this.#concerns(entry)) this.#waiting = this.#eventsOf(entry, reading.reader);
        if (this.#waiting.length === 0) this.#token = token(entry.seq, { kind: 'reached' });
        this.#seen = 0;
        if (!this.#fill(batch)) return false;
        if (operation.isLong) return true;
      }
      // What was there when it began to look has been seen.
      this.#position = Math.max(this.#position, reading.reader.seq);
      // The token of an event stays until there is more behind it: with the last event of an answer, clients show one token for both.
      if (this.#position > readToken(this.#token).seq) this.#token = token(this.#position, { kind: 'reached' });
      return false;
    } finally {
      reading.release();
    }
  }

  /** @returns whether there is room for more */
  #fill(batch: Batch): boolean {
    const { events, limit } = batch;
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const bytes = batch.bytes + (next.event?.bytes.length ?? 0);
      if (events.length >= limit || (events.length > 0 && bytes > BATCH_BYTES)) return false;
      batch.bytes = bytes;
      if (next.event) events.push(next.event);
      this.#waiting.shift();
      this.#token = next.token;
      this.ended ||= next.last;
      if (next.last) return false;
    }
    return events.length < limit;
  }

  #eventsOf(entry: LogEntry, reader: Reader): Waiting[] {
    const id = token(entry.seq);
    const event = changeEvent(entry, reader, this.#spec, this.#watched.ns);
    const events = (event ? this.#shape([event]) : []).flatMap((shaped) => {
      checkId(shaped, id);
      if (!this.#splits) return [{ event: wholeEvent(shaped), token: id, last: false }];
      const parts = splitEvent(shaped, (fragment) => token(entry.seq, { fragment }));
      return parts.slice(parts.length > 1 ? this.#seen : 0).map((part, at, all) => ({
        event: part,
        token: parts.length === 1 || at === all.length - 1 ? id : token(entry.seq, { fragment: parts.length - all.length + at + 1 }),
        last: false,
      }));
    });
    if (!this.#invalidates(entry)) return events;
    const end = token(entry.seq, { kind: 'invalidate' });
    const { clusterTime, wallTime } = entry;
    const last = this.#shape([{ _id: end, operationType: 'invalidate', clusterTime, wallTime }]);
    for (const shaped of last) checkId(shaped, end);
    return [...events, { event: last[0] && wholeEvent(last[0]), token: end, last: true }];
  }

  async next(waitMs: number, limit: number): Promise<Encoded[]> {
    const deadline = Date.now() + waitMs;
    try {
      for (;;) {
        const left = deadline - Date.now();
        // What is written while it looks is not missed.
        const written = this.#commits.within(left);
        const events = await this.#take(limit);
        if (events.length > 0 || left <= 0 || this.ended) return events;
        await written;
      }
    } finally {
      this.#commits.stop();
    }
  }

  stop(): void {
    this.ended = true;
    this.#commits.stop();
  }

  #concerns(entry: LogEntry): boolean {
    const { ns, database } = this.#watched;
    const { startAtOperationTime: from, showSystemEvents: system } = this.#spec;
    if (from instanceof Timestamp && compare(entry.clusterTime, from) < 0) return false;
    const names = [entry.ns, ...(entry.kind === 'rename' ? [targetOf(entry)] : [])];
    if (ns !== undefined && isOfView(entry)) return false;
    if (ns !== undefined) return names.includes(ns) || (entry.kind === 'dropDatabase' && ns.startsWith(`${entry.ns}.`));
    const [own = entry.ns] = entry.ns.split('.');
    if (system !== true && entry.ns.startsWith(`${own}.system.`)) return false;
    return database === undefined ? !OWN_DATABASES.has(own) : own === database;
  }

  #invalidates(entry: LogEntry): boolean {
    const { ns, database } = this.#watched;
    if (ns !== undefined) return entry.kind === 'drop' || entry.kind === 'rename' || entry.kind === 'dropDatabase';
    return database !== undefined && entry.kind === 'dropDatabase';
  }
}

/** @returns what a stream is to go on behind */
function givenToken({ resumeAfter, startAfter }: Doc): Doc | undefined {
  const given = resumeAfter ?? startAfter;
  return isDocument(given) ? given : undefined;
}

/** @throws DocDbError (280) for an event that a stream could not be resumed from */
function checkId(event: Doc, id: Doc): void {
  if (equal(event._id, id)) return;
  throw new DocDbError(
    280,
    'Encountered an event whose _id field, which contains the resume token, was modified by the pipeline. Modifying the _id field of an ' +
      'event makes it impossible to resume the stream from that point. Only transformations that retain the unmodified _id field are allowed.',
    FINAL,
  );
}

/** @returns the name that a collection was given */
function targetOf({ details }: LogEntry): string {
  const to = details?.to;
  return isDocument(to) ? `${String(to.db)}.${String(to.coll)}` : '';
}
