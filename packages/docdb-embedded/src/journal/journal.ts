import {
  closeSync,
  existsSync,
  fdatasync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { decode } from '../bson/decode.ts';
import { encode } from '../bson/encode.ts';
import type { Doc } from '../bson/values.ts';
import type { Change } from '../storage/change.ts';
import { Collection, idKey } from '../storage/collection.ts';
import type { ChangeSink, Store } from '../storage/store.ts';
import { frame, MAGIC, scanFrames } from './frames.ts';

/** When acknowledged writes are forced to the disk itself; a killed process loses nothing with any of them. */
export type SyncPolicy = 'always' | 'interval' | 'never';

/** How a journal is kept. */
export interface JournalOptions {
  /** Folder of the database. */
  readonly path: string;
  readonly sync: SyncPolicy;
  /** Whether damage in the middle of a file is accepted: everything behind it is given up. */
  readonly repair: boolean;
}

/** Milliseconds between forced writes with the policy `interval`. */
const SYNC_INTERVAL = 100;
/** Journal bytes, beyond twice the snapshot's, that start a new snapshot. */
const COMPACT_AFTER: number = 64 * 1024 * 1024;
/** Documents in one frame of a snapshot. */
const SNAPSHOT_BATCH = 500;

/**
 * Keeps a store in a folder: a snapshot, and a journal of all changes since. The changes of one commit are one frame with
 * a checksum, so after a crash a commit is there whole or not at all.
 */
export class Journal implements ChangeSink {
  readonly #options: JournalOptions;
  readonly #store: Store;
  #generation = 0;
  #file = -1;
  #buffered: Buffer[] = [];
  #size = 0;
  #snapshotSize = 0;
  #dirty = false;
  #timer: NodeJS.Timeout | undefined;
  #syncing: Promise<void> | undefined;
  #reading = false;

  constructor(store: Store, options: JournalOptions) {
    this.#store = store;
    this.#options = options;
  }

  /**
   * Reads the folder into the store and begins to keep its changes.
   *
   * @returns what was done to the files, for the log
   * @throws Error when a file is damaged otherwise than by a crash
   */
  open(): string[] {
    const { path } = this.#options;
    mkdirSync(path, { recursive: true });
    const notes: string[] = [];
    const generations = readdirSync(path)
      .map((name) => /^(?:snapshot|journal)-(\d+)\.docdb$/.exec(name)?.[1])
      .filter((number) => number !== undefined)
      .map(Number);
    const snapshots = generations.filter((number) => existsSync(this.#snapshotPath(number)));
    this.#generation = snapshots.length > 0 ? Math.max(...snapshots) : 0;
    this.#reading = true;
    this.#readFile(this.#snapshotPath(this.#generation), notes);
    const length = this.#readFile(this.#journalPath(this.#generation), notes);
    this.#reading = false;
    for (const number of generations) if (number < this.#generation) this.#removeGeneration(number);
    this.#openFile(length);
    this.#store.sink = this;
    if (this.#options.sync === 'interval') {
      this.#timer = setInterval(() => {
        void this.#sync();
      }, SYNC_INTERVAL);
      this.#timer.unref();
    }
    return notes;
  }

  #snapshotPath(generation: number): string {
    return join(this.#options.path, `snapshot-${String(generation)}.docdb`);
  }

  #journalPath(generation: number): string {
    return join(this.#options.path, `journal-${String(generation)}.docdb`);
  }

  #removeGeneration(generation: number): void {
    rmSync(this.#snapshotPath(generation), { force: true });
    rmSync(this.#journalPath(generation), { force: true });
  }

  /** @returns the length of the sound part */
  #readFile(path: string, notes: string[]): number {
    if (!existsSync(path)) return 0;
    const bytes = readFileSync(path);
    const scan = scanFrames(bytes);
    if (scan.damaged && !this.#options.repair) {
      throw new Error(
        `${path} is damaged at byte ${String(scan.goodLength)}, with sound changes behind it. Restore a copy, or start once with the repair option to give up everything behind that byte`,
      );
    }
    if (scan.torn)
      notes.push(
        `${path}: an incomplete write of ${String(bytes.length - scan.goodLength)} bytes at the end was never acknowledged and is cut off`,
      );
    for (const content of scan.frames) for (const operation of decode(content).o as Doc[]) replay(this.#store, operation);
    return scan.goodLength;
  }

  #openFile(length: number): void {
    this.#file = openSync(this.#journalPath(this.#generation), length === 0 ? 'w' : 'r+');
    if (length === 0) {
      writeSync(this.#file, MAGIC);
      fsyncSync(this.#file);
      syncFolder(this.#options.path);
    } else ftruncateSync(this.#file, length);
    this.#size = Math.max(length, MAGIC.length);
  }

  /** Takes the changes of one commit. */
  append(changes: readonly Change[]): void {
    if (this.#reading) return;
    this.#buffered.push(frame(encode({ o: changes.map(toOperation) })));
  }

  /**
   * Writes what was taken. Called before a command is answered.
   *
   * @param forced whether the client asked for the disk itself (`j: true`)
   * @throws Error of the file system
   */
  async flush(forced: boolean): Promise<void> {
    if (this.#buffered.length > 0) {
      const bytes = Buffer.concat(this.#buffered);
      this.#buffered = [];
      writeAll(this.#file, bytes, this.#size);
      this.#size += bytes.length;
      this.#dirty = true;
      if (this.#size > COMPACT_AFTER && this.#size > this.#snapshotSize * 2) this.compact();
    }
    if (this.#dirty && (forced || this.#options.sync === 'always')) await this.#sync();
  }

  /** One forced write serves all who wait for it; those who come while it runs get the next one. */
  async #sync(): Promise<void> {
    if (!this.#dirty) return;
    if (this.#syncing) await this.#syncing;
    if (!this.#dirty) return;
    this.#syncing ??= new Promise<void>((resolve, reject) => {
      this.#dirty = false;
      fdatasync(this.#file, (error) => {
        this.#syncing = undefined;
        if (error) {
          this.#dirty = true;
          reject(error);
        } else resolve();
      });
    });
    await this.#syncing;
  }

  /** Writes the whole store as a new snapshot and begins an empty journal. */
  compact(): void {
    const next = this.#generation + 1;
    const temporary = `${this.#snapshotPath(next)}.tmp`;
    const file = openSync(temporary, 'w');
    let size = writeSync(file, MAGIC);
    for (const operations of snapshotOperations(this.#store)) size += writeAll(file, frame(encode({ o: operations })), size);
    fsyncSync(file);
    closeSync(file);
    renameSync(temporary, this.#snapshotPath(next));
    syncFolder(this.#options.path);
    const old = this.#generation;
    closeSync(this.#file);
    this.#generation = next;
    this.#snapshotSize = size;
    this.#openFile(0);
    this.#dirty = false;
    this.#removeGeneration(old);
  }

  /** Writes everything, and a new snapshot when the journal has grown large beside it. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush(true);
    if (this.#syncing) await this.#syncing;
    if (this.#size > Math.max(this.#snapshotSize, 1024 * 1024)) this.compact();
    closeSync(this.#file);
    this.#store.sink = undefined;
  }
}

function writeAll(file: number, bytes: Buffer, position: number): number {
  let written = 0;
  while (written < bytes.length) written += writeSync(file, bytes, written, bytes.length - written, position + written);
  return written;
}

/** A new name in a folder is safe only once the folder itself is written. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

function toOperation(change: Change): Doc {
  switch (change.kind) {
    case 'insert':
    case 'update':
    case 'replace':
      return { k: 'put', n: change.ns, d: change.doc };
    case 'delete':
      return { k: 'del', n: change.ns, i: change.id };
    case 'rename': {
      const to = (change.details?.to ?? {}) as { readonly db?: string; readonly coll?: string };
      return { k: 'rename', n: change.ns, to: `${String(to.db)}.${String(to.coll)}` };
    }
    default:
      return {
        k: change.kind,
        n: change.ns,
        ...change.details,
        ...(change.kind === 'createIndexes' || change.kind === 'dropIndexes' ? { s: change.details } : {}),
      };
  }
}

function replay(store: Store, operation: Doc): void {
  const ns = operation.n as string;
  const collection = store.collections.get(ns);
  switch (operation.k) {
    case 'put': {
      const doc = operation.d as Doc;
      collection?.apply(idKey(doc._id), doc, 0, false);
      return;
    }
    case 'del':
      collection?.apply(idKey(operation.i), null, 0, false);
      return;
    case 'create':
      store.collections.set(ns, new Collection(ns, operation.options as Doc, operation.uuid as string));
      return;
    case 'drop':
      store.collections.delete(ns);
      return;
    case 'rename':
      if (!collection) return;
      store.collections.delete(ns);
      collection.ns = operation.to as string;
      store.collections.set(collection.ns, collection);
      return;
    case 'createIndexes':
      collection?.buildIndex(operation.s as Doc);
      return;
    case 'dropIndexes':
      collection?.indexes.delete((operation.s as Doc).name as string);
      return;
    case 'modify':
      if (collection) Object.assign(collection.options, operation.options);
      return;
    default:
  }
}

function* snapshotOperations(store: Store): Generator<Doc[]> {
  for (const collection of store.collections.values()) {
    yield [{ k: 'create', n: collection.ns, options: collection.options, uuid: collection.uuid }];
    let batch: Doc[] = [];
    for (const record of collection.records.values()) {
      if (!record.doc) continue;
      batch.push({ k: 'put', n: collection.ns, d: record.doc });
      if (batch.length < SNAPSHOT_BATCH) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
    for (const index of collection.indexes.values())
      if (index.name !== '_id_') yield [{ k: 'createIndexes', n: collection.ns, s: index.spec }];
  }
}
