import { SAME_SECRET, type EntityService } from '@framework/authentication';
import { isRecord, valueAt, withValue } from '../field-path.ts';

/** A record with its password hash. */
export type Entity = Readonly<Record<string, unknown>>;

/** Renewals that are remembered: more logins of one user at once than hashes may wait is not possible. */
const CAPACITY = 200;

/** What renewing needs of the strategy that it is for. */
export interface RenewalHost {
  readonly entities: EntityService | null;
  /** Dotted path of the hash in entities. */
  readonly field: string;
  /** Makes a hash of the present kind. */
  hash(password: string): Promise<string>;
  /** @returns whether a password is that of a hash */
  matches(password: string, hash: unknown): Promise<boolean>;
  /** Lets the sessions of an entity live on when its hash becomes another one of the same password. */
  keepSessions(id: string, before: Entity, after: Entity): Promise<void>;
}

/**
 * Renewals of password hashes. A new hash takes the place of the one that was compared and of no other: whoever has set another password meanwhile
 * keeps it. Of many logins at once that have compared the same hash one stores a new one, and the others take that too.
 */
export class HashRenewals {
  readonly #host: () => RenewalHost;
  readonly #running = new Map<string, Promise<Entity>>();
  /** The hashes that were stored in the place of others. */
  readonly #made = new Map<string, unknown>();

  /** @param host gives what is needed at present */
  constructor(host: () => RenewalHost) {
    this.#host = host;
  }

  /**
   * Stores a new hash in the place of an older one.
   *
   * @param id id of the entity
   * @param compared the entity as it was when the password was compared
   * @returns the entity as it is stored now; the given one where that has another password
   * @throws what the service of the entities throws
   */
  async renew(id: unknown, compared: Entity, password: string): Promise<Entity> {
    const host = this.#host();
    const before = valueAt(compared, host.field);
    const key = JSON.stringify([String(id), before]);
    const stored = await present(host, id, compared);
    if (valueAt(stored, host.field) !== before) return this.#renewedElsewhere(host, key, { compared, stored }, password);
    const running = this.#running.get(key) ?? this.#replace(host, key, id, compared, password);
    this.#running.set(key, running);
    try {
      return await running;
    } finally {
      if (this.#running.get(key) === running) this.#running.delete(key);
    }
  }

  async #replace(host: RenewalHost, key: string, id: unknown, compared: Entity, password: string): Promise<Entity> {
    const { field } = host;
    const hash = await host.hash(password);
    // Making it takes its time.
    const stored = await present(host, id, compared);
    const before = valueAt(compared, field);
    if (valueAt(stored, field) !== before) return this.#renewedElsewhere(host, key, { compared, stored }, password);
    const renewed = withValue(stored, field, hash);
    // First: a session of before must know the new hash by the time at which it is stored.
    await host.keepSessions(String(id), stored, renewed);
    // The property at the top, whole: what stands beside a nested hash stays.
    const [name = ''] = field.split('.');
    const params = { [SAME_SECRET]: (value: unknown) => value === hash };
    if (!(await patchWhere(host, id, { [name]: renewed[name] }, before, params)))
      return this.#renewedElsewhere(host, key, { compared, stored: await present(host, id, compared) }, password);
    const [oldest] = this.#made.keys();
    if (oldest !== undefined && this.#made.size >= CAPACITY) this.#made.delete(oldest);
    this.#made.set(key, hash);
    return renewed;
  }

  /** Another login has stored a new hash of the same password, or somebody another password. */
  async #renewedElsewhere(
    host: RenewalHost,
    key: string,
    { compared, stored }: { readonly compared: Entity; readonly stored: Entity },
    password: string,
  ): Promise<Entity> {
    const hash = valueAt(stored, host.field);
    return this.#made.get(key) === hash || (await host.matches(password, hash)) ? stored : compared;
  }
}

/** The entity as it is stored now; the one that was compared where hooks of the service keep the hash to themselves when it is read by its id. */
async function present(host: RenewalHost, id: unknown, compared: Entity): Promise<Entity> {
  const stored = await read(host, id);
  return valueAt(stored, host.field) === undefined ? compared : stored;
}

async function read({ entities }: RenewalHost, id: unknown): Promise<Entity> {
  const found = await entities?.get(id, { query: {} });
  if (!isRecord(found)) throw new Error('The service of the entities gives no entity');
  return found;
}

/** @returns whether it was written: not where the hash is another one by then */
async function patchWhere(host: RenewalHost, id: unknown, data: object, hash: unknown, params: object): Promise<boolean> {
  const { entities, field } = host;
  const patch = async (query: object): Promise<true> => {
    await entities?.patch(id, data, { ...params, query });
    return true;
  };
  try {
    return await patch({ [field]: hash });
  } catch (error) {
    if (hasCode(error, 404)) return false;
    if (!hasCode(error, 400)) throw error;
  }
  // The queries of a service may know no such condition: then it is looked at a moment before.
  return valueAt(await read(host, id), field) === hash ? patch({}) : false;
}

function hasCode(error: unknown, code: number): boolean {
  return isRecord(error) && error.code === code;
}
