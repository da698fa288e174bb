import type { Location } from './location.ts';

/**
 * The locations on a path, as far as something describes it.
 *
 * @param path names, positions (`0`) and positional operators (`$`, `$[]`, `$[name]`)
 */
export function locationsOn(from: Location, path: readonly string[]): Location[] {
  const found: Location[] = [];
  let at: Location | undefined = from;
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
