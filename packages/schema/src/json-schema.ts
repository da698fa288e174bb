/** A JSON schema, as far as this package reads it. */
export interface JSONSchema {
  type?: string | readonly string[] | undefined;
  properties?: Readonly<Record<string, JSONSchema>> | undefined;
  additionalProperties?: boolean | JSONSchema | undefined;
  required?: readonly string[] | undefined;
  items?: JSONSchema | readonly JSONSchema[] | boolean | undefined;
  enum?: readonly unknown[] | undefined;
  const?: unknown;
  anyOf?: readonly JSONSchema[] | undefined;
  oneOf?: readonly JSONSchema[] | undefined;
  allOf?: readonly JSONSchema[] | undefined;
  if?: JSONSchema | undefined;
  then?: JSONSchema | undefined;
  else?: JSONSchema | undefined;
  /** Never leaves the server, and is neither queried nor set from outside (security S7, S10). */
  hidden?: boolean | undefined;
  /** Set from outside, and never leaves the server. */
  writeOnly?: boolean;
  /** Not set from outside. */
  readOnly?: boolean;
  /** The value is the id of a record of another service, or a list of ids; `as` names a property beside it that takes the record. */
  reference?: { readonly service: string; readonly as: string };
  [keyword: string]: unknown;
}
