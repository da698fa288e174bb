import type { EntitySecrets } from '../entity/secret-marks.ts';
import type { LoginOrigin } from '../login/login-origin.ts';
import { Changes } from './changes.ts';
import { Epochs, epochKey } from './epoch.ts';
import { LiveSessions, type EndListener } from './live-sessions.ts';
import { newSession, sessionOfLogin } from './new-session.ts';
import { RefreshTokens } from './refresh-session.ts';
import { randomId, randomSecret } from './refresh-token.ts';
import { endedSession, formerSession } from './refuse-session.ts';
import type { SessionClient } from './session-client.ts';
import type { SessionDraft } from './session-draft.ts';
import { isOfScope, type SessionScope } from './session-scope.ts';
import type { SessionSettings } from './session-settings.ts';
import { SessionStore } from './session-store.ts';
import type { MachineSession, SessionRecord, SessionStoreService, StoredSession } from './session-types.ts';
import { userId } from './user-id.ts';
import { UserSessions } from './user-sessions.ts';

/** Told of a refresh token that was used twice. */
export type ReuseListener = (reuse: { readonly session: string; readonly user: string }) => void;

/** What sessions are made with. */
export interface SessionsOptions {
  readonly settings: SessionSettings;
  readonly scope: SessionScope;
  /** Gives the service that stores sessions. */
  readonly service: () => SessionStoreService;
  /** Key that all processes of the service share. */
  readonly serverKey: () => Buffer;
  readonly reused: ReuseListener;
}

/** Logins that can be ended: for one client, for all of a user, in all processes within a second (security S19, S20). */
export class Sessions {
  readonly settings: SessionSettings;
  /** What these sessions belong to. */
  readonly scope: SessionScope;
  readonly #store: SessionStore;
  readonly #epochs: Epochs;
  readonly #live: LiveSessions;
  /** Random name of this process. */
  readonly #process = randomId();
  /** Refresh tokens and their successors. */
  readonly refreshTokens: RefreshTokens;
  /** What happens to all sessions of a user at once. */
  readonly ofUser: UserSessions;

  constructor({ settings, scope, service, serverKey, reused }: SessionsOptions) {
    this.settings = settings;
    this.scope = scope;
    this.#store = new SessionStore(service);
    this.#epochs = new Epochs(service);
    this.#live = new LiveSessions({
      store: this.#store,
      epochs: this.#epochs,
      changes: new Changes(service),
      scope,
      process: this.#process,
      settings,
    });
    this.ofUser = new UserSessions({
      store: this.#store,
      epochs: this.#epochs,
      live: this.#live,
      scope,
      settings,
      process: this.#process,
      end: (session) => this.end(session),
    });
    this.refreshTokens = new RefreshTokens({
      settings,
      scope,
      store: this.#store,
      process: this.#process,
      serverKey,
      isOfPresentEpoch: async ({ user, epoch }) => (await this.#epochs.read(epochKey(scope, user))) <= epoch,
      endReused: async ({ id, user }) => {
        await this.end(id);
        reused({ session: id, user });
      },
    });
  }

  /**
   * The epoch that a login now belongs to: read before the secret is looked at, it ends with whatever changes the secret
   * afterwards.
   *
   * @param user id of the entity; the empty text for none
   * @throws Unavailable (503)
   */
  async epochOf(user: string): Promise<number> {
    return user === '' ? 0 : this.#epochs.read(epochKey(this.scope, user));
  }

  /**
   * Prepares a session of a login; storing it writes it.
   *
   * @param user id of the entity
   * @param epoch of {@link epochOf}, read before the login was verified
   * @param secrets those of the user, with which the session ends; `undefined` where there is no user
   * @param origin the login at another system that it came from; `undefined` for a login of our own
   */
  begin(user: string, epoch: number, client: SessionClient = {}, secrets?: EntitySecrets, origin?: LoginOrigin): SessionDraft {
    const { scope, settings } = this;
    const owner = { scope, user, epoch, secrets, process: this.#process, client, origin };
    const create = (id: string, record: Omit<SessionRecord, 'purgeAt'>): Promise<void> => this.#store.create(id, record);
    return sessionOfLogin(owner, settings, create, (id) => {
      // What fails is done as soon as the store answers again.
      this.end(id).catch(() => undefined);
    });
  }

  /** Stores a machine token or an API key, which can be listed and ended as sessions are. */
  async beginMachine(machine: MachineSession): Promise<void> {
    const { id, name, scopes, expiresAt, digest, ...owner } = machine;
    const [key, now] = [randomSecret(), Date.now()];
    const blank = newSession({ ...owner, scope: this.scope, key, process: this.#process, now, client: {} });
    await this.#store.create(id, { ...blank, name, scopes, refresh: digest, expiresAt });
  }

  /**
   * Checks the session of an access token, without a question to the store in most cases.
   *
   * @returns the session
   * @throws NotAuthenticated (401) when it has ended, Unavailable (503) when that can not be told
   */
  async check(session: unknown, user: unknown): Promise<StoredSession> {
    const found = typeof session === 'string' ? await this.#live.find(session, typeof user === 'string' ? user : '') : 'ended';
    if (found === 'ended') throw endedSession();
    if (found === 'former') throw formerSession();
    return found;
  }

  /**
   * Checks that the user of a session that was checked still has the secrets that it began with: what changes a password ends
   * sessions by that alone, whoever else knows of it (decisions 0026).
   *
   * @param secrets those of the user, read after the session was checked
   * @throws NotAuthenticated (401), Unavailable (503)
   */
  async checkSecrets(session: string, secrets: EntitySecrets): Promise<void> {
    if (await this.#live.hasSecrets(session, secrets)) return;
    // For lists and connections; a store that fails here changes nothing for the caller.
    await this.end(session).catch(() => undefined);
    throw endedSession();
  }

  /**
   * Ends all sessions of a user: after a changed password, for a disabled or removed user, or because the user asks.
   *
   * @param user id of the entity: text, a number, or an object id
   * @throws TypeError for what is no id
   */
  async endAll(user: string | number | object): Promise<void> {
    await this.ofUser.endAll(userId(user, 'endAll'));
  }

  /**
   * @param user id of the entity, as for {@link endAll}
   * @returns the sessions, machine tokens and API keys of a user that live
   * @throws TypeError for what is no id
   */
  async list(user: string | number | object): Promise<StoredSession[]> {
    return this.ofUser.list(userId(user, 'list'));
  }

  /** @returns an API key that lives, as it is stored; `undefined` when there is none */
  async findKey(id: string): Promise<StoredSession | undefined> {
    const found = await this.#live.find(id, undefined);
    return typeof found === 'object' && found.kind === 'key' ? found : undefined;
  }

  /** Notes that a key was used; a store that fails changes nothing. */
  noteUsed(id: string): void {
    this.#store.noteUsed(id, Date.now()).catch(() => undefined);
  }

  /** Ends one session, machine token or API key. */
  async end(session: string): Promise<void> {
    await this.#live.announce({ kind: 'session', id: session }, () => this.#store.end(session, this.scope, Date.now()));
  }

  /** Tells of a session whose record is there no more. */
  async removed(session: string): Promise<void> {
    await this.#live.announce({ kind: 'session', id: session });
  }

  /**
   * Ends the sessions that came from a login at another system, in all processes: all logins of a subject there, or those of one session
   * there. The store has no index for them unless the application makes one.
   *
   * @param origin with the session, that one alone counts; else the subject
   * @returns how many
   * @throws Unavailable (503)
   */
  async endOfOrigin(origin: Omit<LoginOrigin, 'subject'> & { readonly subject?: string | undefined }): Promise<number> {
    const found = await this.#store.ofOrigin(origin, this.scope);
    for (const { id } of found) await this.end(id);
    return found.length;
  }

  /**
   * Ends a session that this process knows as ended once more: whoever ended it may have died, or failed, before it was written
   * or the others could be told.
   *
   * @param user id of the entity that the token names
   * @throws Unavailable (503)
   */
  async endAgain(session: string, user: unknown): Promise<void> {
    const record = await this.#store.read(session);
    if (record && isOfScope(record, this.scope) && record.user === user) await this.end(session);
  }

  /** Ends a single token that has no session. */
  async revoke(token: string, until: Date | null): Promise<void> {
    await this.#live.announce({ kind: 'token', id: token }, () => this.#store.revoke(token, until));
  }

  /** @returns whether a single token was ended */
  async isRevoked(token: string): Promise<boolean> {
    return this.#live.isRevoked(token);
  }

  /** Calls a listener when sessions end, in this process or another. */
  watch(listener: EndListener): () => void {
    return this.#live.watch(listener);
  }

  /** Stops asking the store. */
  stop(): void {
    this.#live.stop();
  }
}
