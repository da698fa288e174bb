import { Sight, type Marks, type Params, type RecordDescription, type Viewer, type WriteOperation } from '@framework/core';
import { isPlainObject } from '@framework/query';
import type { Ajv } from 'ajv';
import { describeRecords } from './description/describe-records.ts';
import type { JSONSchema } from './json-schema.ts';
import { askedBy } from './query/asked-by.ts';
import { querySchemaOf, type QueryExtensions } from './query/query-schema.ts';
import { dataSchemaOf, isIrreplaceable, isUnset, type Unset } from './record-shape/data-schema.ts';
import { derivedSchemas } from './record-shape/derived-schemas.ts';
import { refuseDottedNames } from './record-shape/dotted-names.ts';
import { IDS } from './record-shape/ids.ts';
import { isSchema } from './record-shape/keywords.ts';
import { reachable } from './record-shape/location.ts';
import { refuseNoObjects } from './record-shape/refuse-no-objects.ts';
import { RecordShape, type ShapeRules } from './record-shape/record-shape.ts';
import { refuseUndescribedNames } from './record-shape/undescribed-names.ts';
import { rememberCheck } from './relations/fitting-ids.ts';
import { dataSchemas, getDataValidator, type AnySchema, type DataValidators } from './validation/data-validator.ts';
import { closedTogether } from './validation/intersect.ts';
import { withNamed } from './validation/named-schemas.ts';
import { invalidData, problemsIn } from './validation/problems.ts';
import { refuseNoSchema } from './validation/refuse-no-schema.ts';
import { asksOfKind, type AsksOfKind, type KindCondition } from './validation/patched-kind.ts';
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
  /** Rules of the shape that hold. Only proofs take one out. Default: all. */
  readonly rules?: ShapeRules | undefined;
}

/** The record that a call is for. */
export interface RecordId {
  /** Name of the id property. */
  readonly name: string;
  readonly value: unknown;
}

/** Most checks that are kept for what rules say of callers. */
const MAX_KEEPING = 64;

/** Checks as they follow from a record with all that was added to it. Each is compiled when it is asked for, once. */
interface Compiled {
  readonly root: RecordShape['root'];
  readonly schemas: Readonly<Record<WriteOperation, AnySchema>>;
  readonly data: () => DataValidators;
  /** Marks with a rule for who may set what has them. */
  readonly ruled: readonly Marks[];
  /** For data from outside, where the service keeps what a caller can not send, by what the rules say of that caller. */
  readonly keeping: Map<string, DataValidators>;
  /** For queries of callers from outside. */
  readonly external: () => Validator;
  /** For queries of code on the server. */
  readonly internal: () => Validator;
}

/** The checks of queries and data of one service. They follow what is added to the shape. */
export class RecordChecks {
  readonly shape: RecordShape;
  readonly #data: Compiled['schemas'] | undefined;
  readonly #patch: AnySchema | undefined;
  readonly #extensions: QueryExtensions;
  readonly #ajv: Ajv | undefined;
  readonly #foreign = (reference: string): unknown => this.#ajv?.getSchema(reference)?.schema;
  readonly #kinds = new WeakMap<Validator, AsksOfKind>();
  #compiled: Compiled;

  /** @throws Error for schemas that can not be compiled, seen through, or that contradict each other */
  constructor({ record, data, patch, extensions, ajv, rules }: RecordDefinition) {
    refuseNoSchemas({ record, data, patch }, ajv);
    const schema = withNamed(closedTogether(jsonSchemaOf(record, data === undefined)), ajv);
    this.#patch = patch && selfContained(patch, ajv);
    this.#data = data === undefined ? undefined : dataSchemas({ create: selfContained(data as AnySchema, ajv), patch: this.#patch }, ajv);
    this.#extensions = extensions;
    this.#ajv = ajv;
    this.shape = new RecordShape(schema, {
      foreign: this.#foreign,
      ...(rules ? { rules } : {}),
      data: written({ ...this.#data, ...(this.#patch === undefined ? {} : { patch: this.#patch }) }),
    });
    refuseNoObjects(this.shape.root, { data: this.#data?.create, patch: this.#patch }, this.#foreign);
    refuseDottedNames(this.shape.root);
    refuseUndescribedNames(this.shape.root);
    this.shape.refuseContradictions();
    if (data === undefined) this.shape.add({ readOnly: IDS.filter((name) => this.shape.root.names.includes(name)) });
    this.#compiled = this.#derive();
    this.#compileAll(this.#compiled);
    rememberCheck(this.shape, async (property, values) =>
      this.#current
        .internal()({ [property]: { $in: values } })
        .then(
          () => true,
          () => false,
        ),
    );
  }

  /** The checks of data. */
  get data(): DataValidators {
    return this.#current.data();
  }

  /**
   * Describes the records with all that was added to them.
   *
   * @param exposed whether records of another service may stand in these
   * @param keeps whether the service keeps what callers can not send
   */
  describe(viewer: Viewer, exposed: (path: string) => boolean, keeps: boolean): RecordDescription {
    const { schemas: written } = this.#current;
    return describeRecords({ shape: this.shape, written, foreign: this.#foreign, extensions: this.#extensions }, viewer, exposed, keeps);
  }

  /** @returns the check of a call's query. Code on the server may also query what is hidden, and what the schema does not name */
  query(params: Params): Validator {
    const { internal, external } = this.#current;
    if (params.provider === undefined) return internal();
    if (!this.shape.hasRoleRules) return external();
    return Object.assign((query: unknown) => askedBy({ params }, query, this.shape, external()), {
      declaredPaths: external().declaredPaths,
    });
  }

  /**
   * Checks and converts one record's data.
   *
   * @param id the record that is written, where it is known: data may repeat it
   * @param keeps whether the service keeps what callers can not send. Default: `false`
   * @throws BadRequest (400) with at most 20 problems
   */
  async validate(given: unknown, operation: WriteOperation, params: Params, id?: RecordId, keeps = false): Promise<unknown> {
    if (params.provider === undefined) {
      // Code on the server may apply any operator; from outside the schema has to declare it.
      return hasOperators(given) ? given : this.data[operation](given);
    }
    const data = id === undefined ? given : this.#withoutId(given, operation, id, { params });
    const validate = this.#dataFor(params, keeps)[operation];
    const refused = this.shape.refused(data, operation, { params });
    if (refused.length === 0) return validate(data);
    const invalid = await validate(data).then(
      () => [],
      (error: unknown) => problemsIn(error),
    );
    const paths = new Set(refused.map(({ path }) => path));
    throw invalidData([...refused, ...invalid.filter(({ path }) => !paths.has(path))]);
  }

  /**
   * Tells what a record has to have so that a change of it leaves it of its kind.
   *
   * @param data of a patch, checked
   * @param keeps as for {@link validate}
   */
  kindsFor(data: unknown, params: Params, keeps: boolean): readonly KindCondition[] {
    // Code on the server may apply any operator.
    if (params.provider === undefined && hasOperators(data)) return [];
    const { patch } = this.#dataFor(params, keeps);
    const asks = this.#kinds.get(patch) ?? asksOfKind(this.shape.schema, patch.schema, this.#ajv);
    this.#kinds.set(patch, asks);
    return asks(data);
  }

  #dataFor(params: Params, keeps: boolean): DataValidators {
    return keeps && params.provider !== undefined ? this.#keeping({ params }) : this.data;
  }

  /** What was read is sent back with its id. Another id is a property that can not be set, unless callers choose the ids. */
  #withoutId(data: unknown, operation: WriteOperation, { name, value }: RecordId, viewer: Viewer): unknown {
    if (!isPlainObject(data) || this.#takes(operation, name, viewer) || !Object.hasOwn(data, name)) return data;
    const given = data[name];
    if ((typeof given !== 'string' && typeof given !== 'number') || String(given) !== String(value)) return data;
    const { [name]: _id, ...rest } = data;
    return rest;
  }

  /** @returns whether the data of an operation has a property: by its own schema, or by the record where it has none */
  #takes(operation: WriteOperation, name: string, viewer: Viewer): boolean {
    if (this.shape.declares(operation, name)) return true;
    const isDerived = this.#data === undefined && (operation !== 'patch' || this.#patch === undefined);
    return isDerived && this.shape.root.names.includes(name) && this.shape.property([name], viewer)?.writable === true;
  }

  get #current(): Compiled {
    return this.#compiled.root === this.shape.root ? this.#compiled : (this.#compiled = this.#derive());
  }

  #derive(): Compiled {
    const { root } = this.shape;
    const schemas = this.#data ?? derivedSchemas(this.shape, this.#patch);
    return {
      root,
      schemas,
      data: once(() => getDataValidator(schemas, this.#ajv)),
      ruled: [...reachable(root)].flatMap(({ marks }) => (marks.writable.length > 0 ? [marks] : [])),
      keeping: new Map(),
      external: once(() => this.#queryValidator(false)),
      internal: once(() => this.#queryValidator(true)),
    };
  }

  /** What no rule decides is refused at start. */
  #compileAll({ root, schemas, data, ruled, keeping, external, internal }: Compiled): void {
    keeping.set('1'.repeat(ruled.length), this.#keptBy(isUnset, root, schemas) ?? data());
    external();
    internal();
  }

  /** The checks of data for a service that keeps what a caller can not set. */
  #keeping(viewer: Viewer): DataValidators {
    const { root, schemas, data, ruled, keeping } = this.#current;
    const sight = new Sight(viewer);
    const verdicts = ruled.map((marks) => (sight.sets(marks) ? '1' : '0')).join('');
    const known = keeping.get(verdicts);
    if (known !== undefined) return known;
    // Rules that agree to ever other things would take ever more memory.
    if (keeping.size >= MAX_KEEPING) keeping.clear();
    const made = this.#keptBy((marks) => !sight.sets(marks), root, schemas) ?? data();
    keeping.set(verdicts, made);
    return made;
  }

  /** @returns `undefined` where nothing is kept but what data never have */
  #keptBy(unset: Unset, root: Compiled['root'], schemas: Compiled['schemas']): DataValidators | undefined {
    const isKept = (location: Compiled['root']): boolean =>
      isIrreplaceable(location, unset) || (unset(location.marks) && !isUnset(location.marks));
    if (![...reachable(root)].some(isKept)) return undefined;
    const without = (schema: AnySchema): AnySchema =>
      isStandardSchema(schema) ? schema : dataSchemaOf(schema, { partial: false, record: root, kept: unset });
    const apart = this.#data && { create: schemas.create, update: without(schemas.update), patch: without(schemas.patch) };
    return getDataValidator(apart ?? derivedSchemas(this.shape, this.#patch, unset), this.#ajv);
  }

  #queryValidator(internal: boolean): Validator {
    const options = { hidden: internal, additionalProperties: internal };
    return getValidator(querySchemaOf(this.shape, this.#extensions, options, true), this.#ajv);
  }
}

/** Makes what is asked for when it is, once. */
function once<T>(make: () => T): () => T {
  let made: { readonly it: T } | undefined;
  return () => (made ??= { it: make() }).it;
}

/** What would be taken for a schema that says nothing would let everything pass. */
function refuseNoSchemas(given: Pick<RecordDefinition, 'record' | 'data' | 'patch'>, ajv: Ajv | undefined): void {
  for (const [name, schema] of Object.entries(given)) {
    if (schema === undefined || isStandardSchema(schema) || (name === 'record' && !isSchema(schema))) continue;
    const besides = name === 'data' ? ", and that of patch as the option 'patch'" : '';
    refuseNoSchema(`The option '${name}' of serviceSchema()`, schema, ajv, besides);
  }
}

/** A schema of another library has what it refers to in itself. */
function selfContained(schema: AnySchema, ajv: Ajv | undefined): AnySchema {
  return isStandardSchema(schema) ? schema : withNamed(closedTogether(schema), ajv);
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
