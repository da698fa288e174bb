import type { Params } from '@framework/core';
import { Type, type TNull, type TSchema, type TUnion, type TUnsafe } from '@sinclair/typebox';
import type { DefaultOf } from './record-shape/data-type.ts';
import type {
  DEFAULTED,
  DefaultMark,
  HiddenMark,
  Mark,
  READ_ONLY,
  ReadOnlyMark,
  RuledMark,
  WriteOnlyMark,
} from './record-shape/marked-schema.ts';
import { kindOf, refuseNoObject } from './refuse-nothing.ts';
import type { REFERENCED } from './relations/reference-types.ts';

/**
 * A text of a fixed list.
 *
 * @param values the allowed texts
 * @param options `default` is filled in where data leaves the text out
 * @throws TypeError for what is no list of texts
 */
export function StringEnum<const T extends string>(
  values: readonly T[],
  options: { default: NoInfer<T>; description?: string },
): TUnsafe<T> & DefaultMark;
export function StringEnum<const T extends string>(
  values: readonly T[],
  options?: { default?: NoInfer<T>; description?: string },
): TUnsafe<T>;
export function StringEnum<const T extends string>(
  values: readonly T[],
  options: { default?: NoInfer<T>; description?: string } = {},
): TUnsafe<T> {
  const given: unknown = values;
  if (!Array.isArray(given)) throw noTexts(kindOf(given));
  if (values.length === 0) throw noTexts('an empty one');
  const other: unknown = values.find((value: unknown) => typeof value !== 'string');
  if (other !== undefined) throw noTexts(`one with ${kindOf(other)}`);
  return Type.Unsafe<T>({ type: 'string', enum: [...values], ...options });
}

function noTexts(given: string): TypeError {
  return new TypeError(`StringEnum() takes a list of texts, and not ${given}`);
}

/** A date; its ISO text is converted to a `Date`. */
export function DateSchema(): TUnsafe<Date> {
  return Type.Unsafe<Date>({ date: true });
}

/**
 * An object id of a document database, or its text of 24 hexadecimal digits, which becomes an object id. Needs the keyword `objectid` of the
 * adapter in the validator.
 */
export function ObjectIdSchema(): TUnsafe<ObjectIdValue> {
  return Type.Unsafe<ObjectIdValue>({
    anyOf: [
      { type: 'string', objectid: true },
      { type: 'object', properties: {}, additionalProperties: true, objectid: true },
    ],
  });
}

/** What {@link ObjectIdSchema} describes; an object id has more methods than these. */
export type ObjectIdValue = string | { toHexString(): string };

/**
 * A value that may be `null`. The default of the schema is that of the property.
 *
 * @param schema schema of the value
 */
export function Nullable<T extends TSchema>(
  schema: T,
): TUnion<[T, TNull]> & Pick<T, keyof T & (typeof REFERENCED | typeof READ_ONLY | typeof DEFAULTED | Mark)>;
export function Nullable(schema: TSchema): TSchema {
  refuseNoObject('Nullable() takes the schema of a value', schema);
  // Validators pass over defaults inside of unions.
  return Type.Union([schema, Type.Null()], schema.default === undefined ? {} : { default: schema.default as unknown });
}

/**
 * A property that callers may leave out, and that every record has: `create` and `update` fill in its default. Other than `default` among the options of a
 * schema it says so to the types of data too.
 *
 * @param schema schema of the value
 * @param value the default, as JSON has it; what has a default inside of it may be left out
 * @throws TypeError for what is no schema, and for a default that is `undefined`
 */
export function Default<T extends TSchema>(schema: T, value: DefaultOf<T>): T & DefaultMark {
  refuseNoObject('Default() takes the schema of a value', schema);
  if (value === undefined)
    throw new TypeError('Default() takes a schema and the default, and got no default: write Type.Optional() for what may be left out');
  return { ...schema, default: value };
}

/**
 * A property that never leaves the server, on any transport, and that callers from outside neither query nor set (security S7, S10).
 *
 * @param schema schema of the value
 * @throws TypeError for what is no schema: it would describe any value
 */
export function Hidden<T extends TSchema>(schema: T): T & HiddenMark {
  refuseNoObject('Hidden() takes the schema of a value', schema);
  return { ...schema, hidden: true };
}

/**
 * A property that callers from outside set and that never leaves the server: a password.
 *
 * @param schema schema of the value
 * @throws TypeError for what is no schema: it would describe any value
 */
export function WriteOnly<T extends TSchema>(schema: T): T & WriteOnlyMark {
  refuseNoObject('WriteOnly() takes the schema of a value', schema);
  return { ...schema, writeOnly: true };
}

/**
 * A property that callers from outside see and do not set. Other than `Type.Readonly` it also holds for elements of lists.
 *
 * @param schema schema of the value
 * @throws TypeError for what is no schema: it would describe any value
 */
export function ReadOnly<T extends TSchema>(schema: T): T & ReadOnlyMark {
  refuseNoObject('ReadOnly() takes the schema of a value', schema);
  return { ...schema, readOnly: true };
}

/** Who may see and set a property. */
export interface FieldRules<P = Params> {
  /** Decides for each call from outside whether the property is sent and may be queried. Default: it is, and may be. */
  readonly readable?: (params: P) => boolean;
  /** Decides for each call from outside whether the property may be set. Default: it may. */
  readonly writable?: (params: P) => boolean;
}

/**
 * A property that not every caller sees or sets. A rule is asked with the parameters of the call; only `true` agrees, and a rule that
 * throws does not. What is sent in events goes to anyone, so that a rule is asked with no parameters there.
 *
 * @param schema schema of the value
 * @param rules rules by role: `Field(Type.Number(), { readable: ({ user }) => user?.role === 'admin' })`
 * @throws TypeError for what is no schema, without a rule, for rules that there are not, and for rules that are no functions
 */
export function Field<T extends TSchema, P = Params>(schema: T, rules: FieldRules<P>): T & RuledMark {
  refuseNoObject('Field() takes the schema of a value', schema);
  refuseNoObject('Field() takes rules such as { readable: (params) => … } beside the schema', rules);
  for (const [name, rule] of Object.entries(rules))
    if ((name !== 'readable' && name !== 'writable') || (rule !== undefined && typeof rule !== 'function'))
      throw new TypeError(
        `Field takes no rule '${name}'${name === 'readable' || name === 'writable' ? ' that is no function' : ''}: write readable or writable: (params) => …`,
      );
  if (rules.readable === undefined && rules.writable === undefined)
    throw new TypeError('Field() got no rule, so that everybody would see and set the value: write readable or writable: (params) => …');
  return { ...schema, ...rules };
}
