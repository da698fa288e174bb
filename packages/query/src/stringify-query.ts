/**
 * Writes a query as the text behind the `?` of an address, in brackets as the server reads them: `name[$in][]=a`. A list of objects has
 * its places in it: `$or[0][name]=a`. What an address can not say is refused: left out in silence it would make the call another one.
 *
 * | value | text |
 * |---|---|
 * | number, bigint, boolean | as JavaScript writes it; a query schema makes it a number again |
 * | `null` | nothing behind the `=`, which a query schema makes `null` again |
 * | date, and others with `toJSON` | what that gives |
 * | object id of a database | its hexadecimal digits |
 * | filters (`$limit`, `$sort`, …) that are `undefined`, and empty `$sort` and `$select` | left out |
 *
 * @param query conditions and filters
 * @returns the text without `?`; `''` for an empty query
 * @throws TypeError for a condition that is `undefined`, empty lists and objects, numbers that are none, functions, names with brackets, objects whose
 *   names are whole numbers (they would come as a list), and a query that is nested more than 20 deep
 * @see interface 4.6
 */
export function stringifyQuery(query: object): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries<unknown>({ ...query })) {
    const isUnsaid = name[0] === '$' && (value === undefined || (/^\$(sort|select)$/.test(name) && value && !Object.keys(value).length));
    if (!isUnsaid) write(parts, keyOf('', name), value, 0);
  }
  return parts.join('&');
}

function write(parts: string[], key: string, given: unknown, depth: number): void {
  const value = jsonOf(given);
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries<unknown>({ ...value });
    if (!entries.length || depth > 20) throw refused(key, depth > 20 ? 'nested too deeply' : 'empty, which an address can not say');
    const places = entries.some(([, entry]) => typeof jsonOf(entry) === 'object' && entry !== null);
    for (const [name, entry] of entries) {
      const isPlace = Array.isArray(value);
      if (!isPlace && /^\d+$/.test(name)) throw refused(key, `an object with the name '${name}', which would come as a list`);
      write(parts, isPlace && !places ? `${key}%5B%5D` : keyOf(key, name), entry, depth + 1);
    }
    return;
  }
  if (value !== null && !/^(string|boolean|bigint)$/.test(typeof value) && !Number.isFinite(value))
    throw refused(key, `${String(value)}: leave it out, or take null`);
  parts.push(`${key}=${encoded(value === null ? '' : String(value))}`);
}

/** What stands for a value in JSON. */
function jsonOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('toHexString' in value && typeof value.toHexString === 'function') return value.toHexString();
  return 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : value;
}

function keyOf(before: string, name: string): string {
  if (/^$|[[\]]/.test(name)) throw new TypeError(`The query can not have the name '${name}'`);
  return before ? `${before}%5B${encoded(name)}%5D` : encoded(name);
}

function refused(key: string, what: string): TypeError {
  return new TypeError(`The query property '${decodeURIComponent(key)}' is ${what}`);
}

/** What is readable stays so: `$`, `,`, `:` and `@` mean nothing in a query string. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/%(24|2C|3A|40)/g, decodeURIComponent);
}
