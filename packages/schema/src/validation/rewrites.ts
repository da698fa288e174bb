import type { JSONSchema } from '../json-schema.ts';
import { isSchema } from '../record-shape/keywords.ts';
import { MAX_DEPTH, tooDeep } from './too-deep.ts';

/** Makes something of a value; gives the same one back when there is nothing to do. Plain objects and lists are never changed. */
export type Rewrite = (value: unknown) => unknown;

/** Nothing to do. */
export const keep: Rewrite = (value) => value;

/** What the parts of one document make of values. A schema may contain itself, and unions may lie in each other. */
export abstract class Rewrites {
  readonly #compiled = new Map<JSONSchema, Rewrite>();
  /** What unions have made of objects in this call: where unions lie in each other, their alternatives ask for the same ones again. */
  #made = new Map<object, Map<object, unknown>>();
  #depth = 0;
  #unions = 0;

  /** Unions that lie around what is looked at. */
  protected get unions(): number {
    return this.#unions;
  }

  protected abstract compile(schema: JSONSchema): Rewrite;

  /** What a part of the document makes of a whole value. */
  whole(part: unknown): Rewrite {
    const rewrite = this.of(part);
    if (rewrite === keep) return keep;
    return (value) => {
      try {
        return rewrite(value);
      } finally {
        if (this.#made.size > 0) this.#made = new Map();
        this.#depth = this.#unions = 0;
      }
    };
  }

  protected of(schema: unknown): Rewrite {
    if (!isSchema(schema)) return keep;
    const known = this.#compiled.get(schema);
    if (known) return known;
    // A schema that contains itself finds this while it is compiled.
    let own = keep;
    this.#compiled.set(schema, (value) => this.#deeper(own, value));
    own = this.compile(schema);
    this.#compiled.set(schema, own);
    return own;
  }

  /** A schema that contains itself follows a value, or a default that contains itself, for as long as it goes on. */
  #deeper(rewrite: Rewrite, value: unknown): unknown {
    if (this.#depth >= MAX_DEPTH) throw tooDeep();
    this.#depth += 1;
    const made = rewrite(value);
    this.#depth -= 1;
    return made;
  }

  /**
   * What a union makes of an object or a list.
   *
   * @param union stands for the union
   */
  protected inUnion(union: object, value: object, decide: () => unknown): unknown {
    const known = this.#made.get(union) ?? new Map<object, unknown>();
    this.#made.set(union, known);
    if (known.has(value)) return known.get(value);
    // An alternative that is the union itself adds nothing.
    known.set(value, value);
    this.#unions += 1;
    const made = decide();
    this.#unions -= 1;
    known.set(value, made);
    return made;
  }
}
