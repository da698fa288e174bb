/**
 * What was thrown, as an error, for warnings of the process: a listener may throw anything, also what has no text.
 *
 * @param thrown anything
 */
export function thrownError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  try {
    return new Error(String(thrown));
  } catch {
    return new Error('A value without a text was thrown');
  }
}
