export { Type } from '@sinclair/typebox';
export { Ajv, addFormats, createAjv } from './validation/ajv.ts';
export { coerce } from './validation/coerce.ts';
export { getDataValidator } from './validation/data-validator.ts';
export { getValidator } from './validation/validator.ts';
export { queryProperties, queryProperty, querySyntax } from './query/query-schema.ts';
export { resolve, Resolver, virtual } from './resolvers/resolver.ts';
export { validateData, validateParams, validateQuery, type Checking } from './hooks/validate.ts';
export {
  resolveAll,
  resolveData,
  resolveExternal,
  resolveExternal as resolveDispatch,
  resolveQuery,
  resolveResult,
} from './hooks/resolve-hooks.ts';
export { hooks } from './hooks/hooks.ts';
export { schema, SchemaWrapper } from './validation/schema-wrapper.ts';
export { authenticationSettingsSchema, defaultAppConfiguration, defaultAppSettings, sqlSettingsSchema } from './app-configuration.ts';
export { serviceSchema } from './service-schema.ts';
export { DateSchema, Default, Field, Hidden, Nullable, ObjectIdSchema, ReadOnly, StringEnum, WriteOnly } from './typebox.ts';
export { Reference } from './relations/reference.ts';
export { loader } from './relations/loader.ts';
// Beside what is written by hand, what compilers write of it: declarations of exported schemas name all of these.
export type { ExternalTypes } from './record-shape/external-type.ts';
export type {
  DEFAULTED,
  DefaultMark,
  HIDDEN,
  HiddenMark,
  READ_ONLY,
  ReadOnlyMark,
  RULED,
  RuledMark,
  WRITE_ONLY,
  WriteOnlyMark,
} from './record-shape/marked-schema.ts';
export type { LeadsTo, REFERENCED, RelatedNames } from './relations/reference-types.ts';
export type { RecordLoader } from './relations/loader.ts';
export type { Referenced, ReferenceIdOptions, ReferenceOptions } from './relations/reference.ts';
export type { FieldRules, ObjectIdValue } from './typebox.ts';
export type { Static, TSchema } from '@sinclair/typebox';
export type { JSONSchema } from './json-schema.ts';
export type { AppSettings, AppSettingsProperties, SqlSettings } from './app-configuration.ts';
export type { PropertyConditions, QueryProperties } from './query/query-properties.ts';
export type { PropertyQuery, QueryConditions, QueryOf } from './query/query-types.ts';
export type { QueryExtensions, QuerySyntaxOptions } from './query/query-schema.ts';
export type { PropertyResolver, PropertyResolvers, ResolveOptions, ResolverDefinition, ResolverStatus } from './resolvers/resolver.ts';
export type {
  DataType,
  ExternalRecordType,
  PatchType,
  QueryType,
  RecordType,
  ServiceSchema,
  ServiceSchemaDefinition,
} from './service-schema.ts';
export type { StandardIssue, StandardResult, StandardSchema } from './validation/standard-schema.ts';
export type { AnySchema, DataSchemas, DataValidators } from './validation/data-validator.ts';
export type { Validator } from './validation/validator.ts';
export type { Problem as ValidationProblem } from '@framework/core';
export { getDispatch } from './record-shape/dispatch.ts';
export { RecordShape } from './record-shape/record-shape.ts';
export type { Contribution, Problem, PropertyRules, RecordRules, Viewer, WriteOperation } from '@framework/core';
export type { RecordShapeOptions } from './record-shape/record-shape.ts';
export type { AllResolvers } from './hooks/resolve-hooks.ts';
