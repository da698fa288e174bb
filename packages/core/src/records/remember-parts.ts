import type { Place } from './place.ts';
import { rememberOrigin, type RecordOrigin } from './record-origin.ts';
import type { ShownParts } from './shown-parts.ts';
import { kindOf, type ValueKind } from './value-kind.ts';

/**
 * Remembers the origin of what a custom method has returned with each part of it that may be a record: whoever takes one out and
 * puts it somewhere else does not take it away from its rules. What a record describes inside of itself is part of that record.
 *
 * @param root where a whole record is described
 * @param parts rules of what a record describes inside of itself
 */
export function rememberParts(value: unknown, root: Place, origin: RecordOrigin, parts: ShownParts): void {
  const known = new Set<object>();
  // A list of its own instead of recursion: a value may be nested as deeply as memory allows.
  const left: unknown[] = [value];
  while (left.length > 0) {
    const part = left.pop();
    if (typeof part !== 'object' || part === null || known.has(part)) continue;
    known.add(part);
    const kind = kindOf(part);
    if (kind === 'leaf') continue;
    rememberOrigin(part, origin);
    if (kind !== 'list' && kind !== 'set') parts.remember(part);
    for (const inside of undescribed(part, kind, root)) left.push(inside);
  }
}

/** @returns what is inside of a part and may be a record by itself */
function undescribed(part: object, kind: ValueKind, root: Place): unknown[] {
  switch (kind) {
    case 'list':
    case 'set':
      return [...(part as Iterable<unknown>)];
    case 'map':
      return undescribedOf([...(part as ReadonlyMap<unknown, unknown>)], root);
    case 'object':
      return undescribedOf(Object.entries(part), root);
    case 'json':
    case 'leaf':
      return [];
  }
}

function undescribedOf(entries: readonly (readonly [unknown, unknown])[], root: Place): unknown[] {
  return entries.filter(([name]) => root.step(String(name)) === undefined).map(([, inside]) => inside);
}
