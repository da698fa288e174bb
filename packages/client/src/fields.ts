/** The properties of anything; `null` has none to copy. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' ? { ...value } : {};
}

/** A text that is not empty, or nothing. */
export function textOf(value: unknown): string | undefined {
  return (typeof value === 'string' && value) || undefined;
}
