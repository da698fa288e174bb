/** @returns whether a value has parts; dates are values */
export function hasParts(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Date);
}
