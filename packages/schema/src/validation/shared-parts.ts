import type { JSONSchema } from '../json-schema.ts';
import { isSchema, mapSchemas, REFERENCES, subschemas, walkSchemas } from '../record-shape/keywords.ts';

/** Keywords with which a schema is worth a function of its own. */
const LARGE: readonly string[] = ['properties', 'anyOf', 'oneOf', 'allOf', 'if'];

/** Keywords that give references below them another meaning. */
const BASES: readonly string[] = ['$id', '$anchor', '$dynamicAnchor', '$recursiveAnchor'];

/** References that stay right when a part moves: to the whole, and to a definition of its own. */
const UNMOVED = /^#(?:\/(?:\$defs|definitions)\/[^/]+)?$/;

/**
 * Lets large schemas that stand in several places stand once, under `$defs`: a validator writes code for each place. The conditions of a
 * query, for example, hold at its top and in every branch of `$or` and `$and`.
 *
 * @returns a schema of the same meaning; the given one when there is nothing to share, or when references lead through its places
 */
export function withSharedParts(schema: JSONSchema): JSONSchema {
  const shared = new Set<JSONSchema>();
  const seen = new Set<JSONSchema>();
  let movable = true;
  walkSchemas(schema, (part) => {
    movable &&= BASES.every((keyword) => part[keyword] === undefined);
    movable &&= REFERENCES.every((keyword) => part[keyword] === undefined || UNMOVED.test(String(part[keyword])));
    for (const child of childrenOf(part)) {
      if (seen.has(child) && LARGE.some((keyword) => typeof child[keyword] === 'object')) shared.add(child);
      seen.add(child);
    }
  });
  return movable && shared.size > 0 ? new SharedParts(shared).document(schema) : schema;
}

function childrenOf(schema: JSONSchema): JSONSchema[] {
  return Object.entries(schema).flatMap(([keyword, value]) => subschemas(keyword, value));
}

/** A document whose shared parts are definitions. */
class SharedParts {
  readonly #shared: ReadonlySet<JSONSchema>;
  readonly #definitions: Record<string, JSONSchema> = {};
  readonly #references = new Map<JSONSchema, JSONSchema>();
  #taken: ReadonlySet<string> = new Set();

  constructor(shared: ReadonlySet<JSONSchema>) {
    this.#shared = shared;
  }

  document(schema: JSONSchema): JSONSchema {
    const { $defs } = schema;
    if (isSchema($defs)) this.#taken = new Set(Object.keys($defs));
    const document = this.#rewritten(schema);
    return { ...document, $defs: Object.assign({}, document.$defs, this.#definitions) };
  }

  #placed(part: JSONSchema): JSONSchema {
    if (!this.#shared.has(part)) return this.#rewritten(part);
    const known = this.#references.get(part);
    if (known) return known;
    let name = `shared${String(this.#references.size)}`;
    while (this.#taken.has(name)) name += '_';
    const reference = { $ref: `#/$defs/${name}` };
    this.#references.set(part, reference);
    this.#definitions[name] = this.#rewritten(part);
    return reference;
  }

  /** @returns the schema itself when nothing in it is shared: values of keywords that are not known stay as they are */
  #rewritten(schema: JSONSchema): JSONSchema {
    return mapSchemas(schema, (part) => this.#placed(part));
  }
}
