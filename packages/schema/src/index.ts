export { Type } from '@sinclair/typebox';
export { Ajv, addFormats, createAjv } from './validation/ajv.ts';
export { coerce } from './validation/coerce.ts';
export { getDataValidator, getValidator } from './validation/validator.ts';
export { querySyntax } from './query/query-schema.ts';
export { resolve, Resolver, virtual } from './resolvers/resolver.ts';
export { validateData, validateParams, validateQuery } from './hooks/validate.ts';
export {
  resolveAll,
  resolveData,
  resolveExternal,
  resolveExternal as resolveDispatch,
  resolveQuery,
  resolveResult,
} from './hooks/resolve-hooks.ts';
export { serviceSchema } from './service-schema.ts';
export { DateSchema, Hidden, Nullable, StringEnum } from './typebox.ts';
export type { Static, TSchema } from '@sinclair/typebox';
export type { JSONSchema } from './json-schema.ts';
export type { PropertyQuery, QueryOf } from './query/query-types.ts';
export type { QueryExtensions, QuerySyntaxOptions } from './query/query-schema.ts';
export type { PropertyResolver, PropertyResolvers, ResolveOptions, ResolverStatus } from './resolvers/resolver.ts';
export type { DataType, PatchType, QueryType, RecordType, ServiceSchema, ServiceSchemaDefinition } from './service-schema.ts';
export type { StandardIssue, StandardResult, StandardSchema } from './validation/standard-schema.ts';
export type { AnySchema, DataSchemas, DataValidators, ValidationProblem, Validator } from './validation/validator.ts';
export type { AllResolvers } from './hooks/resolve-hooks.ts';
