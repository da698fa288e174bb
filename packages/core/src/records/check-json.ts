import { ToldSeldom } from '../application/told-seldom.ts';
import { isThenable } from '../is-thenable.ts';
import { makesJson } from './value-kind.ts';

/** What JSON says of an object in which it finds nothing. */
const EMPTY = '{}';

/** A value that JSON has no form for, and the names that lead to it, the innermost first. */
interface Lost {
  readonly value: object;
  readonly names: string[];
}

const seldom = new ToldSeldom();

/**
 * Looks at what leaves for values of which JSON says `{}` though they hold something. A promise is refused: a hook or a method has not waited for it, and whoever
 * asked would take `{}` for its value. A map or a set, in which nobody sees what is lost, is told in a warning.
 *
 * @param value what is sent, for transports
 * @param text its JSON, where it is made already: what has no empty object in it needs no look. Default: there is none
 * @throws TypeError that names the place of a promise
 */
export function checkJson(value: unknown, text: string = EMPTY): void {
  if (!text.includes(EMPTY)) return;
  const lost = lostIn(value, new Set());
  if (lost === undefined) return;
  const [last = 'result'] = lost.names;
  const place = lost.names.length === 0 ? 'What is sent' : `'${lost.names.reverse().join('.')}' of what is sent`;
  if (isThenable(lost.value)) {
    // Nobody waits for it, and its error would end the process.
    if (lost.value instanceof Promise) lost.value.catch(() => undefined);
    throw new TypeError(`${place} is a promise, of which JSON would say {}: wait for it where it is set, as ${last} = await …`);
  }
  const kind = lost.value instanceof Map ? 'map' : 'set';
  const instead = kind === 'map' ? 'Object.fromEntries(map)' : '[...set]';
  seldom.warn(`${place} is a ${kind}, of which JSON says {}: what it holds is lost. Send ${instead} in its place`);
}

/** A promise goes before maps and sets, which are only told. Each object is looked into once: some hold themselves. */
function lostIn(value: unknown, seen: Set<object>): Lost | undefined {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || seen.has(value) || makesJson(value)) return undefined;
  seen.add(value);
  if (isThenable(value)) return { value, names: [] };
  let found: Lost | undefined = (value instanceof Map || value instanceof Set) && value.size > 0 ? { value, names: [] } : undefined;
  for (const name of Object.keys(value)) {
    const held: unknown = Reflect.get(value, name);
    if (typeof held !== 'object') continue;
    const lost = lostIn(held, seen);
    if (lost === undefined) continue;
    lost.names.push(name);
    if (isThenable(lost.value)) return lost;
    found ??= lost;
  }
  return found;
}
