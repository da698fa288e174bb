import type { Ajv } from 'ajv';
import type { JSONSchema } from '../json-schema.ts';

/** Schemas by their `$id`; `undefined` where two have the same. */
type Named = Map<string, { readonly given: object; readonly schema: JSONSchema } | undefined>;

const schemasOf = new WeakMap<Ajv, Named>();

/**
 * The schemas that were compiled with a validator of the user's, for others that refer to them by their `$id`. They are not in the validator itself: that
 * knows an id once, and schemas are compiled in several forms.
 */
export class NamedSchemas {
  readonly #named: Named;

  /** @param ajv the user's validator; without one nothing is kept */
  constructor(ajv: Ajv | undefined) {
    this.#named = (ajv && schemasOf.get(ajv)) ?? new Map();
    if (ajv) schemasOf.set(ajv, this.#named);
  }

  /** Their ids. */
  get ids(): Iterable<string> {
    return this.#named.keys();
  }

  /** @throws Error for an id that two schemas have */
  find(id: string): JSONSchema | undefined {
    const found = this.#named.get(id);
    if (found === undefined && this.#named.has(id)) throw new Error(`two schemas have the $id '${id}'`);
    return found?.schema;
  }

  /**
   * Keeps a schema that has an `$id`.
   *
   * @param given the object that it was made of
   */
  add(given: object, schema: JSONSchema): void {
    const { $id: id } = schema;
    if (typeof id !== 'string') return;
    const isOther = this.#named.has(id) && this.#named.get(id)?.given !== given;
    this.#named.set(id, isOther ? undefined : { given, schema });
  }
}
