import { isPlainObject, valueAt, type PlainObject } from './plain-object.ts';

/** Keywords with schemas of the same value. */
const SAME: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'not', 'dependencies', 'dependentSchemas'];
/** Keywords with schemas of any value inside. */
const INSIDE: readonly string[] = [
  'additionalProperties',
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contains',
];

/**
 * Tells which settings a schema marks as secret: `writeOnly`, `hidden` and the format `password`. What marks only one alternative, or one element of a list,
 * marks all: which of them a value is does not matter for a secret.
 *
 * @param given a JSON schema, or a validator that brings it along; of others nothing is known
 */
export function markedBy(given: unknown): (path: readonly string[]) => boolean {
  const root: unknown = typeof given === 'function' ? Reflect.get(given, 'schema') : given;
  return (path) => {
    let schemas = spread([root], root);
    for (const name of path)
      schemas = spread(
        schemas.flatMap((schema) => inner(schema, name)),
        root,
      );
    return schemas.some(({ writeOnly, hidden, format }) => writeOnly === true || hidden === true || format === 'password');
  };
}

/** All schemas that describe the same value, each once. */
function spread(schemas: readonly unknown[], root: unknown): PlainObject[] {
  const found = new Set<PlainObject>();
  const rest = [...schemas];
  while (rest.length > 0) {
    const schema = rest.pop();
    if (Array.isArray(schema)) rest.push(...(schema as unknown[]));
    if (!isPlainObject(schema) || found.has(schema)) continue;
    found.add(schema);
    rest.push(...SAME.flatMap((keyword) => partsOf(schema, keyword)), referred(schema.$ref, root));
  }
  return [...found];
}

function partsOf(schema: PlainObject, keyword: string): unknown[] {
  const part = schema[keyword];
  if (!keyword.startsWith('depend')) return [part];
  return isPlainObject(part) ? Object.values(part) : [];
}

function referred(reference: unknown, root: unknown): unknown {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) return undefined;
  const names = reference.split('/').slice(1);
  return valueAt(
    root,
    names.map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~')),
  );
}

function inner({ properties, patternProperties, ...schema }: PlainObject, name: string): unknown[] {
  const patterns = isPlainObject(patternProperties) ? Object.entries(patternProperties) : [];
  return [
    isPlainObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined,
    ...patterns.filter(([pattern]) => new RegExp(pattern, 'u').test(name)).map(([, part]) => part),
    ...INSIDE.map((keyword) => schema[keyword]),
  ];
}
