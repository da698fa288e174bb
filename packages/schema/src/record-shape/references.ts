import type { JSONSchema } from '../json-schema.ts';
import { isSchema, REFERENCES, subschemas, walkSchemas } from './keywords.ts';
import { asSchemas } from './parts.ts';

/** Finds a schema that another document names, for example one that was added to a validator. */
export type ForeignSchemas = (reference: string) => unknown;

/** The references of one document: `$ref` by pointer, anchor and id, `$dynamicRef` and `$recursiveRef`. */
export class References {
  readonly #root: JSONSchema;
  readonly #foreign: ForeignSchemas;
  readonly #byName = new Map<string, JSONSchema>();
  readonly #documents: ReadonlyMap<JSONSchema, JSONSchema>;
  readonly #anchors = new Map<JSONSchema, Map<string, JSONSchema>>();
  readonly #dynamic = new Map<string, JSONSchema[]>();
  readonly #recursive: JSONSchema[] = [];

  /**
   * @param root the document
   * @param foreign finds schemas outside the document. Default: there are none
   */
  constructor(root: JSONSchema, foreign: ForeignSchemas = () => undefined) {
    this.#root = root;
    this.#foreign = foreign;
    this.#documents = documentsIn(root);
    walkSchemas(root, (schema) => {
      if (typeof schema.$id === 'string') this.#byName.set(schema.$id.replace(/#$/, ''), schema);
      for (const anchor of [schema.$anchor, schema.$dynamicAnchor]) if (typeof anchor === 'string') this.#anchor(anchor, schema);
      if (typeof schema.$dynamicAnchor === 'string')
        this.#dynamic.set(schema.$dynamicAnchor, [...(this.#dynamic.get(schema.$dynamicAnchor) ?? []), schema]);
      if (schema.$recursiveAnchor === true) this.#recursive.push(schema);
    });
  }

  /**
   * The schemas that a schema refers to. A dynamic reference means any schema that could be meant.
   *
   * @throws Error for a reference that does not resolve
   */
  of(schema: JSONSchema): readonly JSONSchema[] {
    const { $ref, $dynamicRef, $recursiveRef } = schema;
    const found: JSONSchema[] = [];
    if (typeof $ref === 'string') found.push(this.#resolve($ref, schema));
    if (typeof $recursiveRef === 'string') found.push(this.#documentOf(schema), ...this.#recursive);
    if (typeof $dynamicRef === 'string') {
      const named = this.#dynamic.get($dynamicRef.replace(/^.*#/, ''));
      found.push(...(named ?? [this.#resolve($dynamicRef, schema)]));
    }
    return found;
  }

  #anchor(name: string, schema: JSONSchema): void {
    const document = this.#documentOf(schema);
    this.#anchors.set(document, (this.#anchors.get(document) ?? new Map<string, JSONSchema>()).set(name, schema));
    this.#byName.set(`#${name}`, schema);
  }

  /** What a reference without a name begins from. */
  #documentOf(schema: JSONSchema): JSONSchema {
    return this.#documents.get(schema) ?? this.#root;
  }

  #resolve(reference: string, from: JSONSchema): JSONSchema {
    const found = isReadable(reference)
      ? (this.#inDocument(this.#documentOf(from), reference) ??
        this.#byName.get(reference.replace(/(?<=.)#$/, '')) ??
        this.#within(reference) ??
        asDocument(this.#elsewhere(reference), reference))
      : undefined;
    if (!found) throw unresolved(reference);
    return found;
  }

  /** A validator throws for names that are none, and for schemas that it can not compile. */
  #elsewhere(reference: string): unknown {
    try {
      return this.#foreign(reference);
    } catch (error) {
      throw unresolved(reference, error);
    }
  }

  /** A schema with an `$id` is a document of its own: what it refers to without a name lies in it first. */
  #inDocument(document: JSONSchema, reference: string): JSONSchema | undefined {
    if (reference === '#') return document;
    if (reference.startsWith('#/')) return pointed(document, reference.slice(1));
    return reference.startsWith('#') ? this.#anchors.get(document)?.get(reference.slice(1)) : undefined;
  }

  /** A pointer, alone or behind an id. */
  #within(reference: string): JSONSchema | undefined {
    const [id = '', pointer] = reference.split('#');
    const start = id === '' ? this.#root : (this.#byName.get(id) ?? this.#byName.get(id.replace(/^.*\//, '')));
    if (start === undefined || pointer === undefined) return start === this.#root && pointer === undefined ? undefined : start;
    if (pointer === '') return start;
    if (!pointer.startsWith('/')) return this.#anchors.get(start)?.get(pointer) ?? this.#byName.get(`#${pointer}`);
    return pointed(start, pointer);
  }
}

/** @returns for each schema the one with an `$id` that it stands in, or is */
function documentsIn(root: JSONSchema): ReadonlyMap<JSONSchema, JSONSchema> {
  const documents = new Map<JSONSchema, JSONSchema>();
  const walk = (schema: JSONSchema, around: JSONSchema): void => {
    if (documents.has(schema)) return;
    const own = typeof schema.$id === 'string' && !schema.$id.startsWith('#') ? schema : around;
    documents.set(schema, own);
    for (const [keyword, value] of Object.entries(schema)) for (const part of subschemas(keyword, value)) walk(part, own);
  };
  walk(root, root);
  return documents;
}

/** @throws Error for a reference anywhere in a document that can not be read, in the words in which one is refused that leads nowhere */
export function refuseUnreadable(root: JSONSchema): void {
  walkSchemas(root, (schema) => {
    for (const keyword of REFERENCES) {
      const reference = schema[keyword];
      if (typeof reference === 'string' && !isReadable(reference)) throw unresolved(reference);
    }
  });
}

function unresolved(reference: string, cause?: unknown): Error {
  const reason = cause instanceof Error ? ` (${cause.message})` : '';
  return new Error(
    `The reference '${reference}' does not resolve${reason}: put the schema into '$defs' of the record, or add it to the validator with ajv.addSchema`,
    { cause },
  );
}

/** One fragment, and no escapes but those that mean something: validators read others each in their own way, or throw. */
function isReadable(reference: string): boolean {
  const [, pointer = '', ...more] = reference.split('#');
  try {
    decodeURIComponent(reference);
    return more.length === 0 && !/~(?![01])/.test(decodeURIComponent(pointer));
  } catch {
    return false;
  }
}

const NOTHING: JSONSchema = Object.freeze({ not: Object.freeze({}) });

function pointed(start: JSONSchema, pointer: string): JSONSchema | undefined {
  let place: unknown = start;
  for (const part of pointer.slice(1).split('/')) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, name)) return undefined;
    place = Reflect.get(place, name);
  }
  // A definition may also be written as `true` or `false`.
  return place === false ? NOTHING : asSchemas(place)[0];
}

/** A foreign schema may refer to others in its own document only by names that are found here too. */
function asDocument(schema: unknown, reference: string): JSONSchema | undefined {
  if (!isSchema(schema)) return undefined;
  let refers = false;
  walkSchemas(schema, (part) => (refers ||= REFERENCES.some((keyword) => String(part[keyword] ?? '').startsWith('#'))));
  if (refers)
    throw new Error(
      `The schema '${reference}' has references of its own document: write them with its '$id', or put it into '$defs' of the record`,
    );
  return schema;
}
