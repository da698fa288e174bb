import { unseenConditions, type Params, type Problem, type Viewer, type WriteOperation } from '@framework/core';
import { BadRequest } from '@framework/errors';
import type { Ajv } from 'ajv';
import type { JSONSchema } from './json-schema.ts';
import { querySchemaOf, type QueryExtensions } from './query/query-schema.ts';
import { dataSchemaOf } from './record-shape/data-schema.ts';
import { RecordShape } from './record-shape/record-shape.ts';
import { dataSchemas, getDataValidator, type AnySchema, type DataValidators } from './validation/data-validator.ts';
import { closedTogether } from './validation/intersect.ts';
import { bounded } from './validation/problems.ts';
import { jsonSchemaOf } from './validation/standard-json-schema.ts';
import { isStandardSchema } from './validation/standard-schema.ts';
import { getValidator, type Validator } from './validation/validator.ts';

/** What the checks of a service's records are made of. */
export interface RecordDefinition {
  readonly record: unknown;
  readonly data?: unknown;
  readonly patch?: AnySchema | undefined;
  readonly extensions: QueryExtensions;
  readonly ajv?: Ajv | undefined;
}

/** Ids are given by the service. */
const IDS: readonly string[] = ['_id', 'id'];

/** The checks of queries and data of one service. What is added to the shape counts until its first call. */
export class RecordChecks {
  readonly shape: RecordShape;
  readonly data: DataValidators;
  readonly #extensions: QueryExtensions;
  readonly #ajv: Ajv | undefined;
  readonly #internal: Validator;
  #external: Validator;
  #root: RecordShape['root'];

  /** @throws Error for schemas that can not be compiled, seen through, or that contradict each other */
  constructor({ record, data, patch, extensions, ajv }: RecordDefinition) {
    const schema = closedTogether(jsonSchemaOf(record));
    const own = data === undefined ? derived(schema, patch) : dataSchemas({ create: data as AnySchema, patch });
    this.shape = new RecordShape(schema, {
      ...(ajv ? { foreign: (reference: string) => ajv.getSchema(reference)?.schema } : {}),
      data: written({ ...(data === undefined ? {} : own), ...(patch === undefined ? {} : { patch }) }),
    });
    const { contradictions } = this.shape;
    if (contradictions.length > 0)
      throw new Error(
        `The data takes ${contradictions.map((path) => `'${path}'`).join(', ')}, which the record hides or has read-only: mark what callers write and nobody reads with WriteOnly, or leave it out of the data`,
      );
    if (data === undefined) this.shape.add({ readOnly: IDS.filter((name) => this.shape.root.names.includes(name)) });
    this.data = getDataValidator(own, ajv);
    this.#extensions = extensions;
    this.#ajv = ajv;
    this.#root = this.shape.root;
    this.#external = this.#queryValidator(false);
    this.#internal = this.#queryValidator(true);
  }

  /** @returns the check of a call's query. Code on the server may also query what is hidden, and what the schema does not name */
  query(params: Params): Validator {
    if (params.provider === undefined) return this.#internal;
    if (this.#root !== this.shape.freeze().root) {
      this.#root = this.shape.root;
      this.#external = this.#queryValidator(false);
    }
    if (!this.shape.hasRoleRules) return this.#external;
    const { declaredPaths } = this.#external;
    return Object.assign((query: unknown) => this.#asked(query, { params }), { declaredPaths });
  }

  /**
   * Checks and converts one record's data.
   *
   * @throws BadRequest (400) with at most 20 problems
   */
  async validate(data: unknown, operation: WriteOperation, params: Params): Promise<unknown> {
    const validate = this.data[operation];
    if (params.provider === undefined) {
      // Code on the server may apply any operator; from outside the schema has to declare it.
      return hasOperators(data) ? data : validate(data);
    }
    const refused = this.shape.refused(data, operation, { params });
    if (refused.length === 0) return validate(data);
    const invalid = await validate(data).then(
      () => [],
      (error: unknown) => problemsOf(error),
    );
    const paths = new Set(refused.map(({ path }) => path));
    throw invalidData([...refused, ...invalid.filter(({ path }) => !paths.has(path))]);
  }

  async #asked(query: unknown, viewer: Viewer): Promise<unknown> {
    const converted = await this.#external(query);
    const problems = unseenConditions(converted, this.shape, viewer);
    if (problems.length > 0) throw invalidData(problems);
    return converted;
  }

  #queryValidator(internal: boolean): Validator {
    return getValidator(querySchemaOf(this.shape, this.#extensions, { hidden: internal, additionalProperties: internal }), this.#ajv);
  }
}

/** Data as it follows from the record. */
function derived(record: JSONSchema, patch: AnySchema | undefined): { create: AnySchema; patch: AnySchema; update: AnySchema } {
  const create = dataSchemaOf(closed(record), { partial: false, optional: IDS });
  return { create, update: create, patch: patch ?? dataSchemaOf(closed(record), { partial: true }) };
}

/** Properties that nothing describes are not for code on the server either. */
function closed(record: JSONSchema): JSONSchema {
  const open =
    record.properties !== undefined &&
    ['allOf', 'anyOf', 'oneOf', '$ref', 'unevaluatedProperties', 'patternProperties'].every((keyword) => record[keyword] === undefined);
  return open ? { additionalProperties: false, ...record } : record;
}

/** Schemas of data that were written by themselves. Libraries say themselves what they do with properties that they do not know. */
function written(schemas: Readonly<Record<string, AnySchema | undefined>>): Partial<Record<WriteOperation, JSONSchema>> {
  return Object.fromEntries(
    Object.entries(schemas).map(([operation, schema]) => [operation, isStandardSchema(schema) ? {} : closedTogether(schema as JSONSchema)]),
  );
}

function hasOperators(data: unknown): boolean {
  return typeof data === 'object' && data !== null && Object.keys(data).some((name) => name.startsWith('$'));
}

function problemsOf(error: unknown): readonly Problem[] {
  const { errors } = error as { readonly errors?: readonly Problem[] };
  if (errors === undefined) throw error;
  return errors;
}

function invalidData(problems: readonly Problem[]): BadRequest {
  return new BadRequest('validation failed', { errors: bounded(problems) });
}
