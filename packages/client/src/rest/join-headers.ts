/** Headers by their names. */
type Given = Readonly<Record<string, string | undefined>>;

/**
 * Joins headers. Their names mean the same in any letters, and `fetch` would send the values of both.
 *
 * @param lists what counts comes last; `undefined` leaves what came before
 */
export function joinHeaders(...lists: readonly (Given | undefined)[]): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const headers of lists) {
    for (const [name, value] of Object.entries(headers ?? {})) if (value !== undefined) joined[name.toLowerCase()] = value;
  }
  return joined;
}
