import type { Server } from 'node:http';
import net from 'node:net';
import { announceStart, checkOptionNames, listening, nestedApplications, type Application as CoreApplication } from '@framework/core';
import { createApplicationServer } from './application-server.ts';
import type { AnyExpressApplication } from './application-types.ts';
import { Ending, type CloseOptions, type ClosingListener, type EndingParts } from './ending.ts';
import { closeServer, watchConnections } from './server-closing.ts';
import { checkMilliseconds } from './time-limit.ts';
import { checkTrustedProxies } from './trusted-proxies.ts';
import { watchUnhandledErrors } from './unhandled-errors.ts';

/** By their applications: those that lie in others have their streams and sockets on the servers of these. */
const LIFECYCLES = new WeakMap<object, Lifecycle>();

/**
 * Start and end of an application with its servers: those that it made and those that `setup` was called with.
 *
 * @see interface 4.3, security S44
 */
export class Lifecycle {
  readonly #core: CoreApplication;
  readonly #app: AnyExpressApplication;
  readonly #servers = new Set<net.Server>();
  readonly #starting = new Set<Promise<unknown>>();
  #ending: Ending | undefined;
  /** Whether the listeners of `closing` were told of this end, maybe that of an outer application. */
  #told = false;

  /**
   * @param core the application whose services are set up and torn down
   * @param app what users have of it; its `setup` and `teardown` are called, so that others can wrap them
   */
  constructor(core: CoreApplication, app: AnyExpressApplication) {
    this.#core = core;
    this.#app = app;
    LIFECYCLES.set(app, this);
  }

  /**
   * Makes a server, listens, and sets the services up.
   *
   * @param prepare gets the server, and gives the arguments to listen with
   * @throws Error while the application is closing
   * @throws the server's error, or that of `setup`; the server is closed then
   */
  listen(prepare: (server: Server) => readonly unknown[]): Promise<Server> {
    return this.#start('listen', async () => {
      const server = createApplicationServer(this.#app);
      this.#app.server = server;
      this.#add(server);
      try {
        await listening(server, prepare(server));
        await this.#app.setup(server);
      } catch (error) {
        const closing = closeServer(server);
        closing.force();
        await closing.closed;
        this.#forget(server);
        throw error;
      }
      return server;
    });
  }

  /**
   * Sets the services up. The server is closed with the application later.
   *
   * @throws Error while the application is closing, and for a setting `trust proxy` that nobody means
   */
  setup(server?: unknown): Promise<AnyExpressApplication> {
    return this.#start('setup', async () => {
      checkTrustedProxies(this.#app.settings['trust proxy']);
      if (server instanceof net.Server) {
        this.#add(server);
        watchUnhandledErrors(this.#app, server);
      }
      await this.#core.setup(server);
      return this.#app;
    });
  }

  /**
   * Ends the application: one operation, however often it is called, until the application is started again.
   *
   * @returns the same promise for each call; it rejects when a service or a hook fails to tear down
   * @throws TypeError (as a rejection) for unknown options
   */
  close(options: CloseOptions = {}): Promise<void> {
    try {
      const timeout = timeoutOf(options);
      if (this.#ending && timeout !== undefined) this.#ending.limit.shorten(timeout);
      // Others may have wrapped `teardown`.
      this.#ending ??= this.#end(timeout, undefined, () => this.#app.teardown());
      return this.#ending.done;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Ends the application as {@link close} does. Called while that tears down, it does this last step alone. */
  async teardown(server?: unknown): Promise<AnyExpressApplication> {
    const ending = (this.#ending ??= this.#end(undefined, server, (begun) => begun.tearDown()));
    await (ending.tearingDown ? ending.tearDown() : ending.done);
    return this.#app;
  }

  #end(timeout: number | undefined, given: unknown, last: EndingParts['last']): Ending {
    if (given instanceof net.Server) this.#add(given);
    const main = given ?? this.#app.server ?? this.#servers.values().next().value;
    return new Ending(
      {
        servers: () => [...this.#servers],
        started: () => Promise.allSettled(this.#starting),
        listeners: () => this.#listeners(),
        tearDown: () => this.#core.teardown(main),
        last,
      },
      timeout,
    );
  }

  /** Those of applications that requests are handed on to too; each is given once for an end. */
  #listeners(): ClosingListener[] {
    const own = this.#told ? [] : this.#app.rawListeners('closing');
    this.#told = true;
    return [
      ...own.map(
        (listener): ClosingListener =>
          (closing) =>
            Reflect.apply(listener, this.#app, [closing]) as unknown,
      ),
      ...nestedApplications(this.#app).flatMap(({ app }) => {
        const nested = LIFECYCLES.get(app);
        return nested ? nested.#listeners() : [];
      }),
    ];
  }

  async #start<T>(what: string, work: () => Promise<T>): Promise<T> {
    if (this.#ending?.over === false) throw new Error(`The application is closing: wait for close() before ${what}()`);
    this.#ending = undefined;
    this.#told = false;
    const done = work();
    this.#starting.add(done);
    announceStart(this.#app, done);
    try {
      return await done;
    } finally {
      this.#starting.delete(done);
    }
  }

  #add(server: net.Server): void {
    if (this.#servers.has(server)) return;
    watchConnections(server);
    this.#servers.add(server);
    server.once('close', () => {
      this.#forget(server);
    });
  }

  #forget(server: net.Server): void {
    this.#servers.delete(server);
    if (this.#app.server === server) delete this.#app.server;
  }
}

const CLOSE_OPTIONS: ReadonlySet<string> = new Set<keyof CloseOptions>(['timeout']);

function timeoutOf(options: CloseOptions): number | undefined {
  checkOptionNames('close()', options, CLOSE_OPTIONS);
  return options.timeout === undefined ? undefined : checkMilliseconds('timeout', options.timeout);
}
