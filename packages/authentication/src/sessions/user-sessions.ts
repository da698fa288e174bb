import { hasMarkedSecrets, withRenewed, type EntitySecrets } from '../entity/secret-marks.ts';
import { epochKey, type Epochs } from './epoch.ts';
import type { LiveSessions } from './live-sessions.ts';
import { isSessionOver } from './session-over.ts';
import type { SessionScope } from './session-scope.ts';
import type { SessionSettings } from './session-settings.ts';
import type { SessionStore } from './session-store.ts';
import type { StoredSession } from './session-types.ts';

/** What {@link UserSessions} are made with. */
export interface UserSessionsOptions {
  readonly store: SessionStore;
  readonly epochs: Epochs;
  readonly live: LiveSessions;
  readonly scope: SessionScope;
  readonly settings: SessionSettings;
  /** Random name of this process. */
  readonly process: string;
  /** Ends one session. */
  readonly end: (session: string) => Promise<void>;
}

/** What happens to all sessions of a user at once. */
export class UserSessions {
  readonly #store: SessionStore;
  readonly #epochs: Epochs;
  readonly #live: LiveSessions;
  readonly #scope: SessionScope;
  readonly #settings: SessionSettings;
  readonly #process: string;
  readonly #end: (session: string) => Promise<void>;

  constructor({ store, epochs, live, scope, settings, process, end }: UserSessionsOptions) {
    this.#store = store;
    this.#epochs = epochs;
    this.#live = live;
    this.#scope = scope;
    this.#settings = settings;
    this.#process = process;
    this.#end = end;
  }

  /** @returns the sessions, machine tokens and API keys of a user that live */
  async list(user: string): Promise<StoredSession[]> {
    const [epoch, found] = [await this.#epochs.read(epochKey(this.#scope, user)), await this.#store.of(user, this.#scope)];
    return found.filter((one) => one.epoch >= epoch && !isSessionOver(one, this.#settings, this.#process));
  }

  /**
   * Ends all sessions of a user: after a changed password, for a disabled or removed user, or because the user asks.
   *
   * @param user id of the entity
   * @throws TypeError for the empty text: that is everybody without an entity
   */
  async endAll(user: string): Promise<void> {
    if (user === '') throw new TypeError('Sessions.endAll needs the id of a user');
    const key = epochKey(this.#scope, user);
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
      for (const { id, key, secrets } of await this.#store.of(user, this.#scope)) {
        if (secrets && !hasMarkedSecrets(present, key, secrets)) await this.#end(id);
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
      found += (await this.#store.of(user, this.#scope)).length;
    }
    if (found > 0) await this.#live.heardEverywhere();
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
    for (const { id, key, secrets } of await this.#store.of(user, this.#scope)) {
      if (secrets && hasMarkedSecrets(before, key, secrets)) await this.#store.noteSecrets(id, withRenewed(secrets, after, key));
    }
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
