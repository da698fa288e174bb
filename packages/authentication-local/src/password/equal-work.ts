import { decoyOf, isHash, workOf } from './hash-kind.ts';
import { verifyPassword, workOfCost, type HashCost } from './password-hash.ts';

/** Kinds of hashes that are remembered. */
const KINDS = 4;

/** What comparing a password gave. */
export interface Comparison {
  readonly matches: boolean;
  /** Whether the hash is of an older kind or cost and should be made again. */
  readonly outdated: boolean;
}

/**
 * Compares passwords so that every login takes the same work, whoever it is for: one verification for each kind of hash that is
 * in use, the stored one among them (security S23). Kinds of before are known from the start when they are named, and else from
 * the first login that meets them.
 */
export class EqualWork {
  readonly #present: string;
  readonly #works: Set<string>;

  /**
   * @param cost cost of new hashes
   * @param former kinds of hashes that users of before have, by their beginning, for example `$2b$10`
   */
  constructor(cost: HashCost, former: readonly string[]) {
    this.#present = workOfCost(cost);
    this.#works = new Set([this.#present, ...former.map(checkedWork)]);
  }

  /**
   * @param password the password, of any length
   * @param stored the stored hash; anything that is none matches nothing
   * @throws TooManyRequests (429)
   */
  async compare(password: string, stored: unknown): Promise<Comparison> {
    const hash = isHash(stored) ? stored : undefined;
    const own = hash === undefined ? this.#present : workOf(hash);
    if (this.#works.size < KINDS) this.#works.add(own);
    const matches = await verifyPassword(password, hash ?? decoyOf(own));
    for (const work of this.#works) if (work !== own) await verifyPassword(password, decoyOf(work));
    return { matches: matches && hash !== undefined, outdated: hash !== undefined && own !== this.#present };
  }
}

function checkedWork(text: string): string {
  const work = workOf(text);
  if (!isHash(decoyOf(work))) throw new Error(`'${text}' in 'formerHashes' is no beginning of an argon2 or bcrypt hash such as '$2b$10'`);
  return work;
}
