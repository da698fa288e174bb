import { checkOptions } from '../check-options.ts';
import { FrameworkClientError } from '../errors/client-error.ts';
import { withoutSlashes } from '../service/service-path.ts';
import type { CallParams } from '../transport.ts';
import type {
  Authentication,
  AuthenticationHost,
  AuthenticationOptions,
  LoginData,
  LoginHeaders,
  LoginResult,
  LoginService,
} from './authentication-types.ts';
import { exclusive, type Exclusive } from './exclusive.ts';
import type { TokenStorage } from './storage.ts';
import { listenToTabs } from './tabs.ts';
import { readTokens, tokensOf, type Tokens } from './tokens.ts';

/**
 * The login of a client.
 *
 * @throws TypeError for an option that there is not
 */
export function authenticationOf(host: AuthenticationHost, options: AuthenticationOptions): Authentication {
  checkOptions('authentication', options, 'path storage storageKey cookie jwtStrategy lock');
  const { cookie, jwtStrategy = 'jwt', storageKey: key = 'framework-login' } = options;
  // As the client calls it, or the call that renews would wait for itself.
  const path = withoutSlashes(options.path ?? 'authentication').normalize();
  /** Not with cookies, and not any more once it has failed. */
  let storage = cookie ? undefined : options.storage;
  const isShared = cookie || storage;
  // Logins are calls as others are, with the hooks of their service.
  const logins = (): LoginService => host.service(path);
  const name = `${key} ${host.name}/${path}`;
  const alone: Exclusive = options.lock ?? exclusive(name, options.storage, isShared);
  // Another tab has logged in or out, or has new tokens.
  let tabs = isShared ? listenToTabs(name, (told) => void (told ? take(told) : read())) : undefined;

  /** With cookies `undefined` until a login, a refusal or another tab tells: only these tell that nobody is logged in. */
  let tokens: Tokens | undefined;
  /** What was kept here last: what the storage was asked for before that is older. */
  let kept: Tokens | undefined;
  let present: Promise<LoginResult> | undefined;
  let renewing: Promise<LoginResult | undefined> | undefined;
  let connecting: Promise<unknown> | undefined;
  let storing: Promise<unknown> = Promise.resolve();
  /** Counts logins, and logouts that somebody asked for, as they begin. */
  let begun = 0;
  /** The last of them that changed who is logged in: what was begun before it is of no use any more. */
  let last = 0;

  /** Takes what is known elsewhere: where that is no login, or somebody else's, the own one has ended. */
  const take = (found: Tokens): Tokens => {
    const isEnd = tokens?.accessToken && (!found.accessToken || found.who !== tokens.who);
    tokens = found;
    if (isEnd) {
      last = ++begun;
      forget();
    }
    return found;
  };
  /** A storage may be full, or the page may have none: the login goes on in memory, and that is said. What was stored before would be another login, and goes. */
  const attempt = async (does: keyof TokenStorage, text?: string): Promise<unknown> => {
    try {
      return await storage?.[does](key, text as string);
    } catch (error) {
      if (text) await attempt('removeItem');
      if (storage) console.warn('The login has no storage', error);
      return (storage = undefined);
    }
  };
  /** One change at a time, and what is read is behind it: a storage may finish in another order. */
  const stored = (does: keyof TokenStorage, text?: string): Promise<unknown> => (storing = storing.then(() => attempt(does, text)));
  const read = async (): Promise<Tokens> => {
    const before = kept;
    const text = (await storing.then(() => attempt('getItem'))) as string | undefined;
    return storage && kept === before ? take(readTokens(text)) : (tokens ?? {});
  };
  const mayRenew = (): unknown => tokens?.refreshToken ?? (cookie && (!tokens || tokens.accessToken));
  const isDue = (): unknown => mayRenew() && (tokens?.renewAt as number) <= Date.now();
  const known = async (): Promise<LoginHeaders> => {
    const { accessToken } = tokens ?? (await read());
    return accessToken ? { authorization: `Bearer ${accessToken}` } : {};
  };

  const remember = (result: Promise<LoginResult>): Promise<LoginResult> => {
    present = result;
    result.catch(() => {
      if (present === result) present = undefined;
    });
    return result;
  };

  const keep = async (result: LoginResult, refreshToken?: string): Promise<void> => {
    tokens = kept = tokensOf(result, refreshToken);
    await stored('setItem', JSON.stringify(kept));
    tabs?.postMessage(cookie && kept);
  };

  const forget = (result?: unknown): void => {
    present = undefined;
    host.emit('logout', result);
  };

  const end = async (result?: unknown): Promise<void> => {
    tokens = kept = {};
    forget(result);
    await stored('removeItem');
    // Other tabs may still see in the storage what is gone.
    tabs?.postMessage({});
  };

  /**
   * What stands in front of the server, and refuses by a page of its own, knows nothing of its logins.
   *
   * @param began the last change when it was asked: who has logged in since then stays
   */
  const over = async (error: FrameworkClientError, began: number): Promise<never> => {
    if (error.kind === 'answer' && began === last) await end(null);
    throw error;
  };

  const logIn = async (data: LoginData, params?: CallParams): Promise<LoginResult> => {
    const own = ++begun;
    const { authorization } = await known();
    const result = await logins().create(data, params);
    // A token that only comes back keeps what else is known of it, and is the same login.
    const isSame = authorization === `Bearer ${result.accessToken}`;
    if (own > last && !isSame) {
      last = own;
      await keep(result);
    }
    // Or while it was stored.
    if (own < last || (isSame && !tokens?.accessToken)) throw loggedOut();
    host.emit('login', result);
    return result;
  };

  const renewNow = async (used: string | undefined): Promise<LoginResult | undefined> => {
    const began = last;
    const { accessToken, refreshToken } = await read();
    // Another tab was faster, or is logged out.
    if (accessToken !== used) return undefined;
    if (!mayRenew()) throw loggedOut();
    try {
      const result = await logins().create({ strategy: 'refresh', refreshToken });
      // Unless somebody has logged in or out meanwhile.
      if (began === last && tokens?.accessToken === used) {
        present = Promise.resolve(result);
        await keep(result, refreshToken);
      }
      // Or while it was stored.
      return began === last && tokens?.accessToken ? result : undefined;
    } catch (error) {
      if (!isRefused(error)) throw error;
      // Without locks another tab may have been faster all the same.
      if ((await read()).refreshToken !== refreshToken) return undefined;
      return over(error, began);
    }
  };

  /** Once for all who ask. */
  const renew = (used: string | undefined): Promise<LoginResult | undefined> =>
    (renewing ??= alone(() => renewNow(used)).finally(() => (renewing = undefined)));

  const goOn = async (): Promise<LoginResult> => {
    const { accessToken } = await read();
    const began = last;
    if (accessToken && !isDue())
      try {
        return await logIn({ strategy: jwtStrategy, accessToken });
      } catch (error) {
        if (!isRefused(error)) throw error;
        if (!mayRenew()) return over(error, began);
      }
    if (!mayRenew()) throw loggedOut();
    const result = await renew(accessToken);
    if (!result) return goOn();
    host.emit('login', result);
    return result;
  };

  const headers = async (): Promise<LoginHeaders> => {
    await known();
    // While the old one lasts it is good enough.
    if (isDue()) await renew(tokens?.accessToken).catch(() => undefined);
    return known();
  };

  const isReplaced = async (refused: LoginHeaders): Promise<boolean> => {
    const isOther = async (): Promise<boolean> => (await known()).authorization !== refused.authorization;
    try {
      return (await isOther()) || (await (mayRenew() ? renew(tokens?.accessToken) : read()).then(isOther));
    } catch (error) {
      if (!isRefused(error)) throw error;
      return false;
    }
  };

  return {
    shown: {
      get: () => present,
      authenticate: (data, params) => remember(logIn(data, params)),
      reAuthenticate: (force = false) => (present && !force ? present : remember(goOn())),
      async logout() {
        const own = (last = ++begun);
        let result: LoginResult | null = null;
        try {
          result = await logins().remove(null);
        } catch (error) {
          // Who is logged out already has what he wants.
          if (!isRefused(error)) throw error;
        } finally {
          // Who has logged in since then stays.
          if (own === last) await end(result);
        }
        return result;
      },
    },
    async call(called, method, repeatable, send) {
      const began = last;
      if (called === path) {
        const login = method === 'create' ? {} : await known();
        // A logout ends no login that has come since.
        if (began !== last) throw loggedOut();
        return send(login);
      }
      await connecting;
      const { authorization } = await known();
      const used = await headers();
      // Nobody makes what somebody else has asked for.
      if (authorization && began !== last) throw loggedOut();
      try {
        return await send(used);
      } catch (error) {
        if (isRefused(error) && repeatable && (await isReplaced(used))) {
          const login = await known();
          // Not as nobody either.
          if (began === last && login.authorization) return send(login);
        }
        throw error;
      }
    },
    headers,
    isReplaced,
    connect: () =>
      (connecting = (async () => {
        const { accessToken } = await read();
        const began = last;
        try {
          await (accessToken && logins().create({ strategy: jwtStrategy, accessToken }));
        } catch (error) {
          if (!isRefused(error)) throw error;
          // Calls find out by themselves that they need a login. A renewal that began without a connection waits for this, and logs it in.
          await (mayRenew() ? !renewing && renew(tokens?.accessToken) : over(error, began));
        }
      })().catch((error: unknown) => error)),
    close() {
      tabs?.close();
      // A channel that is closed takes nothing any more.
      tabs = undefined;
    },
  };
}

function isRefused(error: unknown): error is FrameworkClientError {
  return error instanceof FrameworkClientError && error.code === 401;
}

function loggedOut(): FrameworkClientError {
  return new FrameworkClientError('logged-out', 'Nobody is logged in', {
    code: 401,
    name: 'NotAuthenticated',
    className: 'not-authenticated',
  });
}
