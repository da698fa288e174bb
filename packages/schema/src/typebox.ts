import { Type, type TSchema, type TUnsafe } from '@sinclair/typebox';

/**
 * A text of a fixed list.
 *
 * @param values the allowed texts
 */
export function StringEnum<const T extends string>(values: readonly T[], options: { default?: T; description?: string } = {}): TUnsafe<T> {
  return Type.Unsafe<T>({ type: 'string', enum: [...values], ...options });
}

/** A date; its ISO text is converted to a `Date`. */
export function DateSchema(): TUnsafe<Date> {
  return Type.Unsafe<Date>({ date: true });
}

/**
 * A value that may be `null`.
 *
 * @param schema schema of the value
 */
export function Nullable<T extends TSchema>(schema: T): TSchema & { static: T['static'] | null } {
  return Type.Union([schema, Type.Null()]);
}

/**
 * A property that never leaves the server, on any transport, and can not be queried from outside (security S7).
 *
 * @param schema schema of the value
 */
export function Hidden<T extends TSchema>(schema: T): T {
  return { ...schema, hidden: true };
}
