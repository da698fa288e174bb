import { describesItself, type Params, type ServiceDescription } from '@framework/core';
import { BadRequest, NotAuthenticated, NotFound } from '@framework/errors';
import { OWN_SESSIONS } from './describe-own-sessions.ts';
import type { Sessions } from './sessions.ts';
import type { OwnSession, StoredSession } from './session-types.ts';
import { property } from '../values.ts';

interface CallerParams extends Params {
  authentication?: { payload?: unknown; [name: string]: unknown } | undefined;
}

/** The sessions, machine tokens and API keys of the caller: a list, and an end for one or for all. Registered below the authentication service. */
export class OwnSessions {
  static {
    Object.defineProperty(this.prototype, describesItself, { value: (): ServiceDescription => OWN_SESSIONS, configurable: true });
  }

  readonly id = 'id';
  /** It sends no events: what ends is told to the clients concerned alone. */
  readonly events: readonly string[] = ['removed'];
  readonly #sessions: () => Sessions;

  /** @param sessions gives the sessions of the authentication service */
  constructor(sessions: () => Sessions) {
    this.#sessions = sessions;
  }

  /**
   * @returns the caller's sessions that live, the latest used first
   * @throws BadRequest (400) for a query, which would not be looked at
   */
  async find(params: CallerParams): Promise<OwnSession[]> {
    const { user, session } = callerOf(params);
    if (hasQuery(params)) throw new BadRequest('All sessions are given at once: ask for them without a query');
    return (await this.#sessions().list(user)).map((found) => shown(found, session));
  }

  /**
   * Ends one of the caller's sessions, or all of them with the id `null`.
   *
   * @returns what was ended
   * @throws NotFound (404) for a session of somebody else, BadRequest (400) for a query: what it leaves out would end too
   */
  async remove(id: string | null, params: CallerParams): Promise<OwnSession | OwnSession[]> {
    const { user, session } = callerOf(params);
    if (hasQuery(params)) throw new BadRequest('A query chooses no sessions: end one by its id, or all without a query');
    const list = await this.#sessions().list(user);
    if (id === null) {
      await this.#sessions().endAll(user);
      return list.map((found) => shown(found, session));
    }
    const found = list.find((one) => one.id === id);
    if (!found) throw new NotFound('No session found for this id');
    await this.#sessions().end(found.id);
    return shown(found, session);
  }
}

function hasQuery({ query }: CallerParams): boolean {
  return Object.keys(query ?? {}).length > 0;
}

function callerOf({ authentication }: CallerParams): { user: string; session: unknown } {
  const payload = authentication?.payload;
  const [sub, sid] = [property(payload, 'sub'), property(payload, 'sid')];
  if (typeof sub !== 'string' || sub === '') throw new NotAuthenticated('Not authenticated');
  return { user: sub, session: sid };
}

function shown(session: StoredSession, current: unknown): OwnSession {
  const { id, kind, createdAt, usedAt, expiresAt, idleUntil, address, agent, name, scopes, via } = session;
  const end = Math.min(expiresAt ?? Infinity, idleUntil ?? Infinity);
  return {
    id,
    ...(kind === 'session' ? {} : { kind, name, scopes }),
    ...(via === undefined ? {} : { via }),
    createdAt: new Date(createdAt).toISOString(),
    usedAt: new Date(usedAt).toISOString(),
    expiresAt: end === Infinity ? null : new Date(end).toISOString(),
    address,
    agent,
    current: id === current,
  };
}
