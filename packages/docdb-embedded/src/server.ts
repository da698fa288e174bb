import { runCommand } from './commands/run-command.ts';
import type { ConnectionState, ServerState } from './commands/command.ts';
import { Cursors } from './commands/cursors.ts';
import { FailPoints } from './commands/fail-points.ts';
import type { Doc } from './bson/values.ts';
import { lockFolder } from './journal/folder-lock.ts';
import { Journal, type SyncPolicy } from './journal/journal.ts';
import { Store } from './storage/store.ts';
import { Sessions } from './transactions/sessions.ts';
import { SnapshotReads } from './transactions/snapshot-reads.ts';
import { expireDocuments } from './storage/expire-documents.ts';
import { spawnServer, type SpawnedServer } from './spawned-server.ts';
import { Listener } from './wire/listener.ts';

/** Options of {@link DocDbServer.start}. */
export interface DocDbServerOptions {
  /** Port on the loopback address; 0 takes a free one. Default: 0. */
  port?: number;
  /** Folder that the data is kept in. Default: none, the data lives in memory only. */
  path?: string;
  /** When writes are forced to the disk itself: at each acknowledgement, every 100 ms, or by the system. Default: `always`. */
  sync?: SyncPolicy;
  /** Whether a damaged folder is opened up to the damage. Default: `false`, it is refused. */
  repair?: boolean;
  /** Loopback address to listen on. Default: `127.0.0.1`. */
  host?: string;
  /** Whether the process may end while the server listens. Default: `true`. */
  unref?: boolean;
  /** Told of repairs and warnings. Default: nobody. */
  log?: (message: string) => void;
}

const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|localhost)$/;
/** Milliseconds between looks at sessions, cursors and documents that expire. */
const SWEEP_INTERVAL = 30_000;

/**
 * A document database for development, tests and examples: it speaks the MongoDB wire protocol, as the primary of a
 * replica set of one, over loopback. It is no database for production.
 */
export class DocDbServer {
  /** URL for the driver. */
  readonly uri: string;
  /** Port that it listens on. */
  readonly port: number;
  readonly #listener: Listener;
  readonly #journal: Journal | undefined;
  readonly #unlock: () => void;
  readonly #timer: NodeJS.Timeout;
  #stopped: Promise<void> | undefined;

  private constructor(
    port: number,
    host: string,
    listener: Listener,
    journal: Journal | undefined,
    unlock: () => void,
    timer: NodeJS.Timeout,
  ) {
    this.port = port;
    this.uri = `mongodb://${addressOf(host, port)}/?replicaSet=${SET_NAME}`;
    this.#listener = listener;
    this.#journal = journal;
    this.#unlock = unlock;
    this.#timer = timer;
  }

  /**
   * Starts a server in this process.
   *
   * @throws Error when the host is no loopback address, the port is taken, the folder is in use or damaged
   */
  static async start(options: DocDbServerOptions = {}): Promise<DocDbServer> {
    const { port = 0, path, sync = 'always', repair = false, host = '127.0.0.1', unref = true, log = (): void => undefined } = options;
    if (!LOOPBACK.test(host))
      throw new Error(`docdb-embedded listens on loopback addresses only, not on ${host}: it knows no users and no passwords`);
    const store = new Store();
    const unlock = path === undefined ? (): void => undefined : await lockFolder(path);
    try {
      const journal = path === undefined ? undefined : new Journal(store, { path, sync, repair });
      for (const note of journal?.open() ?? []) log(note);
      const state = new State(store);
      const listener = new Listener((connection, command) => answer(state, journal, connection, command));
      const actual = await listener.listen(port, host, unref);
      state.address = addressOf(host, actual);
      const timer = setInterval(() => {
        state.sessions.sweep();
        state.snapshots.sweep();
        state.cursors.sweep();
        expireDocuments(store);
      }, SWEEP_INTERVAL);
      timer.unref();
      return new DocDbServer(actual, host, listener, journal, unlock, timer);
    } catch (error) {
      unlock();
      throw error;
    }
  }

  /**
   * Starts a server in a process of its own, so that a pattern that takes for ever can not stop this process. It ends
   * with this process, however this one ends.
   *
   * @throws Error with what the process said when it could not start
   */
  static async spawn(options: Omit<DocDbServerOptions, 'log' | 'unref' | 'host'> = {}): Promise<SpawnedServer> {
    return spawnServer(options);
  }

  /** Closes all connections, writes everything to the folder and gives it back. */
  stop(): Promise<void> {
    return (this.#stopped ??= this.#stop());
  }

  async #stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#listener.close();
    await this.#journal?.close();
    this.#unlock();
  }
}

const SET_NAME = 'rs0';

function addressOf(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
}

class State implements ServerState {
  readonly store: Store;
  readonly cursors: Cursors = new Cursors();
  readonly failPoints: FailPoints = new FailPoints();
  readonly sessions: Sessions;
  readonly snapshots: SnapshotReads;
  readonly setName = SET_NAME;
  readonly started = Date.now();
  address = '';

  constructor(store: Store) {
    this.store = store;
    this.sessions = new Sessions(store);
    this.snapshots = new SnapshotReads(store);
  }
}

/** Nothing is acknowledged before it is written. */
async function answer(state: State, journal: Journal | undefined, connection: ConnectionState, command: Doc): Promise<Doc | undefined> {
  const result = await runCommand(state, connection, command);
  const concern = command.writeConcern as { readonly j?: unknown } | undefined;
  await journal?.flush(concern?.j === true);
  return result;
}
