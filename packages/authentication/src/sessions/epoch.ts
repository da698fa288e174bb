import { createHash } from 'node:crypto';
import { isNew, orNothing } from './store-call.ts';
import type { SessionScope } from './session-scope.ts';
import type { SessionStoreService } from './session-types.ts';

interface EpochRecord {
  readonly epoch: number;
}

/**
 * The epochs of users: numbers that only grow. What ends all sessions of a user raises the number; a session remembers the one
 * that it began with and has ended once there is a later one. No clock has a part in it. The records are never removed, since a
 * number that began anew would bring back what had ended.
 */
export class Epochs {
  readonly #service: () => SessionStoreService;

  /** @param service gives the service that stores sessions */
  constructor(service: () => SessionStoreService) {
    this.#service = service;
  }

  /**
   * @param key of {@link epochKey}
   * @returns the epoch now; 0 for a user whose sessions were never ended
   */
  async read(key: string): Promise<number> {
    return (await this.#record(key))?.epoch ?? 0;
  }

  /**
   * Raises an epoch. When somebody else raises it at the same time, once is enough: that ended the same sessions.
   *
   * @param key of {@link epochKey}
   * @returns the epoch after it
   */
  async raise(key: string): Promise<number> {
    const before = await this.#record(key);
    const epoch = (before?.epoch ?? 0) + 1;
    if (!before) {
      const data = { [this.#service().id ?? 'id']: key, kind: 'user', epoch };
      return (await isNew(this.#service().create(data))) ? epoch : this.read(key);
    }
    const raised = await orNothing(this.#service().patch(key, { epoch }, { query: { epoch: before.epoch } }));
    return raised ? epoch : this.read(key);
  }

  async #record(key: string): Promise<EpochRecord | undefined> {
    return (await orNothing(this.#service().get(key))) as EpochRecord | undefined;
  }
}

/** @returns the key of a user's epoch: of one authentication service, audience and entity service */
export function epochKey({ service, audience, entity }: SessionScope, user: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([service, audience, entity, user]))
    .digest('base64url');
  return `user:${digest}`;
}
