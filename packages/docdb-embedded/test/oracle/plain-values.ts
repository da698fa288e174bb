/** A document of the plain evaluation: numbers, texts, booleans, null, lists of these and documents. */
export type Plain = number | string | boolean | null | undefined | readonly Plain[] | PlainDoc;
export interface PlainDoc {
  readonly [name: string]: Plain;
}

/** Says that a server refuses it. */
export class Refused extends Error {}

export function isDoc(value: Plain): value is PlainDoc {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The manual's order of types. */
function rank(value: Plain): number {
  if (value === undefined) return 0;
  if (value === null) return 1;
  if (typeof value === 'number') return 2;
  if (typeof value === 'string') return 3;
  if (Array.isArray(value)) return 5;
  return typeof value === 'boolean' ? 6 : 4;
}

/** The manual's comparison: by type first, then by value. */
export function order(a: Plain, b: Plain): number {
  const types = rank(a) - rank(b);
  if (types !== 0) return Math.sign(types);
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let at = 0; at < Math.min(a.length, b.length); at++) {
      const next = order(a[at] as Plain, b[at] as Plain);
      if (next !== 0) return next;
    }
    return Math.sign(a.length - b.length);
  }
  if (isDoc(a) && isDoc(b)) {
    const [left, right] = [Object.entries(a), Object.entries(b)];
    for (let at = 0; at < Math.min(left.length, right.length); at++) {
      const [[leftName, leftValue], [rightName, rightValue]] = [left[at] as [string, Plain], right[at] as [string, Plain]];
      const next =
        rank(leftValue) - rank(rightValue) || (leftName < rightName ? -1 : leftName > rightName ? 1 : order(leftValue, rightValue));
      if (next !== 0) return Math.sign(next);
    }
    return Math.sign(left.length - right.length);
  }
  if (a === b) return 0;
  return (a as number) < (b as number) ? -1 : 1;
}

export const same = (a: Plain, b: Plain): boolean => order(a, b) === 0;

/** The value at a path that leads through documents alone. */
export function at(doc: Plain, path: string): Plain {
  return path.split('.').reduce<Plain>((value, name) => (isDoc(value) && Object.hasOwn(value, name) ? value[name] : undefined), doc);
}

/** A copy with a value at a path; undefined takes it away. */
export function withAt(doc: PlainDoc, path: string, value: Plain): PlainDoc {
  const [head = '', ...rest] = path.split('.');
  const inner = doc[head];
  const next = rest.length === 0 ? value : withAt(isDoc(inner) ? inner : {}, rest.join('.'), value);
  const copy: Record<string, Plain> = { ...doc };
  if (next === undefined) Reflect.deleteProperty(copy, head);
  else copy[head] = next;
  return copy;
}
