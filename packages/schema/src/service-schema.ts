import {
  checkedQuery,
  checkOptionNames,
  copyParams,
  keepReplaced,
  keepsPaths,
  showRecords,
  type HookContext,
  type NextFunction,
  type ServiceExtension,
  type Viewer,
} from '@framework/core';
import { BadRequest } from '@framework/errors';
import { declaring } from '@framework/query';
import type { Static, TSchema } from '@sinclair/typebox';
import type { Ajv } from 'ajv';
import { keepLists, noteList } from './hooks/checked-lists.ts';
import { convertId } from './hooks/convert-id.ts';
import { validatedEach } from './hooks/each-entry.ts';
import { checkResolvers, resolveAll, resolveExternal, resolveResult, type AllResolvers } from './hooks/resolve-hooks.ts';
import { patchOfKind } from './hooks/patch-of-kind.ts';
import { convertQuery } from './hooks/validate.ts';
import { readWhole } from './hooks/whole-records.ts';
import type { JSONSchema } from './json-schema.ts';
import type { QueryOf } from './query/query-types.ts';
import type { QueryExtensions } from './query/query-schema.ts';
import type { DataOfInput, DataOfRecord } from './record-shape/data-type.ts';
import type { ExternalRecord, ExternalStored, ExternalTypes, HiddenNames } from './record-shape/external-type.ts';
import type { RecordShape } from './record-shape/record-shape.ts';
import { withoutFilled } from './record-shape/without-filled.ts';
import { RecordChecks, type RecordId } from './record-checks.ts';
import { checkId } from './relations/check-id.ts';
import { checkReferences } from './relations/check-references.ts';
import { checkVersion } from './relations/check-version.ts';
import { watchMadeIds } from './relations/made-ids.ts';
import { Populate } from './relations/populate.ts';
import { targetOf } from './relations/relation.ts';
import type { RelatedNames, WithRelations } from './relations/reference-types.ts';
import type { AnySchema } from './validation/data-validator.ts';
import type { StandardSchema } from './validation/standard-schema.ts';

type RecordOfSchema<R> = R extends TSchema
  ? WithRelations<R>
  : R extends StandardSchema<unknown, infer Output>
    ? Output
    : Record<string, unknown>;
/** What callers outside get, ask for and send. */
type ExternalOfSchema<R, E, Q, D, P> = R extends TSchema
  ? ExternalTypes<
      ExternalRecord<R>,
      QueryOf<ExternalStored<R>, Operators<E>, RelatedNames<R>>,
      HiddenNames<R>,
      Sent<D, DataOfRecord<R, 'caller'>>,
      Sent<P, Partial<Sent<D, DataOfRecord<R, 'caller'>>>>
    >
  : ExternalTypes<RecordOfSchema<R>, Q, never, Sent<D, DataOfSchema<R>>, Sent<P, Partial<Sent<D, DataOfSchema<R>>>>>;
/** What of a record is stored: what may be queried and sent. */
type StoredOfSchema<R> = R extends TSchema ? Static<R> : RecordOfSchema<R>;
type DataOfSchema<R> = R extends TSchema
  ? DataOfRecord<R>
  : R extends StandardSchema<infer Input, unknown>
    ? DataOfInput<Input>
    : Record<string, unknown>;
/** What callers send: the input of a schema that converts. */
type Sent<S, Otherwise> = undefined extends S
  ? Otherwise
  : S extends TSchema
    ? Static<S>
    : S extends StandardSchema<infer Input, unknown>
      ? Input
      : Record<string, unknown>;
type Operators<E> = { [K in keyof E]: { [O in keyof E[K]]?: E[K][O] extends TSchema ? Static<E[K][O]> : unknown } };

/** What a service's records are, described once. */
export interface ServiceSchemaDefinition<R, D, P = AnySchema | undefined, E = QueryExtensions> {
  /** A record: TypeBox, a JSON schema, or a schema of a library that gives its JSON Schema (zod 4, arktype, valibot with its converter). */
  record: R;
  /** Data of `create` and `update`, also of another library (zod, valibot). Default: the record without ids and read-only properties. */
  data?: D;
  /** Data of `patch`. Default: any part of `data`; needed for schemas of another library. */
  patch?: P;
  /** Further operators by property, and further filters under `$root`. Default: none. The service has to allow them too. */
  extensions?: E;
  /** Resolvers of data, query, result and dispatch. Default: none. */
  resolvers?: AllResolvers;
  /** A validator instance with keywords of your own, for example `objectid`. Default: one for each schema. */
  ajv?: Ajv;
}

const NAMES: ReadonlySet<string> = new Set<keyof ServiceSchemaDefinition<unknown, unknown>>([
  'record',
  'data',
  'patch',
  'extensions',
  'resolvers',
  'ajv',
]);

/** The option `schema` of `app.use`; its type parameters describe the service. */
export interface ServiceSchema<Item, Data, Patch, Query, External = unknown> extends ServiceExtension {
  /** The record as a JSON schema. */
  readonly record: JSONSchema;
  /** What the record shows, hides, takes and can be asked for. */
  readonly shape: RecordShape;
  /** Never set: carries the types. */
  readonly types?: {
    readonly record: Item;
    readonly data: Data;
    readonly patch: Patch;
    readonly query: Query;
    readonly external: External;
  };
}

type Types<S> = S extends { readonly types?: infer T } ? NonNullable<T> : never;
type Part<S, Name extends string> = Types<S> extends Record<Name, infer T> ? T : never;

/** Record of a service schema: `type City = RecordType<typeof citySchema>`. */
export type RecordType<S> = Part<S, 'record'>;
/** A record as callers outside get it: hidden and write-only properties are not there, and what depends on the caller is optional. */
export type ExternalRecordType<S> = Part<S, 'external'> extends { readonly record: infer T } ? T : never;
/** Data of `create` and `update`. */
export type DataType<S> = Part<S, 'data'>;
/** Data of `patch`. */
export type PatchType<S> = Part<S, 'patch'>;
/** Query: filters, operators and paths with the right values. */
export type QueryType<S> = Part<S, 'query'>;

/**
 * Describes the records of a service once: `app.use('cities', service, { schema: serviceSchema({ record: city }) })` checks and
 * converts queries and data of all calls, runs the resolvers, and keeps hidden properties on the server.
 *
 * @throws TypeError for an unknown option or kind of resolver, Error for a schema that can not be compiled
 * @see interface 4.6, security S3, S4, S7, S10
 */
export function serviceSchema<
  R extends TSchema | JSONSchema | StandardSchema,
  D extends TSchema | StandardSchema | JSONSchema | undefined = undefined,
  P extends TSchema | StandardSchema | JSONSchema | undefined = undefined,
  const E extends QueryExtensions = NonNullable<unknown>,
>(
  definition: ServiceSchemaDefinition<R, D, P, E>,
): ServiceSchema<
  RecordOfSchema<R>,
  Sent<D, DataOfSchema<R>>,
  Sent<P, Partial<Sent<D, DataOfSchema<R>>>>,
  QueryOf<StoredOfSchema<R>, Operators<E>, RelatedNames<R>>,
  ExternalOfSchema<R, E, QueryOf<StoredOfSchema<R>, Operators<E>, RelatedNames<R>>, D, P>
> {
  checkOptionNames(
    'serviceSchema()',
    definition,
    NAMES,
    '. What describes a record is given by name: serviceSchema({ record: Type.Object({ … }) })',
  );
  const { extensions = {}, resolvers = {}, ajv } = definition;
  checkResolvers("The option 'resolvers' of serviceSchema()", resolvers);
  const checks = new RecordChecks({ record: definition.record, data: definition.data, patch: definition.patch, extensions, ajv });
  return schemaExtension(checks, resolvers);
}

/** The option `schema` of `app.use`, made of checks. */
export function schemaExtension(checks: RecordChecks, resolvers: AllResolvers): ServiceSchema<never, never, never, never, never> {
  const { shape } = checks;
  // Records that name no others cost nothing more.
  const populate = shape.references.size === 0 ? undefined : new Populate(shape);
  const watchIds = watchMadeIds(shape);
  const checkInput = async (context: HookContext, next: NextFunction): Promise<void> => {
    convertId(context, shape);
    const readBesides = populate?.take(context);
    await convertQuery(context, checks.query(context.params), serverSide(context, checks));
    readBesides?.();
    await convertData(context, checks);
    const kinds = context.method === 'patch' ? checks.kindsFor(context.data, context.params, keepsStored(context)) : [];
    const isSeen = (name: string): boolean => shape.property([name], viewerOf(context))?.readable === true;
    await (kinds.length === 0 ? next() : patchOfKind(context, kinds, isSeen, next));
    if (context.method === 'create') watchIds(context);
  };
  const { dispatch, result, ...input } = resolvers;
  return {
    record: shape.schema,
    shape,
    rules: shape,
    describe: (viewer, exposed, keeps) => checks.describe(viewer, exposed, keeps),
    check: (app: object, path: string): void => {
      const service = targetOf(app, { service: path });
      if (service) {
        checkId(shape, service, path);
        checkVersion(shape, service, path);
      }
      checkReferences(shape, app, path);
    },
    outerHooks: {
      around: { all: [...(populate ? [populate.populate] : []), showRecords(shape), ...(dispatch ? [resolveExternal(dispatch)] : [])] },
    },
    inputHooks: { around: { all: [checkInput] } },
    // Next to the method, so that they know what other hooks find out, for example who is logged in.
    innerHooks: {
      before: { create: [keepLists] },
      around: {
        all: [
          ...(populate ? [populate.takeRest] : []),
          ...(Object.keys(input).length === 0 ? [] : [resolveAll(input)]),
          ...(result || dispatch ? [readWhole(result ? [result] : [], dispatch ? [dispatch] : [])] : []),
          ...(result ? [resolveResult(result)] : []),
        ],
      },
    },
  };
}

/** What hooks add to a query that was checked is of the server: they may ask for what is hidden, at paths too. */
function serverSide(context: HookContext, checks: RecordChecks): object | undefined {
  const { params, service } = context;
  const { declaredPaths: paths } = checks.query({});
  const checked = checkedQuery(context);
  return checked && paths ? { ...checked, ...declaring(params, service, { paths }) } : checked;
}

function viewerOf({ params }: HookContext): Viewer {
  return params.provider === undefined ? 'internal' : { params };
}

/** Whether the service keeps what callers can not send. */
function keepsStored({ service }: HookContext): boolean {
  return Reflect.get(service, keepsPaths) === true;
}

function recordId({ method, id, service }: HookContext): RecordId | undefined {
  if (method === 'create' || id === undefined || id === null) return undefined;
  return { name: (service as { readonly id?: string }).id ?? 'id', value: id };
}

async function convertData(context: HookContext, checks: RecordChecks): Promise<void> {
  const { method, data, params } = context;
  if (method !== 'create' && method !== 'update' && method !== 'patch') return;
  if (Array.isArray(data) && method !== 'create') throw new BadRequest(`${method} takes one record, and not a list`);
  const { updateOperators } = checks.data[method];
  if (updateOperators) context.params = copyParams(params, declaring(params, context.service, { updateOperators }));
  const keeps = keepsStored(context);
  noteList(context);
  const checked = await validatedEach(data, (entry) => checks.validate(entry, method, params, recordId(context), keeps));
  // A library may have made of the data whatever the server wants.
  const hasDefaults = params.provider !== undefined && checks.data[method].schema !== undefined;
  const outlives = hasDefaults && (method === 'patch' || (method === 'update' && keeps));
  context.data = outlives ? withoutFilled(checked, data, checks.shape.root, { params }) : checked;
  const problems = keepReplaced(context, checks.shape);
  if (problems.length > 0) throw new BadRequest('validation failed', { errors: problems });
}
