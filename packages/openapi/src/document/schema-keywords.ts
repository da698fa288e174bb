/** Keywords whose values are data and never schemas. */
export const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'example', 'required', 'dependentRequired']);

/** Keywords that hold schemas by a name that anybody may choose: such a name is no keyword. */
export const NAMED: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);
