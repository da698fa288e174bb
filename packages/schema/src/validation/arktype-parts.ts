import type { JSONSchema } from '../json-schema.ts';
import { mapSchemas } from '../record-shape/keywords.ts';
import { BOUNDED_DATE, BY_FUNCTION, FLAG, hasLostFlag, lost } from './lost-parts.ts';

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

/** What arktype gives of its patterns, wherever they are. */
interface ArktypePattern {
  readonly rule: string;
  readonly flags?: string;
}

/** Of a pattern the JSON Schema of arktype has the source, and says nothing of the rest. */
function flaggedPatterns(schema: object): ReadonlySet<unknown> {
  const { select } = schema as { readonly select?: (kind: 'pattern') => readonly ArktypePattern[] };
  const patterns = typeof select === 'function' ? select.call(schema, 'pattern') : [];
  return new Set(patterns.filter(({ flags }) => hasLostFlag(flags)).map(({ rule }) => rule));
}

/**
 * @param checks whether nothing but the JSON Schema checks values
 * @returns the JSON Schema without the patterns of which it has less than there is
 * @throws Error where it checks values
 */
export function withoutFlagged(given: JSONSchema, schema: object, checks: boolean): JSONSchema {
  const flagged = flaggedPatterns(schema);
  if (flagged.size === 0) return given;
  if (checks) throw lost(FLAG);
  const without = (part: JSONSchema): JSONSchema => {
    const { pattern, ...rest } = mapSchemas(part, without);
    return pattern === undefined || flagged.has(pattern) ? rest : { ...rest, pattern };
  };
  return without(given);
}

function described({ base, code, after, before, unit }: ArktypePart): JSONSchema {
  // Dates are values here, and have no word in JSON Schema.
  if (code === 'date' && (after ?? before) === undefined) return { ...base, date: true };
  if (code === 'date') throw lost(BOUNDED_DATE);
  if (code === 'unit' && (unit === undefined || Number.isNaN(unit))) return { ...base, not: {} };
  throw lost(LOST.get(code) ?? 'A value that JSON does not have (an instance of a class, a Map, a Set, a bigint, a symbol)');
}
