/** Something that a path leads through. */
interface Steps<P> {
  step(name: string): P | undefined;
}

/**
 * The locations on a path, as far as something describes it.
 *
 * @param path names, positions (`0`) and positional operators (`$`, `$[]`, `$[name]`)
 */
export function locationsOn<P extends Steps<P>>(from: P, path: readonly string[]): P[] {
  const found: P[] = [];
  let at: P | undefined = from;
  for (const name of path) {
    at = at.step(name);
    if (at === undefined) return found;
    found.push(at);
  }
  return found;
}

/** @returns the parts of a dotted path: `members.$[].secret` is members, `$[]`, secret */
export function partsOf(path: string): string[] {
  return path.split('.');
}
