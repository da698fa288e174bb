import { isDate, isPlainObject } from '@framework/query';
import type { JSONSchema } from '../json-schema.ts';
import { isSchema } from '../record-shape/keywords.ts';
import { textTest, type Formats } from './text-test.ts';
import { typesOf, typeTest } from './value-type.ts';

type Test<T = unknown> = (value: T) => boolean;

/**
 * Tells objects that a schema describes from others, by the names of their properties and by what these are, one level deep.
 *
 * @param schema of objects
 * @param operators whether names that begin with `$`, and are not declared, are operators: no such object is meant then, also where names are free
 * @param formats what formats of texts mean
 * @returns `undefined` where the schema says nothing of properties, so that any object is meant
 */
export function objectTest(schema: JSONSchema, operators: boolean, formats: Formats): Test<Readonly<Record<string, unknown>>> | undefined {
  const { properties = {}, patternProperties = {}, additionalProperties, required } = schema;
  const own = new Map(Object.entries(properties).map(([name, property]) => [name, propertyTest(property, formats)]));
  const patterns = Object.entries(patternProperties as object).map(
    ([source, property]) => [new RegExp(source, 'u'), propertyTest(property, formats)] as const,
  );
  const rest = additionalProperties === false ? never : propertyTest(additionalProperties, formats);
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  if (!operators && own.size + patterns.length + needed.length === 0 && rest === always) return undefined;
  const testOf = (name: string): Test =>
    own.get(name) ?? (operators && name.startsWith('$') ? never : (patterns.find(([pattern]) => pattern.test(name))?.[1] ?? rest));
  return (value) =>
    needed.every((name) => Object.hasOwn(value, String(name))) && Object.keys(value).every((name) => testOf(name)(value[name]));
}

/**
 * Tells objects that texts in a schema (`kind: { const: 'a' }`) keep from fitting, whatever is converted: texts that are listed stay as they are.
 *
 * @param schemas those that all describe the object
 */
export function excludedBy(schemas: readonly JSONSchema[]): Test {
  const listed = schemas.flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, property]) => {
      const literals = isSchema(property) ? (property.const === undefined ? property.enum : [property.const]) : undefined;
      return literals?.every((literal) => typeof literal === 'string') ? [[name, new Set<unknown>(literals)] as const] : [];
    }),
  );
  return (value) =>
    isPlainObject(value) &&
    listed.some(([name, texts]) => Object.hasOwn(value, name) && typeof value[name] === 'string' && !texts.has(value[name]));
}

const never: Test = () => false;
const always: Test = () => true;

/** @param schema of a property, or whatever else stands in its place */
function propertyTest(schema: unknown, formats: Formats): Test {
  if (!isSchema(schema)) return schema === false ? never : always;
  const literals = schema.const === undefined ? schema.enum : [schema.const];
  // Objects and lists are compared by their parts.
  if (literals?.every((literal) => typeof literal !== 'object' || literal === null)) return (value) => literals.includes(value);
  if (schema.date === true) return isDate;
  const tests = typesOf(schema).map(typeTest);
  const isText = textTest(schema, formats);
  if (tests.length === 0 && !isText) return always;
  return (value) => {
    if (isText && typeof value === 'string' && !isText(value)) return false;
    return tests.length === 0 || tests.some((test) => test(value));
  };
}
