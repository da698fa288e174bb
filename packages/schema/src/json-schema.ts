/** A JSON schema, as far as this package reads it. */
export interface JSONSchema {
  type?: string | readonly string[];
  properties?: Readonly<Record<string, JSONSchema>>;
  additionalProperties?: boolean | JSONSchema;
  required?: readonly string[];
  items?: JSONSchema | readonly JSONSchema[];
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly JSONSchema[];
  oneOf?: readonly JSONSchema[];
  allOf?: readonly JSONSchema[];
  [keyword: string]: unknown;
}
