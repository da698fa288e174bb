import { ToldSeldom } from '../application/told-seldom.ts';
import { isThenable } from '../is-thenable.ts';
import { isRecordSource, isStream } from './record-source.ts';
import { makesJson } from './value-kind.ts';

/** What JSON says of an object in which it finds nothing. */
const EMPTY = '{}';

/** A value that JSON has no form for, what it is, and the names that lead to it, the innermost first. */
interface Lost {
  readonly value: object;
  readonly kind: keyof typeof INSTEAD | 'promise' | 'stream of records';
  readonly names: string[];
}

/** What is only told: nobody sees what is lost. */
const INSTEAD = { map: 'Object.fromEntries(map)', set: '[...set]', 'list that is made while it is read': '[...list]' } as const;

const seldom = new ToldSeldom();

/**
 * Looks at what leaves for values of which JSON says `{}` though they hold something. A promise is refused: a hook or a method has not waited for it, and whoever
 * asked would take `{}` for its value. So are records that are given one by one, which only a whole result can be: of those of a stream JSON would have the
 * stream's inside. A map, a set or an iterator, in which nobody sees what is lost, is told in a warning.
 *
 * @param value what is sent, for transports
 * @param text its JSON, where it is made already: what has no empty object in it needs no look. Default: there is none
 * @throws TypeError that names the place of a promise or of a stream
 */
export function checkJson(value: unknown, text: string = EMPTY): void {
  if (!text.includes(EMPTY)) return;
  const lost = lostIn(value, new Set());
  if (lost === undefined) return;
  const { kind } = lost;
  const [last = 'result'] = lost.names;
  const place = lost.names.length === 0 ? 'What is sent' : `'${lost.names.reverse().join('.')}' of what is sent`;
  if (kind === 'promise') {
    // Nobody waits for it, and its error would end the process.
    if (lost.value instanceof Promise) lost.value.catch(() => undefined);
    throw new TypeError(`${place} is a promise, of which JSON would say {}: wait for it where it is set, as ${last} = await …`);
  }
  if (kind === 'stream of records')
    throw new TypeError(
      `${place} is a ${kind}, which only a whole result can be: give it as the result, or read it before, as for await (const record of …)`,
    );
  seldom.warn(`${place} is a ${kind}, of which JSON says {}: what it holds is lost. Send ${INSTEAD[kind]} in its place`);
}

/** What is refused goes before what is only told. Each object is looked into once: some hold themselves. */
function lostIn(value: unknown, seen: Set<object>): Lost | undefined {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || seen.has(value) || makesJson(value)) return undefined;
  seen.add(value);
  const kind = kindOf(value);
  let found: Lost | undefined = kind && { value, kind, names: [] };
  if (found && isRefused(found)) return found;
  for (const name of Object.keys(value)) {
    const held: unknown = Reflect.get(value, name);
    if (typeof held !== 'object') continue;
    const lost = lostIn(held, seen);
    if (lost === undefined) continue;
    lost.names.push(name);
    if (isRefused(lost)) return lost;
    found ??= lost;
  }
  return found;
}

function kindOf(value: object): Lost['kind'] | undefined {
  if (isThenable(value)) return 'promise';
  if (value instanceof Map || value instanceof Set) return value.size === 0 ? undefined : value instanceof Map ? 'map' : 'set';
  // What has properties of its own has them in its JSON.
  if (isRecordSource(value)) return isStream(value) || Object.keys(value).length === 0 ? 'stream of records' : undefined;
  return Symbol.iterator in value && 'next' in value && Object.keys(value).length === 0 ? 'list that is made while it is read' : undefined;
}

function isRefused({ kind }: Lost): boolean {
  return kind === 'promise' || kind === 'stream of records';
}
