import { holds } from './plain-filter.ts';
import { at, isDoc, order, type Plain, type PlainDoc, Refused, same, withAt } from './plain-values.ts';

/** What the manual says of an update by operators that name different fields. */
export function updatePlain(doc: PlainDoc, update: PlainDoc): PlainDoc {
  let result = doc;
  for (const [name, fields] of Object.entries(update))
    for (const [path, operand] of Object.entries(fields as PlainDoc)) {
      if (name === '$rename') {
        const value = at(result, path);
        const [head = '', inner] = path.split('.');
        if (inner !== undefined && result[head] !== undefined && !isDoc(result[head])) throw new Refused(path);
        if (value !== undefined) result = withAt(withAt(result, path, undefined), operand as string, value);
        continue;
      }
      const before = at(result, path);
      const after = changed(name, before, operand);
      const [head = '', inner] = path.split('.');
      const way = result[head];
      if (name === '$pop' && inner !== undefined && way !== undefined && !isDoc(way)) throw new Refused(path);
      if (after === before && name !== '$set') continue;
      if (inner !== undefined && way !== undefined && !isDoc(way) && after !== undefined) throw new Refused(path);
      if (inner !== undefined && !isDoc(way) && after === undefined) continue;
      result = withAt(result, path, after);
    }
  return result;
}

function listOf(before: Plain): readonly Plain[] {
  if (before === undefined) return [];
  if (!Array.isArray(before)) throw new Refused('no list');
  return before as readonly Plain[];
}

function numberOf(before: Plain, missing: number): number {
  if (before === undefined) return missing;
  if (typeof before !== 'number') throw new Refused('no number');
  return before;
}

function changed(name: string, before: Plain, operand: Plain): Plain {
  switch (name) {
    case '$set':
      return operand;
    case '$unset':
      return undefined;
    case '$inc':
      return numberOf(before, 0) + (operand as number);
    case '$mul': {
      const product = numberOf(before, 0) * (operand as number);
      return product === 0 ? 0 : product;
    }
    case '$min':
      return before === undefined || order(operand, before) < 0 ? operand : before;
    case '$max':
      return before === undefined || order(operand, before) > 0 ? operand : before;
    case '$pop': {
      if (before === undefined) return undefined;
      const list = listOf(before);
      return operand === 1 ? list.slice(0, -1) : list.slice(1);
    }
    case '$push':
      return pushed(listOf(before), operand);
    case '$addToSet': {
      const list = listOf(before);
      return list.some((entry) => same(entry, operand)) ? list : [...list, operand];
    }
    case '$pull':
      return before === undefined ? undefined : listOf(before).filter((entry) => !pulled(entry, operand));
    case '$pullAll':
      return before === undefined
        ? undefined
        : listOf(before).filter((entry) => !(operand as readonly Plain[]).some((one) => same(one, entry)));
    default:
      throw new Refused(name);
  }
}

function pulled(entry: Plain, operand: Plain): boolean {
  return isDoc(operand) ? holds(entry, operand) : same(entry, operand);
}

function pushed(list: readonly Plain[], operand: Plain): readonly Plain[] {
  if (!isDoc(operand) || !('$each' in operand)) return [...list, operand];
  const { $each: each, $position: position, $sort: direction, $slice: slice } = operand;
  const place = position === undefined ? list.length : (position as number);
  const from = place < 0 ? Math.max(0, list.length + place) : place;
  let result = [...list.slice(0, from), ...(each as readonly Plain[]), ...list.slice(from)];
  if (direction !== undefined) result = result.sort((a, b) => order(a, b) * (direction as number));
  if (slice === undefined) return result;
  return (slice as number) < 0 ? result.slice(slice as number) : result.slice(0, slice as number);
}
