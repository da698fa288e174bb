/** A JSON schema, as far as this package reads it. */
export interface JSONSchema {
  type?: string | readonly string[] | undefined;
  properties?: Readonly<Record<string, JSONSchema>> | undefined;
  additionalProperties?: boolean | JSONSchema | undefined;
  required?: readonly string[] | undefined;
  items?: JSONSchema | readonly JSONSchema[] | undefined;
  enum?: readonly unknown[] | undefined;
  const?: unknown;
  anyOf?: readonly JSONSchema[] | undefined;
  oneOf?: readonly JSONSchema[] | undefined;
  allOf?: readonly JSONSchema[] | undefined;
  [keyword: string]: unknown;
}
