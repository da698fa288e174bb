import { isPlainObject } from '@framework/query';
import type { Ajv } from 'ajv';
import type { JSONSchema } from '../json-schema.ts';
import { isSchema, walkSchemas } from '../record-shape/keywords.ts';
import { MARK_NAMES } from '../record-shape/marks.ts';
import { kindOf, WHILE_LOADING } from '../refuse-nothing.ts';
import { compilerOf } from './ajv.ts';
import { CONVERTING, isOfNewerVersion } from './dialect.ts';
import { isStandardSchema } from './standard-schema.ts';

/** Keywords of this package, which validators need not know. */
const OWN: ReadonlySet<string> = new Set([...MARK_NAMES, ...CONVERTING, 'example', 'date', '$async']);

/**
 * Refuses what validators take for a schema that says nothing, so that it would check nothing: a list, a text, a validator, properties by their name, or
 * schemas by method, and what TypeBox makes of a schema that was not there.
 *
 * @param what begins the sentence: who takes the schema
 * @param besides ends it: what else is to be given. Default: nothing
 * @throws TypeError that names what it has
 */
export function refuseNoSchema(what: string, schema: unknown, ajv: Ajv | undefined, besides = ''): asserts schema is JSONSchema {
  const { ajv: known } = compilerOf('draft-07', ajv);
  const isKeyword = (name: string): boolean => OWN.has(name) || isOfNewerVersion(name) || known.RULES.keywords[name] !== undefined;
  const names = isPlainObject(schema) ? Object.keys(schema).filter((name) => schema[name] !== undefined) : [];
  const unknown = names.filter((name) => !isKeyword(name));
  const isNone =
    !isPlainObject(schema) ||
    (unknown.length > 0 && (unknown.length === names.length || unknown.some((name) => isMadeSchema(schema[name]))));
  if (!isNone) {
    walkSchemas(schema, (part) => {
      if (isAroundNothing(part))
        throw new TypeError(`${what} takes a schema, and this one has TypeBox around what is no schema${WHILE_LOADING}`);
    });
    return;
  }
  const has = isPlainObject(schema) ? `an object with '${unknown.slice(0, 3).join("', '")}'` : kindOf(schema);
  throw new TypeError(
    `${what} takes a schema, and not ${has}, which would check nothing: give TypeBox such as Type.Object({ … }), JSON Schema, or a schema of another library${besides}`,
  );
}

/** @returns whether a library has made the value, of which validators know nothing below a keyword that is none */
function isMadeSchema(value: unknown): boolean {
  return isStandardSchema(value) || (isSchema(value) && symbolsOf(value).includes('TypeBox.Kind'));
}

/** `Type.Optional(undefined)` is a schema without a kind, which takes any value, and `Type.Array(undefined)` a list of anything. */
function isAroundNothing(schema: JSONSchema): boolean {
  const symbols = symbolsOf(schema);
  if (symbols.includes('TypeBox.Kind')) return Object.hasOwn(schema, 'items') && schema.items === undefined;
  return Object.keys(schema).length === 0 && (symbols.includes('TypeBox.Optional') || symbols.includes('TypeBox.Readonly'));
}

function symbolsOf(schema: object): readonly (string | undefined)[] {
  return Object.getOwnPropertySymbols(schema).map(({ description }) => description);
}
