import type { Marks } from './place.ts';

/** How often one place is gone into: a record that holds itself, or one kind of record in many places, has paths without end. */
const MAX_VISITS = 20;

/** A place in a record that can tell what lies in it. */
export interface Walked<P> {
  readonly marks: Marks;
  /** Whether elements are told apart by their position. */
  readonly tuple: boolean;
  /** By label: a name, `*` for names that are not listed, `[]` for the elements of a list and `[0]` for the one at a position. */
  children(): Iterable<readonly [label: string, place: P | undefined]>;
}

/**
 * Finds what is closed to a viewer.
 *
 * @param isOpen whether the viewer sees, or sets, a value with these marks
 * @returns dotted paths, sorted. They go through lists; what stands in many places is told of the twenty nearest to the record
 */
export function closedPaths<P extends Walked<P>>(root: P, isOpen: (marks: Marks) => boolean): string[] {
  const closed = new Set<string>();
  const visits = new Map<P, number>();
  const queue: { readonly place: P; readonly path: string; readonly within: readonly P[] }[] = [{ place: root, path: '', within: [] }];
  // A list that grows while it is walked is walked to its end.
  for (const { place, path, within } of queue) {
    const count = visits.get(place) ?? 0;
    if (count === MAX_VISITS || within.includes(place)) continue;
    visits.set(place, count + 1);
    for (const [label, child] of place.children()) {
      if (child === undefined) continue;
      const at = pathOf(path, place.tuple && label === '[]' ? '*' : label);
      if (isOpen(child.marks)) queue.push({ place: child, path: at, within: [...within, place] });
      else closed.add(at);
    }
  }
  return [...closed].sort();
}

function pathOf(path: string, label: string): string {
  if (label === '[]') return path;
  const name = /^\[\d+\]$/.test(label) ? label.slice(1, -1) : label;
  return path === '' ? name : `${path}.${name}`;
}
