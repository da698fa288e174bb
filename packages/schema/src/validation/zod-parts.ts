import type { JSONSchema } from '../json-schema.ts';
import { ANNOTATIONS, walkSchemas } from '../record-shape/keywords.ts';
import { isMarked, MARK_NAMES } from '../record-shape/marks.ts';
import { BOUNDED_DATE, BY_FUNCTION, FLAG, hasLostFlag, lost } from './lost-parts.ts';
import { isStandardSchema, type StandardSchema } from './standard-schema.ts';

/** What zod says of a schema, or of a check in one. */
interface ZodDefinition {
  readonly _zod?: { readonly def?: Readonly<Record<string, unknown>> };
}

/** What zod lets be said of a part that JSON Schema has no word for. */
interface ZodPart {
  readonly zodSchema?: ZodDefinition;
  readonly jsonSchema: JSONSchema;
}

/** Checks of zod that its JSON Schema passes over, by the kind of check. */
const PASSED_OVER: ReadonlyMap<unknown, string> = new Map([
  ['custom', `${BY_FUNCTION} (refine, superRefine, check)`],
  ['overwrite', 'A change of a text (trim, toLowerCase, normalize, overwrite)'],
  ['property', 'A check of a property of a value'],
]);

/** Kinds of zod of which JSON Schema says something else: what comes out of those that change what is given, and text of a file. */
const MISDESCRIBED: ReadonlyMap<unknown, string> = new Map([
  ['file', 'A file'],
  ['prefault', 'A default that is checked (prefault)'],
  ['catch', 'A value in place of a wrong one (catch)'],
]);

/** Kinds of values of zod that JSON Schema has no word for, so that its description would take any value. */
const UNDESCRIBED: ReadonlyMap<unknown, string> = new Map([
  ['bigint', 'A bigint'],
  ['symbol', 'A symbol'],
  ['function', 'A function'],
  ['map', 'A Map'],
  ['set', 'A Set'],
]);

/** Kinds of zod that no value of a record is of. */
const NOTHING: ReadonlySet<unknown> = new Set(['undefined', 'void', 'nan']);

/** Parts that zod leaves out of the JSON Schema of what has them, by its type. */
const LEFT_OUT: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['pipe', ['in']],
  ['map', ['keyType', 'valueType']],
  ['set', ['valueType']],
]);

/** Where it is noted what a part is that is not described. */
const NOTED = 'undescribed';

/** Keywords that say nothing of which values there are. */
const SAYS_NOTHING: ReadonlySet<string> = new Set([...ANNOTATIONS, 'id', ...MARK_NAMES]);

/**
 * @param checks whether nothing but the JSON Schema checks values
 * @param convert gives the JSON Schema of a part, with the options that it gets
 */
export function zodOptions(checks: boolean, convert: (part: StandardSchema, options: object) => unknown): object {
  return new ZodParts(checks, convert).options;
}

/** What the JSON Schema of zod lacks. */
class ZodParts {
  readonly #checks: boolean;
  readonly #convert: (part: StandardSchema, options: object) => unknown;
  readonly #known = new Set<unknown>();
  readonly options: object;

  constructor(checks: boolean, convert: (part: StandardSchema, options: object) => unknown) {
    this.#checks = checks;
    this.#convert = convert;
    this.options = { unrepresentable: 'any', override: this.#complete };
  }

  /** What zod gives has no functions, so that a rule would keep nothing from anybody. */
  readonly #complete = ({ zodSchema, jsonSchema }: ZodPart): void => {
    const { type, checks: listed, ...parts } = zodSchema?._zod?.def ?? {};
    const checks: readonly ZodDefinition[] = Array.isArray(listed) ? listed : [];
    if (type === 'date') jsonSchema.date = true;
    if (NOTHING.has(type)) jsonSchema.not = {};
    if (this.#checks) refusePassedOver(type, checks, parts);
    else if (hasFlaggedPattern(parts, checks)) withoutPatterns(jsonSchema);
    if (this.#checks) noteUndescribed(type, parts, jsonSchema);
    for (const rule of ['readable', 'writable'])
      if (typeof jsonSchema[rule] === 'function')
        throw new Error(
          `A rule '${rule}' is lost where zod gives its JSON Schema: mark the property as hidden or readOnly, or describe the record with Type.Object and Field`,
        );
    if (type === 'transform') throw new Error('A transform can not be seen through: leave it out of the record, and use a resolver');
    for (const name of LEFT_OUT.get(type) ?? []) this.#leftOut(parts[name], String(type), jsonSchema);
  };

  /** A mark in what is left out would mean nothing: it is put where it is refused. */
  #leftOut(part: unknown, type: string, around: JSONSchema): void {
    if (!isStandardSchema(part) || isTransform(part) || this.#known.has(part)) return;
    this.#known.add(part);
    const schema = this.#convert(part, this.options);
    refuseUndescribed(schema);
    let marked = false;
    walkSchemas(schema, (found) => (marked ||= isMarked(found)));
    if (marked) around[type] = schema;
  }
}

/** Nobody but zod knows of these. */
function refusePassedOver(type: unknown, checks: readonly ZodDefinition[], parts: Readonly<Record<string, unknown>>): void {
  const { format, protocol, hostname } = parts;
  const kinds = checks.map(({ _zod }) => _zod?.def?.check);
  for (const kind of kinds) {
    const passed = PASSED_OVER.get(kind);
    if (passed !== undefined) throw lost(passed);
  }
  if (hasFlaggedPattern(parts, checks)) throw lost(FLAG);
  if (type === 'date' && kinds.length > 0) throw lost(BOUNDED_DATE);
  if (format === 'url' && (protocol ?? hostname) !== undefined) throw lost('A protocol or hostname of an address');
}

/** A text may have a pattern by itself, and by each of its checks. */
function hasFlaggedPattern(parts: Readonly<Record<string, unknown>>, checks: readonly ZodDefinition[]): boolean {
  const definitions = [parts, ...checks.map(({ _zod }) => _zod?.def)];
  return definitions.some((definition) => definition?.pattern instanceof RegExp && hasLostFlag(definition.pattern.flags));
}

/** Of a text: several patterns stand in a list, which holds nothing else. */
function withoutPatterns(schema: JSONSchema): void {
  delete schema.pattern;
  delete schema.allOf;
}

/**
 * Anything passes for a value that the schema does not describe, unless `.meta` of it does: that one is told of later, as a schema around
 * this one, so that it is noted until all is told.
 */
function noteUndescribed(type: unknown, parts: Readonly<Record<string, unknown>>, described: JSONSchema): void {
  const misdescribed = MISDESCRIBED.get(type);
  if (misdescribed !== undefined) throw lost(misdescribed);
  if (type === 'pipe' && isTransform(parts.in)) throw lost('A change of a value before it is checked (preprocess)');
  if (type === 'pipe' && parts.transform !== undefined) throw lost('A change of a value by functions (codec, stringbool)');
  const what = type === 'custom' && !takesAnything(parts.fn) ? `${BY_FUNCTION} (custom, instanceof)` : UNDESCRIBED.get(type);
  const { [NOTED]: noted = what, ...others } = described;
  const isDescribed = Object.keys(others).some((keyword) => !SAYS_NOTHING.has(keyword));
  if (noted !== undefined) described[NOTED] = isDescribed ? undefined : noted;
}

/**
 * Refuses what was noted of parts that are not described.
 *
 * @throws Error that says what would be lost
 */
export function refuseUndescribed(schema: unknown): void {
  walkSchemas(schema, ({ [NOTED]: noted }) => {
    if (noted !== undefined) throw lost(String(noted));
  });
}

/** `z.custom()` without a function has one that agrees to all values: also to one that nobody has thought of. */
function takesAnything(test: unknown): boolean {
  try {
    return !isFunction(test) || test(Symbol('anything')) === true;
  } catch {
    return false;
  }
}

function isFunction(value: unknown): value is (argument: unknown) => unknown {
  return typeof value === 'function';
}

/** The first step of `z.preprocess`, which has nothing to mark. */
function isTransform(part: unknown): boolean {
  return (part as ZodDefinition | undefined)?._zod?.def?.type === 'transform';
}
