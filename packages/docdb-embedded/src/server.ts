import { ObjectId } from 'bson';
import { Admissions } from './commands/admissions.ts';
import { runCommand } from './commands/run-command.ts';
import type { ConnectionState, ServerState, Traffic } from './commands/command.ts';
import { Operations } from './commands/operations.ts';
import { Cursors } from './commands/cursors.ts';
import { IndexBuilds } from './commands/index-builds.ts';
import { FailPoints } from './commands/fail-points.ts';
import { Parameters } from './commands/parameters.ts';
import { Profiler } from './commands/profiler.ts';
import { ServerLog } from './commands/server-log.ts';
import { Engine } from './storage/engine.ts';
import { checkForm, renewIndexes } from './storage/renew-indexes.ts';
import { ownFolder, prepareFolder } from './storage/folder.ts';
import { Store } from './storage/store.ts';
import { makeFirstUser } from './security/first-user.ts';
import { Security } from './security/security.ts';
import { checkStartOptions, type FirstUser } from './security/start-options.ts';
import { Users } from './security/users.ts';
import type { SyncPolicy } from './storage/sync-policy.ts';
import { Sessions } from './transactions/sessions.ts';
import { SnapshotReads } from './transactions/snapshot-reads.ts';
import { expireDocuments } from './storage/expire-documents.ts';
import { spawnServer, type SpawnedServer } from './spawned-server.ts';
import { Listener } from './wire/listener.ts';
import type { TlsOptions } from './wire/tls.ts';

/** Options of {@link DocDbServer.start}. */
export interface DocDbServerOptions {
  /** Port on the loopback address; 0 takes a free one. Default: 0. */
  port?: number;
  /** Folder that the data is kept in. Default: none, the data goes with the process. */
  path?: string;
  /** When writes are forced to the disk itself: before each acknowledgement, soon behind it, or by the system. Default: `always`. */
  sync?: SyncPolicy;
  /** Largest size of the data on disk, in bytes; what would make it larger is refused. Default: as large as the disk. */
  maxSize?: number;
  /** Whether clients may ask for faults (`configureFailPoint`). Default: `false`. */
  failPoints?: boolean;
  /** Whether clients have to log in: with users that are there, or with the one named here, who may do everything. Default: `false`. */
  auth?: boolean | FirstUser;
  /** Certificate by which connections are encrypted; plain ones are refused then. Default: none. */
  tls?: TlsOptions;
  /** Loopback address to listen on. Default: `127.0.0.1`. */
  host?: string;
  /** Whether the process may end while the server listens. Default: `true`. */
  unref?: boolean;
}

const OPTIONS: readonly (keyof DocDbServerOptions)[] = ['port', 'path', 'sync', 'maxSize', 'failPoints', 'auth', 'tls', 'host', 'unref'];
/** A process of its own listens on the usual address, and runs until it is stopped. */
const SPAWN_OPTIONS: readonly string[] = OPTIONS.filter((name) => name !== 'host' && name !== 'unref');
const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|localhost)$/;
/** Milliseconds between looks at sessions and cursors. */
const SWEEP_INTERVAL = 30_000;
/** Milliseconds that stopping waits for commands that run. */
const STOP_LIMIT = 10_000;

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
  readonly #state: State;
  readonly #giveBack: () => Promise<void>;
  readonly #timer: NodeJS.Timeout;
  #stopped: Promise<void> | undefined;

  private constructor(port: number, uri: string, listener: Listener, state: State, giveBack: () => Promise<void>, timer: NodeJS.Timeout) {
    this.port = port;
    this.uri = uri;
    this.#listener = listener;
    this.#state = state;
    this.#giveBack = giveBack;
    this.#timer = timer;
  }

  /**
   * Starts a server in this process.
   *
   * @throws Error when the host is no loopback address, the port is taken, the folder is in use or of another version, the
   * first user has another password, or a certificate can not be used
   */
  static async start(options: DocDbServerOptions = {}): Promise<DocDbServer> {
    const { port = 0, path, sync = 'always', maxSize, host = '127.0.0.1', unref = true, failPoints = false } = options;
    const { auth = false, tls } = options;
    checkStartOptions(options, OPTIONS);
    if (!LOOPBACK.test(host))
      throw new Error(`docdb-embedded listens on loopback addresses only, not on ${host}: it is for development and tests`);
    if (path !== undefined) prepareFolder(path);
    const engine = new Engine({ path, sync, maxSize });
    let giveBack = (): Promise<void> => Promise.resolve();
    try {
      if (path !== undefined) {
        checkForm(engine, path);
        giveBack = await ownFolder(path, engine);
      }
      const state = new State(new Store(engine), { failPoints, auth: auth !== false }, () => listener);
      await state.store.recover();
      await renewIndexes(state.store);
      await state.sessions.forgetOld();
      await state.security.users.load();
      if (typeof auth === 'object') await makeFirstUser(state.security.users, auth);
      const listener: Listener = new Listener(
        {
          handle: (connection, command) => runCommand(state, connection, command),
          isStranger: (connection) => state.security.on && state.security.userOf(connection) === undefined,
          left: ({ id }) => {
            state.operations.killOf(id);
          },
        },
        state.admissions,
        tls,
      );
      const actual = await listener.listen(port, host, unref);
      state.address = addressOf(host, actual);
      const timer = setInterval(() => {
        // What could not be swept is swept the next time.
        state.sweep().catch(() => undefined);
      }, SWEEP_INTERVAL);
      timer.unref();
      state.expire();
      const uri = `mongodb://${state.address}/?replicaSet=${SET_NAME}${tls ? '&tls=true' : ''}`;
      return new DocDbServer(actual, uri, listener, state, giveBack, timer);
    } catch (error) {
      await engine.close();
      await giveBack();
      throw error;
    }
  }

  /**
   * Starts a server in a process of its own, so that a pattern that takes for ever can not stop this process. It ends
   * with this process, however this one ends.
   *
   * @throws Error with what the process said when it could not start
   */
  static async spawn(options: Omit<DocDbServerOptions, 'unref' | 'host'> = {}): Promise<SpawnedServer> {
    checkStartOptions(options, SPAWN_OPTIONS);
    return spawnServer(options);
  }

  /** Closes all connections, aborts open transactions and gives the folder back; commands that run have ten seconds to end, and are interrupted then. */
  stop(): Promise<void> {
    return (this.#stopped ??= this.#stop());
  }

  async #stop(): Promise<void> {
    const { operations } = this.#state;
    clearInterval(this.#timer);
    // Nobody gets what it waits for, but who waits to write.
    this.#state.store.engine.lock.release();
    operations.killAll('getMore');
    const closed = this.#listener.close(STOP_LIMIT, () => {
      operations.killAll();
    });
    this.#state.abandonTransactions();
    await closed;
    await this.#state.close();
    await this.#giveBack();
  }
}

const SET_NAME = 'rs0';
const STARTED = 'docdb-embedded is for development and tests. Use a MongoDB server in production.';

function addressOf(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
}

interface StateOptions {
  readonly failPoints: boolean;
  /** Whether clients have to log in. */
  readonly auth: boolean;
}

class State implements ServerState {
  readonly store: Store;
  readonly profiler: Profiler;
  readonly parameters: Parameters = new Parameters();
  readonly admissions: Admissions = new Admissions(() => this.parameters.admissionRate);
  readonly log: ServerLog = new ServerLog(STARTED);
  readonly cursors: Cursors = new Cursors();
  readonly failPoints: FailPoints;
  readonly builds: IndexBuilds = new IndexBuilds();
  readonly security: Security;
  readonly operations: Operations = new Operations();
  readonly sessions: Sessions;
  readonly snapshots: SnapshotReads;
  readonly setName = SET_NAME;
  readonly started = Date.now();
  readonly processId: ObjectId = new ObjectId();
  address = '';
  readonly #listener: () => Listener | undefined;
  #expiry: NodeJS.Timeout | undefined;

  constructor(store: Store, { failPoints, auth }: StateOptions, listener: () => Listener | undefined) {
    this.#listener = listener;
    this.store = store;
    this.failPoints = new FailPoints(failPoints);
    this.profiler = new Profiler(store);
    this.parameters.listeners.add(() => {
      this.expire();
    });
    this.security = new Security(new Users(store), auth);
    this.sessions = new Sessions(store);
    this.snapshots = new SnapshotReads(store);
  }

  get connections(): ReadonlyMap<number, ConnectionState> {
    return this.#listener()?.connections ?? new Map<number, ConnectionState>();
  }

  connectionsMade(): number {
    return this.#listener()?.made ?? 0;
  }

  traffic(): Traffic {
    return this.#listener()?.traffic ?? { bytesIn: 0, bytesOut: 0, requests: 0 };
  }

  async sweep(): Promise<void> {
    this.snapshots.sweep();
    await this.sessions.sweep();
    await this.cursors.sweep();
  }

  /** Aborts the transactions that nobody is left to go on with, but for those that are being committed: what waits for their end goes on. */
  abandonTransactions(): void {
    const commits = this.operations.list().filter(({ command }) => 'commitTransaction' in command);
    const committed = new Set(commits.map(({ session }) => session?.transaction));
    for (const transaction of [...this.store.openTransactions]) if (!committed.has(transaction)) this.store.end(transaction, 'aborted');
  }

  /** Looks for documents that expire, again and again as the parameters say. */
  expire(): void {
    clearInterval(this.#expiry);
    if (!this.parameters.expires) return;
    this.#expiry = setInterval(() => {
      // What could not be taken away is taken away the next time.
      expireDocuments(this.store).catch(() => undefined);
    }, this.parameters.expiryInterval);
    this.#expiry.unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#expiry);
    // What goes on behind the back of commands waits for nobody now.
    this.store.engine.lock.release();
    this.abandonTransactions();
    await this.builds.settled();
    await this.cursors.close();
    this.snapshots.close();
    await this.store.close();
  }
}
