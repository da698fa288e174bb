import type { JSONSchema } from '../json-schema.ts';
import { BOUNDED_DATE, BY_FUNCTION, lost } from './lost-parts.ts';

/** What arktype lets be said of a part that JSON Schema has no word for. */
interface ArktypePart {
  /** What it would say of the part, which is less than the part says. */
  readonly base: JSONSchema;
  readonly code: string;
  /** Bounds of a date. */
  readonly after?: unknown;
  readonly before?: unknown;
  /** The one value that there is. */
  readonly unit?: unknown;
}

const CHANGE = 'A change of what is given, or a default (pipe, trim, parse, delete, =)';

/** What would be lost, by the kind of part. Every other kind is of JavaScript alone. */
const LOST: ReadonlyMap<string, string> = new Map([
  ['predicate', `${BY_FUNCTION} (narrow)`],
  ['morph', CHANGE],
  ['arrayPostfix', 'A list with elements behind those of any number'],
  ['arrayObject', 'A list with properties of its own'],
  ['patternIntersection', 'A second pattern of the name of a property'],
]);

/** @param checks whether nothing but the JSON Schema checks values */
export function arktypeOptions(checks: boolean): object {
  return checks
    ? { fallback: described }
    : { fallback: { date: ({ base }: ArktypePart) => ({ ...base, date: true }), predicate: ({ base }: ArktypePart) => base } };
}

/**
 * Refuses what the JSON Schema of what a schema puts out says nothing of: that it changes values before, and fills in what is missing.
 *
 * @throws Error that says what would be lost
 */
export function refuseTransforms(schema: object): void {
  if ('includesTransform' in schema && schema.includesTransform === true) throw lost(CHANGE);
}

function described({ base, code, after, before, unit }: ArktypePart): JSONSchema {
  // Dates are values here, and have no word in JSON Schema.
  if (code === 'date' && (after ?? before) === undefined) return { ...base, date: true };
  if (code === 'date') throw lost(BOUNDED_DATE);
  if (code === 'unit' && (unit === undefined || Number.isNaN(unit))) return { ...base, not: {} };
  throw lost(LOST.get(code) ?? 'A value that JSON does not have (an instance of a class, a Map, a Set, a bigint, a symbol)');
}
