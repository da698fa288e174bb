import type { DescribedSchema } from '@framework/core';

/** Versions of OpenAPI that documents can be written in. */
export type OpenApiVersion = '3.1' | '3.2';

/** Title, version and more of the API: the Info Object of OpenAPI. */
export interface ApiInfo {
  readonly title: string;
  readonly version: string;
  readonly summary?: string;
  readonly description?: string;
  readonly termsOfService?: string;
  readonly contact?: { readonly name?: string; readonly url?: string; readonly email?: string };
  readonly license?: { readonly name: string; readonly identifier?: string; readonly url?: string };
}

/** Where the API is reached. */
export interface ApiServer {
  /** Address without a slash at its end; `/` for the host of the document. */
  readonly url: string;
  readonly description?: string;
}

/** A reference to a part of `components`. */
export interface Reference {
  readonly $ref: string;
}

/** A parameter of an operation. */
export interface ParameterObject {
  readonly name: string;
  readonly in: 'query' | 'querystring' | 'path' | 'header';
  readonly description?: string;
  readonly required?: boolean;
  readonly style?: string;
  readonly explode?: boolean;
  readonly schema?: DescribedSchema;
  readonly content?: Readonly<Record<string, MediaTypeObject>>;
}

/** One form of a body. */
export interface MediaTypeObject {
  readonly schema?: DescribedSchema;
  readonly itemSchema?: DescribedSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
  readonly encoding?: Readonly<Record<string, { readonly style: string; readonly explode: boolean }>>;
}

/** An answer. */
export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<
    Record<string, { readonly description: string; readonly required?: boolean; readonly schema: DescribedSchema }>
  >;
  readonly content?: Readonly<Record<string, MediaTypeObject>>;
}

/** What one HTTP method does at one path. */
export interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly deprecated?: boolean;
  readonly parameters?: readonly (ParameterObject | Reference)[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, MediaTypeObject>> };
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
  /** Credentials, each of which is enough; absent where it is not known. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

/** The HTTP methods at one path. */
export type PathItemObject = Readonly<Partial<Record<HttpMethod, OperationObject>>>;

/** HTTP methods that call services. */
export type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A document of OpenAPI. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: ApiInfo;
  readonly servers: readonly ApiServer[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, PathItemObject>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, DescribedSchema>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly securitySchemes?: Readonly<Record<string, object>>;
  };
}
