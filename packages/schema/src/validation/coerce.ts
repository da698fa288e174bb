import type { JSONSchema } from '../json-schema.ts';

/** Converts a value; gives the same one back when there is nothing to convert, and never changes it. */
export type Coercion = (value: unknown) => unknown;

/**
 * Converts texts, as query strings have them, to the types that a schema declares. What does not convert exactly stays as
 * it is, and the validator reports it: `"10abc"`, `""` and `"1e309"` are no numbers.
 *
 * @param schema the schema of the value
 * @param value any value; it is not changed
 * @returns the converted value; parts without anything to convert are shared with the given one
 * @see interface 4.6
 */
export function coerce(schema: JSONSchema, value: unknown): unknown {
  return compileCoercion(schema)(value);
}

const compiled = new WeakMap<JSONSchema, Coercion>();

/** Works out the conversion of a schema once; schemas that are used in several places too. */
export function compileCoercion(schema: JSONSchema): Coercion {
  const known = compiled.get(schema);
  if (known) return known;
  // A schema that contains itself finds this while it is compiled.
  compiled.set(schema, (value) => own(value));
  const own = compileSchema(schema);
  compiled.set(schema, own);
  return own;
}

function keep(value: unknown): unknown {
  return value;
}

function compileSchema(schema: JSONSchema): Coercion {
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return compileBranches(branches);
  if (schema.if) return compileCondition(schema.if, schema.then ?? {}, schema.else ?? {});
  const parts = (schema.allOf ?? []).map(compileCoercion);
  const typed = compileTyped(schema);
  return parts.length === 0 ? typed : (value) => typed(parts.reduce<unknown>((current, part) => part(current), value));
}

/** Conditions on the type of a value, as query schemas have them. */
function compileCondition(condition: JSONSchema, yes: JSONSchema, no: JSONSchema): Coercion {
  const [fits, whenTrue, whenFalse] = [compileFits(condition), compileCoercion(yes), compileCoercion(no)];
  const ambiguous = yes.type === 'object' && takesLists(no);
  return (value) => {
    // A list of more items than the parser's limit comes as an object with index keys.
    if (ambiguous && fits(value)) {
      const converted = whenFalse(value);
      return converted === value ? whenTrue(value) : converted;
    }
    return fits(value) ? whenTrue(value) : whenFalse(value);
  };
}

function takesLists(schema: JSONSchema): boolean {
  return typesOf(schema).includes('array') || (schema.anyOf ?? []).some(takesLists);
}

/** The first branch whose type the value has after conversion; a branch that takes the value as it is comes first. */
function compileBranches(schemas: readonly JSONSchema[]): Coercion {
  const branches = schemas.map((schema) => ({ fits: compileFits(schema), convert: compileCoercion(schema) }));
  return (value) => {
    for (const { fits, convert } of branches) if (fits(value) && convert(value) === value) return value;
    for (const { fits, convert } of branches) {
      const converted = convert(value);
      if (fits(converted)) return converted;
    }
    return value;
  };
}

function typesOf(schema: JSONSchema): readonly string[] {
  if (schema.type === undefined) return schema.properties ? ['object'] : [];
  return typeof schema.type === 'string' ? [schema.type] : schema.type;
}

function compileFits(schema: JSONSchema): (value: unknown) => boolean {
  if (schema.const !== undefined) return (value) => schema.const === value;
  const { enum: literals } = schema;
  if (literals) return (value) => literals.includes(value);
  if (schema.date === true) return (value) => value instanceof Date;
  const types = typesOf(schema).map(typeTest);
  const branches = (schema.anyOf ?? schema.oneOf)?.map(compileFits);
  const [only] = types;
  if (only && types.length === 1 && !branches) return only;
  return (value) => {
    if (branches && !branches.some((branch) => branch(value))) return false;
    return types.length === 0 || types.some((test) => test(value));
  };
}

function typeTest(type: string): (value: unknown) => boolean {
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

function compileTyped(schema: JSONSchema): Coercion {
  if (schema.date === true) return toDate;
  const literals = schema.const === undefined ? schema.enum : [schema.const];
  if (literals) return literalCoercion(literals);
  const types = typesOf(schema);
  if (types.includes('array')) return arrayCoercion(schema, types);
  const text = textCoercion(types);
  const object = types.includes('object') ? objectCoercion(schema) : keep;
  return (value) => (typeof value === 'string' ? text(value) : object(value));
}

function literalCoercion(literals: readonly unknown[]): Coercion {
  const byText = new Map(literals.filter((literal) => typeof literal !== 'string').map((literal) => [String(literal), literal]));
  return (value) => (typeof value === 'string' && !literals.includes(value) && byText.has(value) ? byText.get(value) : value);
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function textCoercion(types: readonly string[]): (value: string) => unknown {
  if (types.includes('string') || types.length === 0) return keep;
  const [nullable, boolean] = [types.includes('null'), types.includes('boolean')];
  const numeric = types.includes('number') || types.includes('integer');
  return (value) => {
    // Clients send null as an empty text.
    if (nullable && (value === 'null' || value === '')) return null;
    if (boolean && (value === 'true' || value === 'false')) return value === 'true';
    if (!numeric || !NUMBER.test(value)) return value;
    const number = Number(value);
    return Number.isFinite(number) ? number : value;
  };
}

/** One value stands for a list of one, and an object with index keys for the list that a query string parser made it from. */
function arrayCoercion(schema: JSONSchema, types: readonly string[]): Coercion {
  const { items } = schema;
  const each = Array.isArray(items) ? undefined : items === undefined ? keep : compileCoercion(items as JSONSchema);
  const tuple = each ? [] : (items as readonly JSONSchema[]).map(compileCoercion);
  const alone = types.length === 1;
  return (value) => {
    const list = Array.isArray(value) ? (value as unknown[]) : (indexedList(value) ?? (alone && isScalar(value) ? [value] : undefined));
    if (!list) return value;
    let copy: unknown[] | undefined = list === value ? undefined : list;
    for (let index = 0; index < list.length; index++) {
      const converted = (each ?? tuple[index] ?? keep)(list[index]);
      if (converted === list[index]) continue;
      copy ??= [...list];
      copy[index] = converted;
    }
    return copy ?? value;
  };
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' && value !== undefined;
}

const INDEX = /^\d+$/;

function indexedList(value: unknown): unknown[] | undefined {
  if (!isPlain(value)) return undefined;
  const keys = Object.keys(value);
  if (keys.length === 0 || !keys.every((key) => INDEX.test(key))) return undefined;
  return [...keys].sort((a, b) => Number(a) - Number(b)).map((key) => value[key]);
}

function objectCoercion({ properties = {}, additionalProperties }: JSONSchema): Coercion {
  const own = new Map(Object.entries(properties).map(([name, property]) => [name, compileCoercion(property)]));
  const rest = typeof additionalProperties === 'object' ? compileCoercion(additionalProperties) : undefined;
  return (value) => {
    if (!isPlain(value)) return value;
    let copy: Record<string, unknown> | undefined;
    // Nothing is inherited that could be enumerated, and no list of names is made.
    for (const name in value) {
      const convert = own.get(name) ?? rest;
      if (convert === undefined) continue;
      const given = value[name];
      const converted = convert(given);
      if (converted === given || name === '__proto__') continue;
      copy ??= { ...value };
      copy[name] = converted;
    }
    return copy ?? value;
  };
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

function toDate(value: unknown): unknown {
  if (typeof value !== 'string' || !ISO_DATE.test(value)) return value;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? value : date;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
