import { isPlainObject, valueAt, type PlainObject } from './plain-object.ts';

/** Keywords with names of an own choice, and a schema for each. */
const BY_NAME: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'definitions',
  '$defs',
  'dependencies',
  'dependentSchemas',
]);
/** Keywords with data, which may look like a schema. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'example']);

/** @returns the schemas that a schema stands for by reference */
export type Referred = (schema: PlainObject) => readonly unknown[];

/**
 * Follows the references of a schema: to places in it, and to parts of it by their `$id`, whichever of several of that name is meant.
 *
 * @param root a whole schema
 * @throws TypeError for a reference to what the schema does not hold: what it says can not be seen
 */
export function referencesOf(root: unknown): Referred {
  const schemas = schemasIn(root);
  const identified = schemas.filter(({ $id }) => typeof $id === 'string');
  const find = (reference: string): unknown[] => {
    const [address = '', fragment = ''] = reference.split('#', 2);
    const holders = address === '' ? [root, ...identified] : identified.filter(({ $id }) => lastPart($id) === lastPart(address));
    if (fragment === '') return address === '' ? [root, ...identified] : holders;
    if (fragment.startsWith('/')) return holders.map((holder) => valueAt(holder, namesIn(fragment, reference, holder))).filter(isSchema);
    return schemas.filter(({ $id }) => $id === `#${fragment}`);
  };
  const known = new Map<string, readonly unknown[]>();
  for (const { $ref } of schemas) if (typeof $ref === 'string' && !known.has($ref)) known.set($ref, find($ref));
  for (const [reference, found] of known)
    if (found.length === 0)
      throw new TypeError(
        `The schema of the settings refers to '${reference}', which it does not hold: put that under its $defs, so that the secrets in it are seen`,
      );
  return ({ $ref }) => (typeof $ref === 'string' ? (known.get($ref) ?? []) : []);
}

function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isPlainObject(value);
}

/** Where an address begins is a matter of what is around it: its end tells as much. */
function lastPart(address: unknown): string {
  const [path = ''] = String(address).split('#', 1);
  return path.slice(path.lastIndexOf('/') + 1);
}

/** @throws TypeError for a way past a definition that is called as the name of a schema is */
function namesIn(fragment: string, reference: string, holder: unknown): string[] {
  const names = fragment
    .split('/')
    .slice(1)
    .map((name) => decoded(name).replaceAll('~1', '/').replaceAll('~0', '~'));
  for (const [at] of names.entries()) {
    const passed = valueAt(holder, names.slice(0, at));
    if (isPlainObject(passed) && Object.hasOwn(passed, '$id') && typeof passed.$id !== 'string')
      throw new TypeError(
        `The schema of the settings refers to '${reference}', beside a definition that is called $id: give that another name`,
      );
  }
  return names;
}

/** What is no encoding leads nowhere. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** @returns the schema and all schemas in it */
function schemasIn(root: unknown): PlainObject[] {
  const found = new Set<PlainObject>();
  const rest: unknown[] = [root];
  while (rest.length > 0) {
    const schema = rest.pop();
    if (Array.isArray(schema)) rest.push(...(schema as unknown[]));
    if (!isPlainObject(schema) || found.has(schema)) continue;
    found.add(schema);
    for (const [keyword, value] of Object.entries(schema)) {
      if (BY_NAME.has(keyword) && isPlainObject(value)) rest.push(...Object.values(value));
      else if (!DATA.has(keyword)) rest.push(value);
    }
  }
  return [...found];
}
