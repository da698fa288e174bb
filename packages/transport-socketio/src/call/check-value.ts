import { isKept, notKept } from '@framework/core';
import { BadRequest, PayloadTooLarge } from '@framework/errors';

/** What a value from a client may be. */
export interface ValueLimits {
  /** What it is called in errors, for example `data`. */
  readonly name: string;
  /** Levels of nesting. */
  readonly depth: number;
  /** Properties and items, in all. */
  readonly entries: number;
  /** Letters and bytes, in all; about the size of its JSON. */
  readonly bytes: number;
}

/**
 * Checks what a client has sent, before anything looks at it.
 *
 * @throws BadRequest (400) for nesting that is too deep, too many entries, a key that would reach a prototype, or what no store
 *   keeps: a number that is not finite, half of a surrogate pair; PayloadTooLarge (413)
 * @see security S8, S9, S12
 */
export function checkValue(value: object, limits: ValueLimits): void {
  const { name, depth, entries, bytes } = limits;
  let level: unknown[] = [value];
  let [seen, size] = [0, 0];
  for (let nesting = 0; level.length > 0; nesting++) {
    const next: unknown[] = [];
    for (const node of level) {
      size += sizeOf(node);
      if (!isKept(node)) throw notKept(value);
      if (!isTree(node)) continue;
      if (nesting >= depth) throw new BadRequest(`The ${name} is nested too deeply: at most ${depth} levels are allowed`);
      for (const key of Object.keys(node)) {
        if (key === '__proto__') throw new BadRequest(`The ${name} has a property named '__proto__', which is not allowed`);
        if (!Array.isArray(node)) {
          if (!isKept(key)) throw notKept(value);
          size += key.length + 3;
        }
        next.push(Reflect.get(node, key));
      }
      seen += 1;
    }
    seen += next.length;
    if (seen > entries) throw new BadRequest(`The ${name} has more than ${entries} properties`);
    if (size > bytes) throw new PayloadTooLarge(`The ${name} is larger than ${bytes} bytes`);
    level = next;
  }
}

function isTree(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 3;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  return typeof value === 'number' ? 8 : 3;
}
