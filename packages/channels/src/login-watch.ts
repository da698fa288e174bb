import { tellDisconnect } from '@framework/core';
import type { Hub } from './delivery/hub.ts';

/** What listeners of `login` and `logout` get, as far as it is needed here. */
type LoginListener = (result: unknown, params: { readonly connection?: object } | undefined, context?: { readonly path?: unknown }) => void;

/** An application whose authentication service logs connections in. */
interface LoginApplication {
  on(event: string, listener: (...args: never[]) => void): unknown;
  prependListener(event: string, listener: (...args: never[]) => void): unknown;
  emit(event: string, ...args: unknown[]): unknown;
  rawListeners(event: string): readonly unknown[];
}

/** The application that the connections are of. */
interface WatchedApplication extends LoginApplication {
  readonly services: object;
  readonly mixins: ((service: object, path: string) => void)[];
}

/**
 * Keeps channels in step with who a connection is: they do not survive a logout, or the login of somebody else (security S35). Authentication services of
 * mounted applications tell of that there, and not in the application that the connection is of.
 */
export class LoginWatch {
  readonly #hub: Hub;
  readonly #app: WatchedApplication;
  readonly #users = new WeakMap<object, string>();
  /** Which of a user's logins it is. */
  readonly #logins = new WeakMap<object, unknown>();
  readonly #followed = new Set<object>();
  /** Other applications that have logged a connection in. */
  readonly #elsewhere = new WeakMap<object, Set<LoginApplication>>();

  constructor(hub: Hub, app: WatchedApplication) {
    this.#hub = hub;
    this.#app = app;
  }

  listen(): void {
    const app = this.#app;
    this.#follow(app, '', () => true);
    app.on('disconnect', (connection: object) => {
      this.#users.delete(connection);
      this.#logins.delete(connection);
      this.#hub.close(connection);
      const others = this.#elsewhere.get(connection);
      this.#elsewhere.delete(connection);
      for (const other of others ?? []) tellDisconnect(other, connection);
    });
    for (const service of Object.values(app.services)) this.#followHome(service as object);
    app.mixins.push((service) => {
      this.#followHome(service);
    });
  }

  /** Follows the application of an authentication service, where that is another one. */
  #followHome(service: object): void {
    const home = 'handleConnection' in service ? homeOf(service) : undefined;
    if (!home || home === facadeOf(this.#app) || this.#followed.has(home)) return;
    this.#followed.add(home);
    // Two applications may have users of the same id, and call their services the same.
    this.#follow(home, `${this.#followed.size} `, (connection) => this.#hub.membership.isOpen(connection));
    home.on('disconnect', (connection: object) => {
      this.#elsewhere.get(connection)?.delete(home);
      if (this.#hub.membership.isOpen(connection)) tellDisconnect(this.#app, connection);
    });
  }

  /** In front of the application's listeners, which join channels. */
  #follow(app: LoginApplication, name: string, concerns: (connection: object) => boolean): void {
    const loggedIn: LoginListener = (result, params, context) => {
      const connection = params?.connection;
      if (!connection || !concerns(connection)) return;
      if (app !== this.#app) this.#elsewhere.set(connection, (this.#elsewhere.get(connection) ?? new Set()).add(app));
      this.#logins.set(connection, loginOf(result));
      this.#loggedIn(connection, name + userOf(result, context?.path));
    };
    const loggedOut: LoginListener = (result, params) => {
      const connection = params?.connection;
      if (!connection || !concerns(connection)) return;
      const present = this.#logins.get(connection);
      const left = loginOf(result);
      // Another login may have come while this was on its way.
      if (present !== undefined && left !== undefined && left !== present) return;
      this.#users.delete(connection);
      this.#logins.delete(connection);
      this.#hub.membership.leaveAll(connection);
      this.#hub.setLogin(connection, false);
    };
    app.prependListener('login', loggedIn);
    app.on('logout', loggedOut);
  }

  #loggedIn(connection: object, user: string): void {
    const before = this.#users.get(connection);
    if (before !== undefined && before !== user) this.#hub.membership.leaveAll(connection);
    this.#users.set(connection, user);
    // Before they join: it may be cut in the same moment, and has to wait for its login then.
    this.#hub.setLogin(connection, true);
    setImmediate(() => {
      if (this.#users.get(connection) === user) this.#hub.loginReady(connection);
    });
  }
}

/** @returns the application of an authentication service, as its listeners know it */
function homeOf(service: object): (LoginApplication & object) | undefined {
  const app: unknown = Reflect.get(service, 'app');
  return isApplication(app) ? facadeOf(app) : undefined;
}

function isApplication(app: unknown): app is LoginApplication {
  if ((typeof app !== 'object' && typeof app !== 'function') || app === null) return false;
  return ['on', 'prependListener', 'emit', 'rawListeners'].every((name) => typeof Reflect.get(app, name) === 'function');
}

/** An application that a transport has wrapped has the same listeners as what is around it. */
function facadeOf<A extends LoginApplication>(app: A): A {
  const facade: unknown = Reflect.get(app, 'facade');
  return isApplication(facade) ? (facade as A) : app;
}

/**
 * Two logins that do not say whose they are count as of two users. Users of two authentication services are two as well: user 1 is not administrator 1.
 *
 * @param path path of the authentication service
 */
function userOf(result: unknown, path: unknown): string {
  const { accessToken, authentication } = resultOf(result);
  const subject = authentication?.payload?.sub;
  return typeof subject === 'string' ? `user ${subject} of ${String(path)}` : `token ${String(accessToken)}`;
}

/** @returns the session, which has one token after the other, or else the token; `undefined` where the result does not say */
function loginOf(result: unknown): unknown {
  const { accessToken, authentication } = resultOf(result);
  return authentication?.payload?.sid ?? accessToken;
}

/** Of the result of an authentication service. */
interface AuthenticationResult {
  readonly authentication?: { readonly payload?: { readonly sub?: unknown; readonly sid?: unknown } };
  readonly accessToken?: unknown;
}

function resultOf(result: unknown): AuthenticationResult {
  return result ?? {};
}
