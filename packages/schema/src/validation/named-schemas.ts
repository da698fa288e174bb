import type { Ajv } from 'ajv';
import type { JSONSchema } from '../json-schema.ts';
import { wholeName } from '../record-shape/documents.ts';
import { isSchema, walkSchemas } from '../record-shape/keywords.ts';
import { unresolved } from '../record-shape/references.ts';

/** A schema of which a validator was made, and the object that it was given as; `undefined` where two have the same `$id`. */
type Named = { readonly given: object; readonly schema: JSONSchema } | undefined;

const schemasOf = new WeakMap<Ajv, Map<string, Named>>();

/**
 * Keeps a schema that was compiled with a validator of the user's, for others that refer to it by its `$id`. It is not in the validator itself: that knows
 * an id once, and schemas are compiled in several forms.
 *
 * @param given the object that the schema was made of
 */
export function nameSchema(schema: JSONSchema, given: object, ajv: Ajv): void {
  const { $id: id } = schema;
  if (typeof id !== 'string') return;
  const named = schemasOf.get(ajv) ?? new Map<string, Named>();
  schemasOf.set(ajv, named);
  const isOther = named.has(id) && named.get(id)?.given !== given;
  named.set(id, isOther ? undefined : { given, schema });
}

/**
 * Puts the schemas that one refers to by their `$id` into its own definitions, so that all that reads it finds them there.
 *
 * @param ajv the validator with which those were compiled before, or to which they were added; without one there are none
 * @returns the schema itself when it refers to none of them
 * @throws Error for an id that two schemas have
 */
export function withNamed(schema: JSONSchema, ajv: Ajv | undefined): JSONSchema {
  if (ajv === undefined) return schema;
  const named = schemasOf.get(ajv) ?? new Map<string, Named>();
  const ids = new Set<unknown>();
  const found: JSONSchema[] = [];
  const left = [schema];
  for (let document = left.pop(); document !== undefined; document = left.pop()) {
    walkSchemas(document, ({ $id }) => ids.add($id));
    const base = String(document.$id ?? '');
    walkSchemas(document, ({ $ref: reference }) => {
      if (typeof reference !== 'string') return;
      const [name = ''] = reference.split('#');
      const id = [name, wholeName(name, base)].find((one) => !ids.has(one) && (named.has(one) || addedTo(ajv, one)));
      if (id === undefined || ids.has(name)) return;
      if (named.has(id) && named.get(id) === undefined) throw unresolved(reference, new Error(`two schemas have the $id '${id}'`));
      const other = named.get(id)?.schema ?? addedTo(ajv, id);
      if (other === undefined) return;
      ids.add(id);
      found.push(other);
      left.push(other);
    });
  }
  return found.length === 0 ? schema : { ...schema, $defs: withDefinitions(isSchema(schema.$defs) ? schema.$defs : undefined, found) };
}

/** @returns a schema that was added to a validator, with its name as its `$id`: by that it was added, or under that name while it has none */
function addedTo(ajv: Ajv, id: string): JSONSchema | undefined {
  try {
    const schema: unknown = id === '' ? undefined : ajv.getSchema(id)?.schema;
    if (!isSchema(schema) || isMetaSchema(id)) return undefined;
    if (schema.$id === undefined) return { ...schema, $id: id };
    return schema.$id === id ? schema : undefined;
  } catch {
    // What can not be compiled, and names that are none, are told where the reference is read.
    return undefined;
  }
}

/** The schema of schemas is in every validator. */
function isMetaSchema(id: string): boolean {
  return id.includes('json-schema.org/');
}

/** They are referred to by their ids: any name will do that is free. */
function withDefinitions(own: object | undefined, found: readonly JSONSchema[]): Record<string, JSONSchema> {
  const all: Record<string, JSONSchema> = {};
  Object.assign(all, own);
  for (const schema of found) {
    let name = String(schema.$id);
    while (Object.hasOwn(all, name)) name += "'";
    all[name] = schema;
  }
  return all;
}
