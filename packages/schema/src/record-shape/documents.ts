import type { JSONSchema } from '../json-schema.ts';
import { subschemas } from './keywords.ts';

/** Where names begin that no document gives a beginning. */
const NOWHERE = 'nowhere://nowhere/';

/** The document that a schema stands in. */
export interface SchemaDocument {
  /** The schema with its `$id`, or the outermost one. */
  readonly schema: JSONSchema;
  /** What names in it are read from. */
  readonly base: string;
}

/**
 * @param base what names in the outermost schema are read from. Default: nowhere
 * @returns for each schema the document that it stands in, or is
 */
export function documentsIn(root: JSONSchema, base: string = NOWHERE): Map<JSONSchema, SchemaDocument> {
  const documents = new Map<JSONSchema, SchemaDocument>();
  const walk = (schema: JSONSchema, around: SchemaDocument): void => {
    if (documents.has(schema)) return;
    const isDocument = typeof schema.$id === 'string' && !schema.$id.startsWith('#');
    const own = isDocument ? { schema, base: wholeName(String(schema.$id), around.base) } : around;
    documents.set(schema, own);
    for (const [keyword, value] of Object.entries(schema)) for (const part of subschemas(keyword, value)) walk(part, own);
  };
  walk(root, { schema: root, base });
  return documents;
}

/**
 * The name of a document, which may be written from where it is referred to: `user.json`, `../user.json`.
 *
 * @param base what it is read from
 */
export function wholeName(name: string, base: string): string {
  const [document = ''] = name.split('#');
  return URL.canParse(document, base) ? new URL(document, base).href : document;
}

/** @returns whether a name begins nowhere, so that it means the same as it is written */
export function isNowhere(name: string): boolean {
  return name.startsWith(NOWHERE);
}
