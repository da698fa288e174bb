import type { Collator } from '../../bson/collation.ts';
import type { Value } from '../../bson/values.ts';
import { KeyWriter } from './key-writer.ts';
import { typeByte, writeValue } from './value-key.ts';

/** Bytes of a key that hold values; LMDB takes keys of 954 with pages of 2,048. */
const MAX_VALUES = 900;

/** How the fields of an index order its keys. */
export interface KeyOrder {
  readonly directions: readonly (1 | -1)[];
  readonly collator: Collator | undefined;
}

/** The bytes that an index has for some values. */
export interface IndexKey {
  readonly bytes: Buffer;
  /** Whether other values may have the same bytes: then the documents decide. */
  readonly coarse: boolean;
}

const writer = new KeyWriter();

function write(values: readonly Value[], { directions, collator }: KeyOrder): boolean {
  writer.length = 0;
  for (const [at, value] of values.entries()) {
    const from = writer.length;
    const exact = writeValue(writer, value, collator);
    if (directions[at] === -1) writer.invert(from);
    // Behind a coarse value the next one would decide too early.
    if (!exact) return true;
  }
  return false;
}

/** @returns the key of the first values of an index, cut where it would be too long */
export function indexKey(values: readonly Value[], order: KeyOrder): IndexKey {
  const coarse = write(values, order);
  if (writer.length <= MAX_VALUES) return { bytes: writer.finish(), coarse };
  writer.length = MAX_VALUES;
  return { bytes: writer.finish(), coarse: true };
}

/** A bound of the field behind the equal ones. */
export interface Bound {
  readonly value: Value;
  readonly inclusive: boolean;
  /** Whether values of all types lie on its side, and not those of its own type alone. */
  readonly across?: boolean;
}

/** Bytes from which keys lie in a range, and from which they lie behind it. */
export interface ByteRange {
  readonly start: Buffer;
  readonly end: Buffer;
}

/**
 * The keys whose first fields equal some values and whose next field lies between two bounds. Where keys are coarse the
 * range may hold more, never less.
 */
export function byteRange(
  { equal, low, high }: { readonly equal: readonly Value[]; readonly low: Bound | undefined; readonly high: Bound | undefined },
  order: KeyOrder,
): ByteRange {
  const prefix = indexKey(equal, order);
  if (prefix.coarse || (!low && !high)) return { start: prefix.bytes, end: behind(prefix.bytes) };
  const descending = order.directions[equal.length] === -1;
  const known = low ?? high;
  const type = known?.across
    ? prefix.bytes
    : Buffer.concat([prefix.bytes, Buffer.of(descending ? ~typeByte(known?.value) & 0xff : typeByte(known?.value))]);
  const [first, last] = descending ? [high, low] : [low, high];
  return {
    start: first ? edge(equal, first, order, !first.inclusive) : type,
    end: last ? edge(equal, last, order, last.inclusive) : behind(type),
  };
}

/** @returns where the keys of a bound begin, or where they have ended */
function edge(equal: readonly Value[], { value, inclusive }: Bound, order: KeyOrder, after: boolean): Buffer {
  const { bytes, coarse } = indexKey([...equal, value], order);
  // Of a coarse key's values some may be inside.
  return (coarse && !inclusive ? !after : after) ? behind(bytes) : bytes;
}

/** @returns the first bytes behind all that begin with these */
export function behind(bytes: Buffer): Buffer {
  let length = bytes.length;
  while (length > 0 && bytes[length - 1] === 0xff) length -= 1;
  const next = Buffer.from(bytes.subarray(0, length));
  if (length > 0) next[length - 1] = (next[length - 1] as number) + 1;
  return next;
}
