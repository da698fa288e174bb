import { secretsOf } from '../entity/entity-state.ts';
import { hasMarkedSecrets, type EntitySecrets } from '../entity/secret-marks.ts';
import type { StoredSession } from './session-types.ts';

/** Time after which a session is read again, in milliseconds: a process that dies may end one without a word. */
const REREAD = 30_000;

/** What a process remembers of a session that lives. */
export class KnownSession {
  readonly record: StoredSession;
  /** Key of the epoch of its user. */
  readonly epochKey: string;
  readonly #readAt = performance.now();
  /** Secrets that were found to be those of the marks; in memory alone. */
  #secrets: string | undefined;

  constructor(record: StoredSession, epochKey: string) {
    this.record = record;
    this.epochKey = epochKey;
  }

  /** Whether it was read a short time ago, by this process's own stopwatch. */
  get isFresh(): boolean {
    return performance.now() - this.#readAt <= REREAD;
  }

  /** @returns whether the user still has the secrets that the session began with */
  hasSecrets(secrets: EntitySecrets): boolean {
    const text = secretsOf(secrets.entity, secrets.fields);
    if (text === this.#secrets) return true;
    const { record } = this;
    const same = !record.secrets || hasMarkedSecrets(secrets, record.key, record.secrets);
    if (same) this.#secrets = text;
    return same;
  }
}
