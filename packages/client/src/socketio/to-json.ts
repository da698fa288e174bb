/** A value as JSON has it: dates are text there, and what is `undefined` is not there, as in a call over REST. */
export function toJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
