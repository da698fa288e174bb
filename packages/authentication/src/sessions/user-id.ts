import { isRecord, property } from '../values.ts';

/**
 * The id of a user as sessions and tokens have it: text. Applications have numbers and object ids too.
 *
 * @param method what it is for, as messages name it
 * @throws TypeError for what is no id: nobody's sessions would end, and nobody would be told
 */
export function userId(given: unknown, method: string): string {
  if (typeof given === 'string' && given !== '') return given;
  if (typeof given === 'number' ? Number.isFinite(given) : typeof given === 'bigint') return String(given);
  if (isRecord(given) && !Array.isArray(given)) {
    const textOf = property(given, 'toString');
    const text: unknown = typeof textOf === 'function' ? Reflect.apply(textOf, given, []) : undefined;
    if (typeof text === 'string' && text !== '' && !text.startsWith('[object ')) return text;
  }
  const got = given === '' ? 'an empty text' : given === null ? 'null' : Array.isArray(given) ? 'a list' : typeof given;
  throw new TypeError(`Sessions.${method} needs the id of a user, as user.id, and got ${got}`);
}
