/**
 * What has to be there: callers without types may leave it out, and are told in words of ours.
 *
 * @throws TypeError with the text
 */
export function need<T>(value: T | undefined, text: string): T {
  if (value === undefined) throw new TypeError(text);
  return value;
}
