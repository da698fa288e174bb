import { tick } from '../interrupt.ts';

/**
 * For each place of a part, how much of its beginning ends there: where a search goes on that did not find the whole.
 *
 * @returns a list as long as the part
 */
function overlaps<T>(part: ArrayLike<T>): Int32Array {
  const lengths = new Int32Array(part.length);
  let length = 0;
  for (let at = 1; at < part.length; at++) {
    while (length > 0 && part[at] !== part[length]) length = lengths[length - 1] ?? 0;
    if (part[at] === part[length]) length += 1;
    lengths[at] = length;
  }
  return lengths;
}

/**
 * Finds a part in time that grows with the lengths of both, and not with their product.
 *
 * @param from where it may begin first
 * @param last where it may begin at the latest
 * @returns where it begins; -1 where it is not
 */
export function findPart<T>(units: ArrayLike<T>, part: ArrayLike<T>, from: number, last: number): number {
  if (part.length === 0) return from <= last ? from : -1;
  const lengths = overlaps(part);
  let matched = 0;
  for (let at = from; at < units.length && at - matched <= last; at++) {
    tick();
    while (matched > 0 && units[at] !== part[matched]) matched = lengths[matched - 1] ?? 0;
    if (units[at] === part[matched]) matched += 1;
    if (matched === part.length) return at - matched + 1 <= last ? at - matched + 1 : -1;
  }
  return -1;
}

/** Shorter parts are found faster by what the language has. */
const SHORT = 64;

/** @returns where a part of a text begins, from a place on; -1 where it is not */
export function findText(text: string, part: string, from: number): number {
  return part.length < SHORT ? text.indexOf(part, from) : findPart(text, part, from, text.length - part.length);
}

/** @returns the texts between the places of a part that is not empty, `most` of these at most */
export function splitText(text: string, part: string, most: number = Infinity): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = findText(text, part, from); at >= 0 && parts.length < most; at = findText(text, part, from)) {
    parts.push(text.slice(from, at));
    from = at + part.length;
  }
  parts.push(text.slice(from));
  return parts;
}
