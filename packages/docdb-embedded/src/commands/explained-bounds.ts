import { shownValue } from '../bson/shown-value.ts';
import { typeName } from '../bson/values.ts';
import type { IndexDefinition } from '../storage/index-definition.ts';
import type { Bound } from '../storage/keys/index-key.ts';
import type { IndexRange } from '../storage/plan.ts';

/** One end of an interval. */
interface End {
  readonly text: string;
  readonly inclusive: boolean;
}

const LOWEST: End = { text: 'MinKey', inclusive: true };
const HIGHEST: End = { text: 'MaxKey', inclusive: true };

/** Where the values of a type begin and end: a comparison finds those of one type alone. */
const ENDS: Readonly<Record<string, readonly [End, End]>> = {
  number: [
    { text: '-inf', inclusive: true },
    { text: 'inf', inclusive: true },
  ],
  string: [
    { text: '""', inclusive: true },
    { text: '{}', inclusive: false },
  ],
  bool: [
    { text: 'false', inclusive: true },
    { text: 'true', inclusive: true },
  ],
  date: [
    { text: 'new Date(-9223372036854775808)', inclusive: true },
    { text: 'new Date(9223372036854775807)', inclusive: true },
  ],
  objectId: [
    { text: `ObjectId('${'0'.repeat(24)}')`, inclusive: true },
    { text: `ObjectId('${'f'.repeat(24)}')`, inclusive: true },
  ],
  timestamp: [
    { text: 'Timestamp(0, 0)', inclusive: true },
    { text: 'Timestamp(4294967295, 4294967295)', inclusive: true },
  ],
};

/** @returns the intervals of each field of an index that some ranges read, in the order in which they are read */
export function boundsOf({ fields }: IndexDefinition, ranges: readonly IndexRange[], reverse: boolean): Record<string, string[]> {
  return Object.fromEntries(
    fields.map(({ name, direction }, at) => {
      const intervals = new Set(ranges.map((range) => intervalOf(range, at, (direction === -1) !== reverse)));
      return [name, reverse ? [...intervals].reverse() : [...intervals]];
    }),
  );
}

function intervalOf({ equal, low, high }: IndexRange, at: number, descending: boolean): string {
  if (at < equal.length) {
    const text = shownValue(equal[at]);
    return `[${text}, ${text}]`;
  }
  const isBound = at === equal.length;
  const [first, last] = endsOf(isBound ? low : undefined, isBound ? high : undefined);
  const [from, to] = descending ? [last, first] : [first, last];
  return `${from.inclusive ? '[' : '('}${from.text}, ${to.text}${to.inclusive ? ']' : ')'}`;
}

function endsOf(low: Bound | undefined, high: Bound | undefined): readonly [End, End] {
  const known = low ?? high;
  const type = known && known.across !== true ? typeName(known.value) : undefined;
  const [lowest, highest] = (type && ENDS[NUMBERS.has(type) ? 'number' : type]) ?? [LOWEST, HIGHEST];
  return [low ? endOf(low) : lowest, high ? endOf(high) : highest];
}

const NUMBERS: ReadonlySet<string> = new Set(['int', 'long', 'double', 'decimal']);

function endOf({ value, inclusive }: Bound): End {
  return { text: shownValue(value), inclusive };
}
