export { openapi } from './openapi.ts';
export { openapiDocument } from './openapi-document.ts';
export type {
  ApiInfo,
  ApiServer,
  HttpMethod,
  MediaTypeObject,
  OpenApiDocument,
  OpenApiVersion,
  OperationObject,
  ParameterObject,
  PathItemObject,
  Reference,
  ResponseObject,
} from './document/types.ts';
export type { DocumentOptions, OpenApiOptions, PageOptions } from './openapi-options.ts';
export type { PageName } from './page/pages.ts';
export type { OperationDocs, ServiceDocs } from './service-docs.ts';
