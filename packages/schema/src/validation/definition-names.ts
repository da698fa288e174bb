import type { JSONSchema } from '../json-schema.ts';
import { isSchema, mapSchemas, REFERENCES, walkSchemas } from '../record-shape/keywords.ts';

/** What ajv takes for the id of the schema around it where it follows a reference into `$defs`. */
const ODD = '$id';

/**
 * Calls definitions that have the name `$id` otherwise: ajv would take them for a keyword.
 *
 * @returns a schema of the same meaning; the given one when none is called so
 */
export function withPlainNames(schema: JSONSchema): JSONSchema {
  const taken = new Set<string>();
  const ids = new Set<unknown>(['']);
  walkSchemas(schema, ({ $id, $defs }) => {
    if (typeof $id === 'string') ids.add($id.replace(/#$/, ''));
    if (isSchema($defs)) for (const name of Object.keys($defs)) taken.add(name);
  });
  if (!taken.has(ODD)) return schema;
  let plain = 'id';
  while (taken.has(plain)) plain += '_';

  const known = new Map<JSONSchema, JSONSchema>();
  const renamed = (part: JSONSchema): JSONSchema => {
    const before = known.get(part);
    if (before) return before;
    const copy: JSONSchema = { ...mapSchemas(part, renamed) };
    if (isSchema(copy.$defs))
      copy.$defs = Object.fromEntries(Object.entries(copy.$defs).map(([name, own]) => [name === ODD ? plain : name, own]));
    for (const keyword of REFERENCES) if (typeof copy[keyword] === 'string') copy[keyword] = reference(copy[keyword]);
    known.set(part, copy);
    return copy;
  };
  return renamed(schema);

  function reference(to: string): string {
    const [id = '', pointer = ''] = to.split('#');
    if (!ids.has(id) || !pointer.startsWith('/')) return to;
    const names = pointer.split('/');
    const isOdd = (at: number): boolean =>
      decodeURIComponent(names[at] ?? '') === ODD && decodeURIComponent(names[at - 1] ?? '') === '$defs';
    return `${id}#${names.map((name, at) => (isOdd(at) ? plain : name)).join('/')}`;
  }
}
