/**
 * What has to be there: callers without types may leave it out, and are told in words of ours.
 *
 * @throws TypeError with the text
 */
export function need<T>(value: T | null | undefined, text: string): T {
  if (value === undefined || value === null) throw new TypeError(text);
  return value;
}
