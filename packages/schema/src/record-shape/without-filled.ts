import { Sight, type Viewer } from '@framework/core';
import { isPlainObject } from '@framework/query';
import type { Location } from './location.ts';

/**
 * Takes out of checked data what a caller has not sent, and does not see or set: a default would take the place of what is stored. Lists have none of it, since
 * nobody outside replaces one that has.
 *
 * @param checked data with defaults; not changed
 * @param sent the data as they came
 * @param root the location of a whole record
 */
export function withoutFilled(checked: unknown, sent: unknown, root: Location, viewer: Viewer): unknown {
  const sight = new Sight(viewer);
  return cleared(checked, sent, root);

  function cleared(value: unknown, given: unknown, place: Location): unknown {
    if (!isPlainObject(value)) return value;
    let copy: Record<string, unknown> | undefined;
    for (const name of Object.keys(value)) {
      const inner = place.step(name);
      if (inner === undefined) continue;
      const own = isPlainObject(given) && Object.hasOwn(given, name) ? given[name] : undefined;
      const isFilled = own === undefined && !(sight.sets(inner.marks) && sight.sees(inner.marks));
      const left = isFilled ? undefined : cleared(value[name], own, inner);
      if (left === value[name]) continue;
      copy ??= { ...value };
      if (isFilled) Reflect.deleteProperty(copy, name);
      else copy[name] = left;
    }
    return copy ?? value;
  }
}
