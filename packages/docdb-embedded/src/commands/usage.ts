import type { Doc } from '../bson/values.ts';

/** Calls of a kind, and the microseconds that they took. */
interface Share {
  time: number;
  count: number;
}

/** What is told apart of a collection's use. */
type Kind = 'total' | 'readLock' | 'writeLock' | 'queries' | 'getmore' | 'insert' | 'update' | 'remove' | 'commands';

const KINDS: readonly Kind[] = ['total', 'readLock', 'writeLock', 'queries', 'getmore', 'insert', 'update', 'remove', 'commands'];
const KIND_OF: ReadonlyMap<string, Kind> = new Map([
  ['find', 'queries'],
  ['getMore', 'getmore'],
  ['insert', 'insert'],
  ['update', 'update'],
  ['delete', 'remove'],
]);
/** Commands with a collection in their name that change nothing in it. */
const READS: ReadonlySet<string> = new Set([
  ...['aggregate', 'collStats', 'collstats', 'count', 'dataSize', 'datasize', 'distinct', 'explain', 'find', 'getMore', 'listIndexes'],
  'validate',
  ...['planCacheClear', 'planCacheClearFilters', 'planCacheListFilters', 'planCacheSetFilter'],
]);
const REQUESTS = ['reads', 'writes', 'commands'] as const;
/** Requests as `$collStats` tells them apart: those for documents, those that change documents, and others. */
type Request = (typeof REQUESTS)[number];

const REQUEST_OF: ReadonlyMap<string, Request> = new Map([
  ...['aggregate', 'count', 'distinct', 'find', 'getMore'].map((name) => [name, 'reads'] as const),
  ...['delete', 'findAndModify', 'findandmodify', 'insert', 'update'].map((name) => [name, 'writes'] as const),
]);

/** What is counted of one collection. */
interface Counted {
  readonly shares: Record<Kind, Share>;
  readonly requests: Record<Request, Share>;
}

/** Collections that are counted; the one that was used first goes. */
const MOST = 10_000;
/** Signs of a name that a collection may have: what was asked for by a longer one was refused. */
const LONGEST_NAME = 255;

/** How often collections were used, and for how long, since the server started. */
export class Usage {
  readonly #collections = new Map<string, Counted>();

  /** Notes a command that has ended. @param milliseconds how long it took */
  note(ns: string, name: string, milliseconds: number): void {
    if (ns.length > LONGEST_NAME) return;
    const { shares, requests } = this.#collections.get(ns) ?? this.#added(ns);
    const time = Math.round(milliseconds * 1000);
    const kinds = ['total', READS.has(name) ? 'readLock' : 'writeLock', KIND_OF.get(name) ?? 'commands'] as const;
    for (const share of [...kinds.map((kind) => shares[kind]), requests[REQUEST_OF.get(name) ?? 'commands']]) {
      share.time += time;
      share.count += 1;
    }
  }

  #added(ns: string): Counted {
    const [first] = this.#collections.size < MOST ? [] : this.#collections.keys();
    if (first !== undefined) this.#collections.delete(first);
    const share = (): Share => ({ time: 0, count: 0 });
    const shares = {
      ...{ total: share(), readLock: share(), writeLock: share(), queries: share(), getmore: share() },
      ...{ insert: share(), update: share(), remove: share(), commands: share() },
    };
    const counted = { shares, requests: { reads: share(), writes: share(), commands: share() } };
    this.#collections.set(ns, counted);
    return counted;
  }

  /** @returns what was counted of the collections that there are, as `top` shows it */
  totals(exists: (ns: string) => boolean): Doc {
    const rows = [...this.#collections].filter(([ns]) => exists(ns)).sort(([one], [other]) => (one < other ? -1 : 1));
    const shown = ({ time, count }: Share): Doc => ({ time: BigInt(time), count: BigInt(count) });
    return {
      note: 'all times in microseconds',
      ...Object.fromEntries(rows.map(([ns, { shares }]) => [ns, Object.fromEntries(KINDS.map((kind) => [kind, shown(shares[kind])]))])),
    };
  }

  /** @returns how many requests of each kind a collection had and what they took, as `$collStats` shows it */
  latencyOf(ns: string): Doc {
    const requests = this.#collections.get(ns)?.requests;
    const shown = ({ time, count }: Share): Doc => ({ latency: BigInt(time), ops: BigInt(count), queryableEncryptionLatencyMicros: 0n });
    return {
      ...Object.fromEntries(REQUESTS.map((request) => [request, shown(requests?.[request] ?? { time: 0, count: 0 })])),
      transactions: shown({ time: 0, count: 0 }),
    };
  }
}
