import type { Doc } from '../bson/values.ts';

/** Calls of a kind, and the microseconds that they took. */
interface Share {
  time: number;
  count: number;
}

/** What is told apart of a collection's use. */
type Kind = 'total' | 'readLock' | 'writeLock' | 'queries' | 'getmore' | 'insert' | 'update' | 'remove' | 'commands';

const KINDS: readonly Kind[] = ['total', 'readLock', 'writeLock', 'queries', 'getmore', 'insert', 'update', 'remove', 'commands'];
const KIND_OF: Readonly<Record<string, Kind>> = {
  find: 'queries',
  getMore: 'getmore',
  insert: 'insert',
  update: 'update',
  delete: 'remove',
};
/** Commands with a collection in their name that change nothing in it. */
const READS: ReadonlySet<string> = new Set([
  ...['aggregate', 'collStats', 'collstats', 'count', 'dataSize', 'datasize', 'distinct', 'explain', 'find', 'getMore', 'listIndexes'],
  'validate',
  ...['planCacheClear', 'planCacheClearFilters', 'planCacheListFilters', 'planCacheSetFilter'],
]);
/** Collections that are counted; the one that was used first goes. */
const MOST = 10_000;

/** How often collections were used, and for how long, since the server started. */
export class Usage {
  readonly #collections = new Map<string, Record<Kind, Share>>();

  /** Notes a command that has ended. @param milliseconds how long it took */
  note(ns: string, name: string, milliseconds: number): void {
    const shares = this.#collections.get(ns) ?? this.#added(ns);
    const time = Math.round(milliseconds * 1000);
    for (const kind of ['total', READS.has(name) ? 'readLock' : 'writeLock', KIND_OF[name] ?? 'commands'] as const) {
      shares[kind].time += time;
      shares[kind].count += 1;
    }
  }

  #added(ns: string): Record<Kind, Share> {
    const [first] = this.#collections.size < MOST ? [] : this.#collections.keys();
    if (first !== undefined) this.#collections.delete(first);
    const share = (): Share => ({ time: 0, count: 0 });
    const shares = {
      ...{ total: share(), readLock: share(), writeLock: share(), queries: share(), getmore: share() },
      ...{ insert: share(), update: share(), remove: share(), commands: share() },
    };
    this.#collections.set(ns, shares);
    return shares;
  }

  /** @returns what was counted of the collections that there are, as `top` shows it */
  totals(exists: (ns: string) => boolean): Doc {
    const rows = [...this.#collections].filter(([ns]) => exists(ns)).sort(([one], [other]) => (one < other ? -1 : 1));
    const shown = ({ time, count }: Share): Doc => ({ time: BigInt(time), count: BigInt(count) });
    return {
      note: 'all times in microseconds',
      ...Object.fromEntries(rows.map(([ns, shares]) => [ns, Object.fromEntries(KINDS.map((kind) => [kind, shown(shares[kind])]))])),
    };
  }
}
