import type { JSONSchema } from '../json-schema.ts';
import { mapSchemas, REFERENCES, walkSchemas } from '../record-shape/keywords.ts';
import type { References } from '../record-shape/references.ts';

/** Keywords that mean something only in the document that a schema was taken from. */
const OF_DOCUMENT: ReadonlySet<string> = new Set([
  ...['$id', '$anchor', '$dynamicAnchor', '$recursiveAnchor', '$schema', '$defs', 'definitions', ...REFERENCES],
]);

/**
 * A schema that refers to itself by `#`, or to parts of itself by their `$id`, with pointers to definitions in the place of these: a validator
 * knows an id once, and a schema is compiled several times.
 *
 * @returns the schema itself when it refers to nothing so
 */
export function withoutIds(schema: JSONSchema, references: References): JSONSchema {
  const ids = new Set<string>(['#']);
  const named = new Set<string>();
  walkSchemas(schema, ({ $id, $ref }) => {
    if (typeof $id === 'string') ids.add($id);
    // Also by a pointer, or an anchor, behind the id.
    if (typeof $ref === 'string') named.add($ref).add($ref.replace(/#.*$/, ''));
  });
  if (![...ids].some((id) => named.has(id))) return schema;
  const definitions = new Definitions(references);
  const taken = definitions.taken(schema);
  return { ...taken, $defs: definitions.parts };
}

/** Length of a schema, as JSON, below which it is said again. */
const SHORT = 150;

/**
 * A schema that fills nothing in: what is asked for is what a caller asks for, and validators fill in behind references, wherever these stand.
 *
 * @returns the schema itself when it has no defaults; what stands in several places is the same in each
 */
export function withoutDefaults(schema: JSONSchema): JSONSchema {
  const known = new Map<JSONSchema, JSONSchema>();
  const cleared = (part: JSONSchema): JSONSchema => {
    const before = known.get(part);
    if (before !== undefined) return before;
    const copy = mapSchemas(part, cleared);
    const { default: standard, ...rest } = copy;
    const made = standard === undefined ? copy : rest;
    known.set(part, made);
    return made;
  };
  return cleared(schema);
}

/** Schemas that are taken out of one document and put into another, with what they refer to. */
export class Definitions {
  /** What the schemas refer to, for `$defs` of the new document. */
  readonly parts: Record<string, JSONSchema> = {};
  readonly #references: References;
  readonly #isAsked: boolean;
  readonly #names = new Map<JSONSchema, string>();

  /** @param isAsked whether the schemas are of what is asked for, which has no defaults. Default: `false` */
  constructor(references: References, isAsked = false) {
    this.#references = references;
    this.#isAsked = isAsked;
  }

  /** @returns the schema for the new document; the same one when it refers to nothing */
  taken(schema: JSONSchema): JSONSchema {
    let refers = false;
    walkSchemas(schema, (part) => (refers ||= REFERENCES.some((keyword) => part[keyword] !== undefined) || part.$id !== undefined));
    if (refers) return this.#rewritten(schema);
    return this.#isAsked ? withoutDefaults(schema) : schema;
  }

  /** @returns a reference to a schema that is said more than once; the schema itself where it is hardly longer */
  shared(schema: JSONSchema): JSONSchema {
    if (isShort(schema)) return schema;
    const name = `shared${String(this.#names.size)}`;
    this.#names.set(schema, name);
    this.parts[name] = schema;
    return { $ref: `#/$defs/${name}` };
  }

  #rewritten(schema: JSONSchema): JSONSchema {
    const own = { ...schema };
    for (const keyword of OF_DOCUMENT) Reflect.deleteProperty(own, keyword);
    if (this.#isAsked) Reflect.deleteProperty(own, 'default');
    const copy = mapSchemas(own, (part) => this.#rewritten(part));
    const targets = this.#references.of(schema).map((target) => ({ $ref: `#/$defs/${this.#nameOf(target)}` }));
    if (targets.length === 0) return copy;
    return { ...copy, allOf: [...(copy.allOf ?? []), targets.length === 1 ? { ...targets[0] } : { anyOf: targets }] };
  }

  #nameOf(target: JSONSchema): string {
    const known = this.#names.get(target);
    if (known !== undefined) return known;
    const name = `part${String(this.#names.size)}`;
    this.#names.set(target, name);
    this.parts[name] = this.#rewritten(target);
    return name;
  }
}

/** Examples may be values that JSON does not have: such a schema is said again. */
function isShort(schema: JSONSchema): boolean {
  try {
    return JSON.stringify(schema).length < SHORT;
  } catch {
    return true;
  }
}
