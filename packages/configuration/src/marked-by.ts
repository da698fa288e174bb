import { isPlainObject, type PlainObject } from './plain-object.ts';
import { referencesOf, type Referred } from './schema-references.ts';

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
 * @throws TypeError for a schema that refers to what it does not hold
 */
export function markedBy(given: unknown): (path: readonly string[]) => boolean {
  const root: unknown = typeof given === 'function' ? Reflect.get(given, 'schema') : given;
  const referred = referencesOf(root);
  return (path) => {
    let schemas = spread([root], referred);
    for (const name of path)
      schemas = spread(
        schemas.flatMap((schema) => inner(schema, name)),
        referred,
      );
    return schemas.some(({ writeOnly, hidden, format }) => writeOnly === true || hidden === true || format === 'password');
  };
}

/** All schemas that describe the same value, each once. */
function spread(schemas: readonly unknown[], referred: Referred): PlainObject[] {
  const found = new Set<PlainObject>();
  const rest = [...schemas];
  while (rest.length > 0) {
    const schema = rest.pop();
    if (Array.isArray(schema)) rest.push(...(schema as unknown[]));
    if (!isPlainObject(schema) || found.has(schema)) continue;
    found.add(schema);
    rest.push(...SAME.flatMap((keyword) => partsOf(schema, keyword)), ...referred(schema));
  }
  return [...found];
}

function partsOf(schema: PlainObject, keyword: string): unknown[] {
  const part = schema[keyword];
  if (!keyword.startsWith('depend')) return [part];
  return isPlainObject(part) ? Object.values(part) : [];
}

function inner({ properties, patternProperties, ...schema }: PlainObject, name: string): unknown[] {
  const patterns = isPlainObject(patternProperties) ? Object.entries(patternProperties) : [];
  return [
    isPlainObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined,
    ...patterns.filter(([pattern]) => new RegExp(pattern, 'u').test(name)).map(([, part]) => part),
    ...INSIDE.map((keyword) => schema[keyword]),
  ];
}
