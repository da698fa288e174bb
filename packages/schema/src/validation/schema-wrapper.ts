import type { Ajv } from 'ajv';
import type { JSONSchema } from '../json-schema.ts';
import { getValidator, type Validator } from './validator.ts';

/** A JSON schema together with its validator. */
export class SchemaWrapper<T = unknown> {
  /** The schema as it was given. */
  readonly definition: JSONSchema;
  /** Checks and converts values of it. */
  readonly validator: Validator<T>;

  /** @throws Error for a schema that can not be compiled */
  constructor(definition: JSONSchema, ajv?: Ajv) {
    this.definition = definition;
    this.validator = getValidator<T>(definition, ajv);
  }

  /** Schemas of the properties, by name. */
  get properties(): Readonly<Record<string, JSONSchema>> {
    return this.definition.properties ?? {};
  }

  /** Names of the properties that have to be there. */
  get required(): readonly string[] {
    return this.definition.required ?? [];
  }

  /**
   * Checks and converts a value.
   *
   * @throws BadRequest (400) with at most 20 problems in `errors`
   */
  async validate(value: unknown): Promise<T> {
    return this.validator(value);
  }

  /** @returns the schema */
  toJSON(): JSONSchema {
    return this.definition;
  }
}

/**
 * Puts a JSON schema and its validator together.
 *
 * @param ajv a validator instance with keywords of your own. Default: one for the schema
 * @throws Error for a schema that can not be compiled
 */
export function schema<T = unknown>(definition: JSONSchema, ajv?: Ajv): SchemaWrapper<T> {
  return new SchemaWrapper<T>(definition, ajv);
}
