import { encode } from '../bson/encode.ts';
import type { Doc, Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import type { Collection } from '../storage/collection.ts';
import type { IndexDefinition } from '../storage/index-definition.ts';
import type { Reader } from '../storage/reader.ts';
import type { CommandContext } from './command.ts';

/** Bytes of ids that an error names: its answer has to be sent. */
const MOST_BYTES = 8 * 1024 * 1024;
const CANNOT = 'Cannot convert the index to unique.';

/** Documents that have a key in common. */
interface Violation {
  readonly ids: Value[];
}

interface Holders extends Violation {
  readonly key: readonly Value[];
}

/**
 * An index becomes unique only when no two documents share a key. They are looked up in its order, where those that do stand
 * beside each other.
 *
 * @throws DocDbError (359) when some do
 */
export async function checkConvertible(
  { operation }: CommandContext,
  reader: Reader,
  collection: Collection,
  index: IndexDefinition,
): Promise<void> {
  if (index.fields.length === 0) return;
  const violations: Violation[] = [];
  const step = new SharedKeys(index);
  let last: { readonly key: Buffer; readonly record: number } | undefined;
  for (const { key, record } of reader.entriesOf(index)) {
    if (last?.key.equals(key) !== true) {
      violations.push(...step.take());
      last = { key: Buffer.from(key), record };
    } else {
      for (const one of step.isEmpty ? [last.record, record] : [record]) step.add(last.key, reader.at(collection, one)?.doc ?? {});
      if (step.bytes > MOST_BYTES) throw refusal(' Too many conflicting documents were detected.', [...violations, ...step.take()]);
    }
    await operation.turn();
  }
  violations.push(...step.take());
  if (violations.length > 0) throw refusal('', violations);
}

/** The keys of documents that have the same bytes in an index. */
class SharedKeys {
  readonly #index: IndexDefinition;
  #holders: Holders[] = [];
  /** Bytes of the ids of those that have one in common, of all that were looked at. */
  bytes = 0;

  constructor(index: IndexDefinition) {
    this.#index = index;
  }

  get isEmpty(): boolean {
    return this.#holders.length === 0;
  }

  add(key: Buffer, doc: Doc): void {
    for (const values of this.#index.valuesOf(doc)) {
      if (!this.#index.keyOf(values).bytes.equals(key)) continue;
      // Keys that are not the same may have the same bytes.
      const same = this.#holders.find((other) => this.#index.sameKey(other.key, values));
      if (same) {
        same.ids.push(doc._id);
        this.bytes += encode({ id: doc._id }).length;
      } else this.#holders.push({ key: values, ids: [doc._id] });
    }
  }

  /** @returns those that have a key in common; it begins anew */
  take(): Violation[] {
    const shared = this.#holders.flatMap(({ ids }) => (ids.length > 1 ? [{ ids }] : []));
    this.#holders = [];
    return shared;
  }
}

function refusal(more: string, violations: readonly Violation[]): DocDbError {
  return new DocDbError(359, `${CANNOT}${more} Please resolve conflicting documents before running collMod again.`, { violations });
}
