import { hasMarkedSecrets, withRenewed, type EntitySecrets } from '../entity/secret-marks.ts';
import { Changes } from './changes.ts';
import { Epochs, epochKey } from './epoch.ts';
import { LiveSessions, type EndListener } from './live-sessions.ts';
import { newSession } from './new-session.ts';
import { RefreshTokens } from './refresh-session.ts';
import { digestOf, formatRefreshToken, randomId, randomSecret } from './refresh-token.ts';
import { endedSession, formerSession } from './refuse-session.ts';
import type { SessionClient } from './session-client.ts';
import type { SessionDraft } from './session-draft.ts';
import { isSessionOver } from './session-over.ts';
import { isOfScope, type SessionScope } from './session-scope.ts';
import type { SessionSettings } from './session-settings.ts';
import { SessionStore } from './session-store.ts';
import type { SessionStoreService, StoredSession } from './session-types.ts';

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

/** What is stored of a machine token or an API key besides what all sessions have. */
export interface MachineSession {
  readonly kind: 'token' | 'key';
  readonly id: string;
  /** Id of the entity; the empty text for none. */
  readonly user: string;
  /** Of {@link Sessions.epochOf}, read before the entity. */
  readonly epoch: number;
  /** Those of the entity; `undefined` where there is none. */
  readonly secrets: EntitySecrets | undefined;
  readonly name: string;
  readonly scopes: readonly string[] | null;
  /** Milliseconds since 1970; `null` for never. */
  readonly expiresAt: number | null;
  /** Digest of the key. */
  readonly digest: string | null;
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
   */
  begin(user: string, epoch: number, client: SessionClient = {}, secrets?: EntitySecrets): SessionDraft {
    const [id, secret, key, now] = [randomId(), randomSecret(), randomSecret(), Date.now()];
    const refresh = this.settings.refresh === false ? null : digestOf(secret);
    const expiresAt = now + this.settings.maxAge;
    const idleUntil = refresh === null ? expiresAt : Math.min(now + this.settings.idle, expiresAt);
    const { scope } = this;
    const blank = newSession({ scope, kind: 'session', user, epoch, secrets, key, process: this.#process, now, client });
    const record = { ...blank, refresh, expiresAt, idleUntil };
    return {
      id,
      user,
      refreshToken: refresh === null ? undefined : formatRefreshToken(id, secret, key),
      claims: { sid: id, iat: Math.floor(now / 1000) },
      jwtid: undefined,
      hasSecrets: () => true,
      store: () => this.#store.create(id, record),
      answered: () => undefined,
      lost: () => undefined,
    };
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
   * Lets the sessions of a user live on when a secret is about to be stored in another form, such as a renewed hash of the same
   * password.
   *
   * @param user id of the entity
   * @param before the entity as it is stored
   * @param after the entity as it will be stored
   * @throws Unavailable (503) when that can not be noted: then the secret must not be stored
   */
  async keepThroughRenewal(user: string, before: EntitySecrets, after: unknown): Promise<void> {
    for (const { id, key, secrets } of await this.#store.of(user, this.scope)) {
      if (secrets && hasMarkedSecrets(before, key, secrets)) await this.#store.noteSecrets(id, withRenewed(secrets, after, key));
    }
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

  /**
   * Ends all sessions of a user: after a changed password, for a disabled or removed user, or because the user asks.
   *
   * @param user id of the entity
   * @throws TypeError for the empty text: that is everybody without an entity
   */
  async endAll(user: string): Promise<void> {
    if (user === '') throw new TypeError('Sessions.endAll needs the id of a user');
    const key = epochKey(this.scope, user);
    const tell = async (epoch: number): Promise<void> => this.#live.announce({ kind: 'user', key, epoch });
    // Raised again later it would end what begins meanwhile: then only what was written is told.
    const epoch = await this.#live.finish(
      () => this.#epochs.raise(key),
      async () => tell(await this.#epochs.read(key)),
    );
    await tell(epoch);
  }

  /**
   * Ends the sessions of a user whose entity was changed or removed. They count no more already, so nothing fails where the
   * store does: what is left to do is to tell, which is done once the store answers.
   *
   * @param user id of the entity
   */
  async endChanged(user: string): Promise<void> {
    await told(this.endAll(user));
  }

  /**
   * Ends the sessions of a user that began with other secrets, as {@link endChanged} does.
   *
   * @param user id of the entity
   * @param present the entity as it is stored now
   */
  async endOutdated(user: string, present: EntitySecrets): Promise<void> {
    const end = async (): Promise<void> => {
      for (const { id, key, secrets } of await this.#store.of(user, this.scope)) {
        if (secrets && !hasMarkedSecrets(present, key, secrets)) await this.end(id);
      }
    };
    await told(end());
  }

  /**
   * Ends all sessions of users who are about to be enabled, and returns once every process knows it: whoever disabled them may have died
   * before it could tell. It takes about a second where there are sessions.
   *
   * @param users ids of the entities
   * @throws Unavailable (503): then they must not be enabled
   */
  async endBeforeEnabling(users: readonly string[]): Promise<void> {
    let found = 0;
    for (const user of users) {
      await this.endAll(user);
      found += (await this.#store.of(user, this.scope)).length;
    }
    if (found > 0) await this.#live.heardEverywhere();
  }

  /** @returns the sessions, machine tokens and API keys of a user that live */
  async list(user: string): Promise<StoredSession[]> {
    const [epoch, found] = [await this.#epochs.read(epochKey(this.scope, user)), await this.#store.of(user, this.scope)];
    return found.filter((one) => one.epoch >= epoch && !isSessionOver(one, this.settings, this.#process));
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

/** What fails is told, and done once the store answers or with the next use of each session. */
async function told(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    process.emitWarning(`The sessions of a user that was changed are not written as ended yet: ${String(error)}`);
  }
}
