import { isPlainObject } from './plain-object.ts';

/**
 * Writes a query as the text behind the `?` of an address, in brackets as the server reads them: `name[$in][]=a`. A list of objects has
 * its places in it: `$or[0][name]=a`. What an address can not say is refused: left out in silence it would make the call another one.
 *
 * | value | text |
 * |---|---|
 * | number, bigint, boolean | as JavaScript writes it; a query schema makes it a number again |
 * | `null` | nothing behind the `=`, which a query schema makes `null` again; of a property that takes texts too it is the empty text |
 * | date, object id of a database, and others with `toJSON` | what that gives |
 * | filters (`$limit`, `$sort`, …) that are `undefined`, and empty `$sort` and `$select` | left out |
 *
 * @param query conditions and filters
 * @returns the text without `?`; `''` for an empty query
 * @throws TypeError for a condition that is `undefined`, empty lists and objects, numbers and dates that are none, functions, names with brackets, objects whose
 *   names are whole numbers (they would come as a list), and a query that holds itself
 * @see interface 4.6
 */
export function stringifyQuery(query: object): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries<unknown>(queryAsJson(query))) {
    const isUnsaid = /^\$(sort|select)(\{}|\[])$/.test(name + JSON.stringify(value));
    if (!isUnsaid) write(parts, keyOf('', name), value);
  }
  return parts.join('&');
}

/**
 * The query as JSON has it, where all values are text, numbers, true and false, null, lists and objects. What JSON would leave out, or make `null`, is
 * refused: the call would be another one.
 *
 * @param query conditions and filters
 * @throws TypeError for a condition that is `undefined`, numbers and dates that are none, functions, and a query that holds itself
 */
export function queryAsJson(query: object): Record<string, unknown> {
  const text = JSON.stringify(query, function (this: Record<string, unknown>, name, value: unknown) {
    // Texts, booleans, big numbers and objects are said; a date that is none comes as null.
    const isSaid = value === null ? !this[name] : /^(st|b|o)/.test(typeof value) || Number.isFinite(value);
    if (isSaid || (value === undefined && /^\$(limit|skip|sort|select|after|before|populate)$/.test(name)))
      return typeof value === 'bigint' ? `${value}` : value;
    throw refused(name, `${String(this[name])}: leave it out, or take null`);
  });
  return JSON.parse(text) as Record<string, unknown>;
}

/**
 * Refuses what JSON makes an empty object of: a `RegExp`, a `Map`, a `Set`. An address can not say an empty object, so that {@link stringifyQuery} needs no look.
 *
 * @param query conditions and filters
 * @throws TypeError that names the property, and for a query that holds itself
 */
export function refuseInstances(query: object): void {
  JSON.stringify(query, (name, value: unknown) => {
    if (value instanceof Object && !Array.isArray(value) && !isPlainObject(value) && Object.keys(value).length === 0)
      throw refused(name, `a ${value.constructor.name}, of which JSON has nothing`);
    return typeof value === 'bigint' ? undefined : value;
  });
}

function write(parts: string[], key: string, value: unknown): void {
  if (!(value instanceof Object)) {
    parts.push(`${key}=${encoded(String(value ?? ''))}`);
    return;
  }
  const entries = Object.entries(value);
  if (!entries.length) throw refused(key, 'empty: an address can not say that');
  const isList = Array.isArray(value);
  // Only what holds more than texts needs its place.
  const places = !isList || entries.some(([, entry]) => entry instanceof Object);
  for (const [name, entry] of entries) {
    if (!isList && /^\d+$/.test(name)) throw refused(key, `an object that would come as a list`);
    write(parts, keyOf(key, name, places), entry);
  }
}

function keyOf(before: string, name: string, place = true): string {
  if (/^$|[[\]]/.test(name)) throw refused(name, 'no name');
  return before ? `${before}%5B${place ? encoded(name) : ''}%5D` : encoded(name);
}

function refused(key: string, what: string): TypeError {
  return new TypeError(`The query property '${key.replace(/%5B/g, '[').replace(/%5D/g, ']')}' is ${what}`);
}

/** What is readable stays so: `$`, `,`, `:` and `@` mean nothing in a query string. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/%(24|2C|3A|40)/g, decodeURIComponent);
}
