/** A record with its password hash. */
export type Entity = Readonly<Record<string, unknown>>;

/** Renewals that are remembered: more logins of one user at once than hashes may wait is not possible. */
const CAPACITY = 200;

/**
 * Renewals of password hashes. Of many logins at once that have compared the same hash one stores a new one, and the others take
 * that too: each would otherwise see the hash of another where it expects its own.
 */
export class HashRenewals {
  readonly #renewals = new Map<string, Promise<Entity>>();

  /**
   * @param id id of the entity
   * @param hash the hash that is renewed
   * @param renew stores a new one, and gives the entity with it
   */
  async once(id: string, hash: string, renew: () => Promise<Entity>): Promise<Entity> {
    const key = JSON.stringify([id, hash]);
    const known = this.#renewals.get(key);
    if (known) return known;
    const [oldest] = this.#renewals.keys();
    if (oldest !== undefined && this.#renewals.size >= CAPACITY) this.#renewals.delete(oldest);
    const renewal = renew();
    this.#renewals.set(key, renewal);
    renewal.catch(() => this.#renewals.delete(key));
    return renewal;
  }
}
