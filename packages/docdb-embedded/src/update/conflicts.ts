import { DocDbError } from '../errors.ts';

type Path = readonly string[];

/**
 * Checks the paths of an update against each other.
 *
 * @throws DocDbError (40) for a path that is named twice, or lies inside another one, and for a list whose elements are named by filters and by names too
 */
export function checkConflicts(changed: readonly Path[]): void {
  const paths = new Set<string>();
  const filtered = new Map<string, boolean>();
  for (const path of changed) {
    const name = path.join('.');
    if (paths.has(name)) throw conflict(name, name);
    paths.add(name);
    for (let at = 1; at < path.length; at++) {
      const list = path.slice(0, at).join('.');
      const isFiltered = path[at]?.startsWith('$[') === true;
      if ((filtered.get(list) ?? isFiltered) !== isFiltered) throw conflict(name, list);
      filtered.set(list, isFiltered);
    }
  }
  for (const path of paths) {
    const outer = outerPaths(path).find((prefix) => paths.has(prefix));
    if (outer !== undefined) throw conflict(path, outer);
  }
}

function conflict(path: string, at: string): DocDbError {
  return new DocDbError(40, `Updating the path '${path}' would create a conflict at '${at}'`);
}

/** @returns the paths that lead to a path, from the shortest */
function outerPaths(path: string): string[] {
  const outer: string[] = [];
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) outer.push(path.slice(0, dot));
  return outer;
}

/**
 * Checks what the changes of an update were found to be about in a document: no two of them change the same.
 *
 * @param changes the paths of each change
 * @throws DocDbError (40)
 */
export function checkMeetings(changes: readonly (readonly Path[])[]): void {
  const paths = new Set<string>();
  for (const change of changes)
    for (const path of change) {
      const name = path.join('.');
      if (paths.has(name)) throw meeting(name);
      paths.add(name);
    }
  for (const path of paths) {
    const outer = outerPaths(path).find((prefix) => paths.has(prefix));
    if (outer !== undefined) throw meeting(outer);
  }
}

function meeting(at: string): DocDbError {
  return new DocDbError(40, `Update created a conflict at '${at}'`);
}
