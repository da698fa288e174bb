import type { PaginationSizes } from './page-sizes.ts';

/**
 * A JSON Schema of version 2020-12, without marks and without what callers from outside do not see. `{ $ref: 'service:users' }` stands for a record of the
 * service at that path.
 */
export type DescribedSchema = Readonly<Record<string, unknown>> | boolean;

/** How a record is described to a viewer: plain JSON Schema in which nothing stands that the viewer does not see. */
export interface RecordDescription {
  /** Name of the record, where its schema has one. */
  readonly name: string | undefined;
  /** The record, as it is sent. */
  readonly record: DescribedSchema;
  /** Data of `create`; `undefined` where the schema gives none. */
  readonly create: DescribedSchema | undefined;
  /** Data of `update`; `undefined` where the schema gives none. */
  readonly update: DescribedSchema | undefined;
  /** Data of `patch`; `undefined` where the schema gives none. */
  readonly patch: DescribedSchema | undefined;
  /** What queries may hold. */
  readonly query: QueryDescription;
  /** Schemas by name, to which `$ref: '#/$defs/<name>'` of the others leads. */
  readonly definitions: Readonly<Record<string, DescribedSchema>>;
  /** Sentences about what could not be described. */
  readonly problems: readonly string[];
}

/** What the query of a service may hold. */
export interface QueryDescription {
  /** Schemas of values by the property, or dotted path, that conditions and `$sort` may name. */
  readonly properties: Readonly<Record<string, DescribedSchema>>;
  /** What `$select` may name. */
  readonly select: readonly string[];
  /** Further operators by property, with the schemas of their operands. */
  readonly operators: Readonly<Record<string, Readonly<Record<string, DescribedSchema>>>>;
  /** Further filters beside the properties. */
  readonly filters: Readonly<Record<string, DescribedSchema>>;
  /** Properties that take records of other services, and the paths of those services. */
  readonly relations: Readonly<Record<string, { readonly service: string; readonly many: boolean }>>;
}

/** What a service with records does beside what every one does: adapters declare it. */
export interface CollectionDescription {
  /** Name of the id property. */
  readonly id: string;
  /** Page sizes; `false` where `find` gives plain lists. */
  readonly paginate: PaginationSizes | false;
  /** Methods that work on several records at once: `true` for all that can. */
  readonly multi: boolean | readonly string[];
  /** Whether `$after` and `$before` page, and pages name `next` and `previous`. */
  readonly cursors: boolean;
  /** Query operators besides the common ones. */
  readonly operators: readonly string[];
  /** Filters besides the common ones. */
  readonly filters: readonly string[];
  /** Largest `$skip`; `undefined` for no limit. */
  readonly maxSkip: number | undefined;
  /** What writes to several records give. */
  readonly returning: 'records' | 'ids' | 'count';
  /** Name of the property with the version of a record, a text that the service makes; `undefined` for services without such versions. */
  readonly version: string | undefined;
}

/** What one method takes and gives, for services that are no collections. */
export interface MethodDescription {
  /** One line. */
  readonly summary?: string;
  /** Text, in CommonMark. */
  readonly description?: string;
  /** Whether calls name a record, none, or either. Default: one for `get`, `update`, `patch` and `remove`, none for all others. */
  readonly ids?: 'one' | 'none' | 'either';
  /** Properties of the query by name. Default: none are known. */
  readonly query?: Readonly<Record<string, DescribedSchema>>;
  /** Data. Default: not known. */
  readonly data?: DescribedSchema;
  /** Result. Default: not known; `false` for nothing, which is 204. */
  readonly result?: DescribedSchema;
  /** Media type of the result. Default: `application/json`. */
  readonly type?: string;
  /** Status of a success that gives a result. Default: 201 for `create`, 200 for all others. */
  readonly status?: number;
  /** Whether callers are sent elsewhere, which is 303 with `Location`: always, or sometimes in place of a result. Default: never. */
  readonly redirects?: 'always' | 'sometimes';
  /** Media type of the data. Default: `application/json`. */
  readonly dataType?: string;
  /** Statuses of errors besides those that every call may have. Default: none. */
  readonly errors?: readonly number[];
  /** Whether a call needs credentials, of which strategies, when no guard says so. Default: it needs none. */
  readonly strategies?: readonly string[];
}

/** How credentials travel: a security scheme of OpenAPI. */
export type CredentialDescription =
  | { readonly type: 'http'; readonly scheme: string; readonly bearerFormat?: string; readonly description?: string }
  | { readonly type: 'apiKey'; readonly in: 'header' | 'cookie'; readonly name: string; readonly description?: string };

/** What a service says of itself, to tools that describe applications. */
export interface ServiceDescription {
  /** For services with records. */
  readonly collection?: CollectionDescription;
  /** By the name of the method. */
  readonly methods?: Readonly<Record<string, MethodDescription>>;
  /** Values of the placeholders of the path, by name. Default: any text. */
  readonly placeholders?: Readonly<Record<string, DescribedSchema>>;
  /** For authentication services: how credentials travel, by the name of the strategy that reads them. */
  readonly credentials?: Readonly<Record<string, readonly CredentialDescription[]>>;
  /** For authentication services: whether hooks that name no service mean this one. */
  readonly isDefault?: boolean;
  /** Words about the service that anyone may read. */
  readonly text?: string;
}
