import type { JSONSchema } from '../json-schema.ts';

/** @returns the types that a schema names, as names of JSON Schema; `nullable` adds one to them */
export function typesOf({ type, properties, nullable }: JSONSchema): readonly string[] {
  if (type === undefined) return properties ? ['object'] : [];
  const types = typeof type === 'string' ? [type] : type;
  return nullable === true && !types.includes('null') ? [...types, 'null'] : types;
}

/** @returns a test whether a value is of a type of JSON Schema */
export function typeTest(type: string): (value: unknown) => boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger;
    case 'array':
      return Array.isArray;
    case 'null':
      return (value) => value === null;
    case 'object':
      return (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return (value) => typeof value === type;
  }
}
