import { isObjectId, toObjectId } from './object-id.ts';

/** What ajv tells a keyword about the value that it checks. */
interface KeywordDataContext {
  parentData?: Record<string | number, unknown>;
  parentDataProperty?: string | number;
}

/** A keyword for `ajv.addKeyword`. */
export interface ObjectIdKeyword {
  readonly keyword: 'objectid';
  readonly type: ('string' | 'object')[];
  readonly modifying: true;
  readonly errors: false;
  readonly schemaType: 'boolean';
  readonly error: { readonly message: string };
  compile(schema: boolean): (value: unknown, context?: KeywordDataContext) => boolean;
}

/**
 * The ajv keyword `objectid`: accepts an object id, and 24 hexadecimal digits, which it replaces by the object id.
 *
 * @see interface 4.5 (object identifiers)
 */
export const keywordObjectId: ObjectIdKeyword = {
  keyword: 'objectid',
  type: ['string', 'object'],
  modifying: true,
  errors: false,
  schemaType: 'boolean',
  error: { message: 'must be an object id of 24 hexadecimal digits' },
  compile(schema) {
    if (!schema) return () => true;
    return (value, context) => {
      if (isObjectId(value)) return true;
      const converted = toObjectId(value);
      if (!isObjectId(converted)) return false;
      const { parentData, parentDataProperty } = context ?? {};
      if (parentData !== undefined && parentDataProperty !== undefined) parentData[parentDataProperty] = converted;
      return true;
    };
  },
};

/** Schema of {@link ObjectIdSchema}. */
export interface ObjectIdJSONSchema {
  readonly anyOf: readonly [
    { readonly type: 'string'; readonly objectid: true },
    { readonly type: 'object'; readonly properties: Record<never, never>; readonly additionalProperties: true; readonly objectid: true },
  ];
}

/**
 * A schema that accepts an object id or its text. Needs the keyword {@link keywordObjectId} in the validator.
 *
 * @see interface 4.5 (object identifiers)
 */
export function ObjectIdSchema(): ObjectIdJSONSchema {
  return {
    anyOf: [
      { type: 'string', objectid: true },
      { type: 'object', properties: {}, additionalProperties: true, objectid: true },
    ],
  };
}
