import { closeSync, fdatasync, fstatSync, openSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { open, type Database, type RootDatabase, type Transaction as LmdbReader } from 'lmdb';
import { DocDbError } from '../errors.ts';
import { checkDataFile, FIRST_TABLE } from './data-file.ts';
import { HeldStates } from './held-states.ts';
import type { Pace } from './pace.ts';
import { MAX_READERS } from './reader-table.ts';
import { holdLargestValue } from './reading-buffer.ts';
import { SizeLimit } from './size-limit.ts';
import type { SyncPolicy } from './sync-policy.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { ANY_TIME, type Waiting, WriteLock } from './write-lock.ts';
import { WriteMemory } from './write-memory.ts';
import { ENTRIES, type PassingBytes, passingBytes, type ReadForm, RECORDS, SETS, UNREAD } from './table-forms.ts';

/** How a folder is opened. */
export interface EngineOptions {
  /** Folder; without one the data lives in a temporary one for as long as the process does. */
  readonly path: string | undefined;
  readonly sync: SyncPolicy;
  /** Largest size of the file in bytes. */
  readonly maxSize: number | undefined;
}

/** A database of bytes by bytes, in the order of the bytes of its keys. */
export type Table = Database<Buffer, Buffer>;
/** Tables whose keys begin with a number, that of a collection or of an index. */
export type NumberedTable = 'documents' | 'indexes';
/** The documents once more: their numbers and, without a copy, their bytes. */
export type DocumentTable = Database<PassingBytes, Buffer | number>;
/** Keys of indexes, and the documents that each leads to, in their order. */
export type EntryTable = Database<number, Buffer>;
/** A state that can be read for as long as it is held. */
export type ReadState = LmdbReader;

const BINARY = { encoding: 'binary', keyEncoding: 'binary' } as const;
/**
 * Pages of half the usual size, and a map that is made and given back in pieces: what lies in memory of the file is bounded
 * (8,191 pieces of 32 KB) whatever its size, and a file that grows is not mapped again beside its old maps. Where the
 * system maps larger pieces only, the file is mapped as a whole.
 */
const SMALL_PAGES = process.platform === 'darwin' || (process.platform === 'linux' && process.arch === 'x64');
const PAGE_SIZE = 2048;
/**
 * Free pages that LMDB looks at before it makes the file larger: 50,000 are its own. Each commit checks them all, in a time that grows with their
 * square where pages were given up in no order, as those of many large documents are.
 */
const FREE_PAGES = { maxFreeSpaceToLoad: 10_000 };
/** The file of a folder that has the data. */
export const DATA_FILE = 'data.mdb';
/** A disk with less room than this is full. */
const FULL = 1_048_576;

/**
 * Bytes on disk, by LMDB: tables, one writer at a time, states for readers that never wait. What waits to be written
 * together is committed, and synced, together.
 */
export class Engine {
  readonly system: Table;
  readonly documents: Table;
  readonly passing: DocumentTable;
  /** The documents' numbers by the keys of indexes; a key has as many as there are documents with it. */
  readonly entries: EntryTable;
  /** The same with their keys, and as bytes. */
  readonly pairs: Table;
  /** Largest size of the file in bytes. */
  readonly maxSize: number | undefined;
  readonly log: Table;
  readonly retries: Table;
  /** Documents that searches have looked at since it was opened. */
  examined = 0;
  /** Who may log in. */
  readonly users: Table;
  /** What the commit that is being made has LMDB keep in mind. */
  readonly memory: WriteMemory;
  /** While it is held, nothing is written. */
  readonly lock: WriteLock = new WriteLock();
  readonly #numbered: Readonly<Record<NumberedTable, Table>>;
  readonly #root: RootDatabase<Buffer, Buffer>;
  readonly #path: string;
  readonly #limit: SizeLimit | undefined;
  readonly #temporary: boolean;
  readonly #file: number;
  readonly #held: HeldStates | undefined;
  #failure: DocDbError | undefined;
  #writing = false;

  constructor({ path, sync, maxSize }: EngineOptions) {
    this.#path = path ?? temporaryFolder();
    this.maxSize = maxSize;
    if (path !== undefined) checkDataFile(join(path, DATA_FILE));
    this.#root = open<Buffer, Buffer>({
      path: this.#path,
      maxDbs: 8,
      maxReaders: MAX_READERS,
      // Else a commit would be acknowledged before it is on the disk.
      overlappingSync: path !== undefined && sync === 'interval',
      noSync: path === undefined || sync === 'never',
      eventTurnBatching: false,
      remapChunks: SMALL_PAGES,
      ...(SMALL_PAGES ? { pageSize: PAGE_SIZE } : {}),
      ...FREE_PAGES,
      ...BINARY,
    });
    holdLargestValue(this.#root);
    const table = (name: string, form: object = {}): Table => this.#root.openDB<Buffer, Buffer>({ name, ...form, ...BINARY });
    [this.system, this.documents, this.log, this.retries, this.users] = [
      table(FIRST_TABLE),
      table('documents'),
      table('log'),
      table('retries'),
      table('users'),
    ];
    const reading = <V, K extends Buffer | number>(name: string, form: ReadForm): Database<V, K> =>
      this.#root.openDB<V, K>({ name, ...form });
    this.passing = reading('documents', { keyEncoder: RECORDS, encoder: passingBytes() });
    this.entries = reading('entries', { ...SETS, keyEncoder: UNREAD, encoder: ENTRIES });
    this.pairs = table('entries', SETS);
    this.#numbered = { documents: this.documents, indexes: this.pairs };
    this.#limit = maxSize === undefined ? undefined : new SizeLimit(join(this.#path, DATA_FILE), maxSize, this.#root);
    this.#file = openSync(join(this.#path, DATA_FILE), 'r+');
    this.memory = new WriteMemory(() => this.#root.getWriteTxnId());
    this.memory.committed(SMALL_PAGES ? fstatSync(this.#file).size : 0);
    // Open files stay: nothing is left behind, however the process ends.
    if (path === undefined && process.platform !== 'win32') rmSync(this.#path, { recursive: true, force: true });
    this.#temporary = path === undefined;
    this.#held = this.#temporary ? undefined : new HeldStates(() => this.read());
  }

  /** Whether work that writes runs. */
  get writing(): boolean {
    return this.#writing;
  }

  /** Why nothing is written any more. */
  get failure(): DocDbError | undefined {
    return this.#failure;
  }

  /**
   * Carries out work that writes. Other work that waits goes into the same commit.
   *
   * @param work reads the newest state and writes; what it has written stays when it throws, so it prepares first and then
   *   applies what can not throw
   * @param frees whether it may run in a file that has its largest size already
   * @param waiting who waits while writers are kept out
   * @returns what the work gives, once it is on the disk
   * @throws DocDbError (14031 for a full disk, 8000) when the commit fails, or went into a file that somebody has removed; after
   *   that nothing is written any more
   */
  async write<T>(work: () => T, frees = false, waiting: Waiting = ANY_TIME): Promise<T> {
    while (this.lock.ended) await waiting.until(this.lock.ended);
    this.#check(frees);
    try {
      const made = await this.#root.transaction(() => {
        // The work of a commit that failed waits no longer for the next one.
        this.#check(frees);
        if (this.memory.isSpent) return undefined;
        this.#writing = true;
        try {
          return { value: work() };
        } finally {
          this.#writing = false;
        }
      });
      this.#checkFile();
      if (made) return made.value;
    } catch (error) {
      if (isCommitError(error)) throw this.#fail(error);
      throw error;
    } finally {
      if (!this.#failure) this.#limit?.written();
    }
    return this.write(work, frees, waiting);
  }

  /** Forces to the disk what is written, however often that happens by itself. */
  async flush(): Promise<void> {
    await promisify(fdatasync)(this.#file);
  }

  /** Keeps writers out, and waits for those that are on their way: after that the file stays as it is until the lock is given back. */
  async lockWrites(): Promise<void> {
    this.lock.take();
    try {
      await this.#root.transaction(() => undefined);
      await this.flush();
    } catch (error) {
      // Who is told of an error gives nothing back.
      this.lock.give();
      throw error;
    }
  }

  /**
   * Removes what is under keys that begin with a number; in a write only.
   *
   * @param limit keys that are removed at most
   * @param pace tells when it has removed long enough
   * @returns whether there may be more
   */
  removeSome(name: NumberedTable, number: number, limit: number, pace?: Pace): boolean {
    const table = this.#numbered[name];
    const keys = [...table.getKeys({ start: numberKey(number), end: numberKey(number + 1), limit })];
    for (const [at, key] of keys.entries()) {
      // One at least, whatever others have removed.
      if (at > 0 && ((name === 'indexes' && this.memory.isSpent) || pace?.ends(at, 0))) return true;
      void table.remove(key);
      if (name === 'indexes') this.memory.gaveUpKey(key);
      // Of what size it was nobody has looked.
      else this.memory.gaveUp(Infinity);
    }
    return keys.length === limit;
  }

  /** Removes the entries of indexes as the first versions kept them: their keys had the number of the document behind them. */
  async dropFirstEntries(): Promise<void> {
    const first = this.#root.openDB<Buffer, Buffer>({ name: 'indexes', ...BINARY });
    await this.write(() => {
      void first.drop();
    }, true);
  }

  /** @returns the present state; held until `done()` is called */
  read(): ReadState {
    return this.#root.useReadTransaction();
  }

  #check(frees: boolean): void {
    if (this.#failure) throw this.#failure;
    if (!frees) this.#limit?.check();
  }

  /** What goes into a file that has been removed is gone when the process ends. */
  #checkFile(): void {
    const { size, nlink } = fstatSync(this.#file);
    this.memory.committed(SMALL_PAGES ? size : 0);
    if (this.#temporary || nlink > 0) return;
    this.#failure ??= new DocDbError(
      8000,
      `The folder ${this.#path} was removed while the database ran: nothing is written until the database is started again. What was in it is lost`,
    );
    throw this.#failure;
  }

  #fail(error: CommitError): DocDbError {
    // The cause comes as a promise of its own, which must not end the process.
    error.commitError?.catch(() => undefined);
    if (this.#failure) return this.#failure;
    const place = this.#temporary ? tmpdir() : this.#path;
    const full = roomOf(place) < FULL;
    const until = 'nothing is written until the database is started again';
    if (!full) this.#failure = new DocDbError(8000, `Writing to the disk failed: ${until}. Everything acknowledged before is there`);
    else if (this.#temporary)
      this.#failure = new DocDbError(
        14031,
        `The disk of ${place} is full, which has the data where no folder is given: ${until}. Make room, or name another place by TMPDIR or \`path\``,
      );
    else this.#failure = new DocDbError(14031, `The disk is full: ${until} with room. Everything acknowledged before is there`);
    return this.#failure;
  }

  /** Writes what is open and gives the files back. */
  async close(): Promise<void> {
    this.#held?.release();
    // Closing waits for what is behind the last commit; behind one that failed there would be nothing, ever.
    if (this.#failure) await this.#root.transaction(() => undefined).catch((error: unknown) => this.#fail(error as CommitError));
    await this.#root.close();
    this.#limit?.close();
    closeSync(this.#file);
    if (this.#temporary) rmSync(this.#path, { recursive: true, force: true });
  }
}

/** @returns the bytes that begin the keys of a collection or of an index */
export function numberKey(number: number): Buffer {
  const key = Buffer.allocUnsafe(4);
  key.writeUInt32BE(number);
  return key;
}

interface CommitError {
  readonly commitError?: Promise<never>;
}

function isCommitError(error: unknown): error is CommitError {
  return typeof error === 'object' && error !== null && 'commitError' in error;
}

function roomOf(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}
