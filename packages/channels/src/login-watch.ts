import type { Hub } from './delivery/hub.ts';

/** What listeners of `login` and `logout` get, as far as it is needed here. */
type LoginListener = (result: unknown, params: { readonly connection?: object } | undefined, context?: { readonly path?: unknown }) => void;

interface LoginApplication {
  on(event: string, listener: (...args: never[]) => void): unknown;
  prependListener(event: string, listener: (...args: never[]) => void): unknown;
}

/**
 * Keeps channels in step with who a connection is: they do not survive a logout, or the login of somebody else (security S35).
 */
export class LoginWatch {
  readonly #hub: Hub;
  readonly #users = new WeakMap<object, string>();

  constructor(hub: Hub) {
    this.#hub = hub;
  }

  listen(app: LoginApplication): void {
    app.prependListener('login', this.#loggedIn);
    app.on('logout', this.#loggedOut);
    app.on('disconnect', (connection: object) => {
      this.#users.delete(connection);
      this.#hub.close(connection);
    });
  }

  /** In front of the application's listeners, which join channels. */
  readonly #loggedIn: LoginListener = (result, params, context) => {
    const connection = params?.connection;
    if (!connection) return;
    const user = userOf(result, context?.path);
    const before = this.#users.get(connection);
    if (before !== undefined && before !== user) this.#hub.membership.leaveAll(connection);
    this.#users.set(connection, user);
    // Before they join: it may be cut in the same moment, and has to wait for its login then.
    this.#hub.setLogin(connection, true);
    setImmediate(() => {
      if (this.#users.get(connection) === user) this.#hub.loginReady(connection);
    });
  };

  readonly #loggedOut: LoginListener = (_result, params) => {
    const connection = params?.connection;
    if (!connection) return;
    this.#users.delete(connection);
    this.#hub.membership.leaveAll(connection);
    this.#hub.setLogin(connection, false);
  };
}

/**
 * Two logins that do not say whose they are count as of two users. Users of two authentication services are two as well: user 1 is not administrator 1.
 *
 * @param path path of the authentication service
 */
function userOf(result: unknown, path: unknown): string {
  const { authentication, accessToken } = (result ?? {}) as {
    readonly authentication?: { readonly payload?: { readonly sub?: unknown } };
    readonly accessToken?: unknown;
  };
  const subject = authentication?.payload?.sub;
  return typeof subject === 'string' ? `user ${subject} of ${String(path)}` : `token ${String(accessToken)}`;
}
