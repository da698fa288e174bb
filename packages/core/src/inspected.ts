/** A value as a message names it: text in quotes, so that '10' is not taken for 10. */
export function inspected(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}
