import type { JSONSchema } from '../json-schema.ts';
import { documentsIn, isNowhere, wholeName, type SchemaDocument } from './documents.ts';
import { isSchema, REFERENCES, walkSchemas } from './keywords.ts';
import { asSchemas } from './parts.ts';

/** Finds a schema that another document names, for example one that was added to a validator. */
export type ForeignSchemas = (reference: string) => unknown;

/** The references of one document: `$ref` by pointer, anchor and id, `$dynamicRef` and `$recursiveRef`. */
export class References {
  readonly #root: JSONSchema;
  readonly #foreign: ForeignSchemas;
  readonly #byName = new Map<string, JSONSchema>();
  readonly #documents: Map<JSONSchema, SchemaDocument>;
  readonly #byWholeName = new Map<string, JSONSchema>();
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
    for (const { schema, base } of this.#documents.values()) if (schema.$id !== undefined) this.#byWholeName.set(base, schema);
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
    return this.#documents.get(schema)?.schema ?? this.#root;
  }

  #resolve(reference: string, from: JSONSchema): JSONSchema {
    const found = isReadable(reference)
      ? (this.#inDocument(this.#documentOf(from), reference) ??
        this.#byFullName(reference, from) ??
        this.#byName.get(reference.replace(/(?<=.)#$/, '')) ??
        this.#within(reference) ??
        this.#elsewhere(reference, reference))
      : undefined;
    if (!found) throw unresolved(reference);
    return found;
  }

  /** A name is read from the document that it stands in: others may have parts of the same name. */
  #byFullName(reference: string, from: JSONSchema): JSONSchema | undefined {
    const [name = '', fragment] = reference.split('#');
    const around = this.#documents.get(from);
    if (name === '' || around === undefined) return undefined;
    const whole = wholeName(name, around.base);
    const document = this.#byWholeName.get(whole);
    if (document !== undefined) return this.#behind(document, fragment);
    const full = fragment === undefined ? whole : `${whole}#${fragment}`;
    return isNowhere(whole) || full === reference ? undefined : this.#elsewhere(full, reference);
  }

  /**
   * A schema of the validator's, which throws for names that are none, and for schemas that it can not compile.
   *
   * @param name the whole name
   * @param reference as it is written
   */
  #elsewhere(name: string, reference: string): JSONSchema | undefined {
    let given: unknown;
    try {
      given = this.#foreign(name);
    } catch (error) {
      throw unresolved(reference, error);
    }
    const found = asDocument(given, reference);
    // What it refers to is read from where it stands.
    if (found && !this.#documents.has(found))
      for (const [schema, document] of documentsIn(found, wholeName(name, name))) this.#documents.set(schema, document);
    return found;
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
    return this.#behind(start, pointer);
  }

  #behind(document: JSONSchema, fragment: string | undefined): JSONSchema | undefined {
    if (fragment === undefined || fragment === '') return document;
    if (!fragment.startsWith('/')) return this.#anchors.get(document)?.get(fragment) ?? this.#byName.get(`#${fragment}`);
    return pointed(document, fragment);
  }
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

/** @returns the error for a reference that leads nowhere */
export function unresolved(reference: string, cause?: unknown): Error {
  const reason = cause instanceof Error ? ` (${cause.message})` : '';
  return new Error(
    `The reference '${reference}' does not resolve${reason}: put the schema into '$defs' of the record, or make a validator of it before, with the same ajv`,
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
