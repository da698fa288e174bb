import { loadInstalled } from '@framework/errors';
import { Ajv, type Options } from 'ajv';
import type { JSONSchema } from '../json-schema.ts';
import { walkSchemas } from '../record-shape/keywords.ts';
import { meantKeyword } from './misspelt-keyword.ts';

/** Versions of JSON Schema that are told apart. */
export type Dialect = 'draft-07' | '2019-09' | '2020-12';

const KEYWORDS_2020: ReadonlySet<string> = new Set(['prefixItems', '$dynamicRef', '$dynamicAnchor']);
const KEYWORDS_2019: ReadonlySet<string> = new Set([
  ...['unevaluatedProperties', 'unevaluatedItems', 'dependentSchemas', 'dependentRequired', 'minContains', 'maxContains'],
  ...['$recursiveRef', '$recursiveAnchor', '$anchor'],
]);

/** @returns whether a keyword came with a version of JSON Schema after draft-07 */
export function isOfNewerVersion(keyword: string): boolean {
  return KEYWORDS_2020.has(keyword) || KEYWORDS_2019.has(keyword);
}

/** Keywords of adapters, which convert what they find. */
export const CONVERTING: ReadonlySet<string> = new Set(['objectid']);

/**
 * The version that a schema is written in, by its `$schema` or else by its keywords.
 *
 * @throws Error for keywords of versions that exclude each other
 */
export function dialectOf(schema: JSONSchema): Dialect {
  const used = keywordsOf(schema);
  const newest = [...KEYWORDS_2020].find((keyword) => used.has(keyword));
  if (newest !== undefined && used.has('items[]'))
    throw new Error(
      `The schema has '${newest}' of JSON Schema 2020-12 beside a list of 'items' of older versions: write tuples as 'prefixItems'`,
    );
  if (newest !== undefined || (declares(schema, '2020-12') && !used.has('items[]'))) return '2020-12';
  return declares(schema, '2019-09') || [...KEYWORDS_2019].some((keyword) => used.has(keyword)) ? '2019-09' : 'draft-07';
}

/**
 * Refuses a schema with misspelt keywords, or formats of texts, that a validator does not know and would pass over, and with types that there are not.
 *
 * @throws Error that names the keyword, the format or the type
 */
export function checkKnown(schema: JSONSchema, ajv: Ajv): void {
  checkFormats(schema, ajv);
  // What a word of somebody else holds is not for validators.
  const isKnown = (keyword: string): boolean => ajv.RULES.keywords[keyword] !== undefined || isOfNewerVersion(keyword);
  walkSchemas(
    schema,
    (part) => {
      checkType(part);
      for (const keyword of Object.keys(part)) if (!isKnown(keyword)) checkSpelling(keyword);
    },
    isKnown,
  );
  for (const keyword of keywordsOf(schema)) {
    if (CONVERTING.has(keyword) && ajv.getKeyword(keyword) === false)
      throw new Error(
        `The validator does not know '${keyword}', and would store texts in place of object ids: give a validator with ` +
          "createAjv().addKeyword(keywordObjectId) as the option 'ajv', or as the second argument of getValidator",
      );
    if (isOfNewerVersion(keyword) && !keyword.startsWith('$') && ajv.getKeyword(keyword) === false)
      throw new Error(
        `The validator does not know '${keyword}': leave the option 'ajv' out, or make it with Ajv2019 or Ajv2020 of the ajv package`,
      );
  }
}

const TYPES: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** TypeBox has types of JavaScript besides, which validators refuse without their names. */
function checkType({ type }: JSONSchema): void {
  const unknown = [type].flat().find((name) => typeof name === 'string' && !TYPES.includes(name));
  if (unknown === undefined) return;
  const instead = unknown === 'Date' ? "DateSchema(), or Type.String({ format: 'date-time' })" : `one of ${TYPES.join(', ')}`;
  throw new Error(`The schema has the type '${unknown}', which JSON Schema does not have: write ${instead}`);
}

function checkSpelling(keyword: string): void {
  const meant = meantKeyword(keyword);
  if (meant === undefined) return;
  throw new Error(
    `The schema has the keyword '${keyword}', which means nothing: write '${meant}'. A word of your own is to be told to the validator: ` +
      `give createAjv().addKeyword('${keyword}') as the option 'ajv', or as the second argument of getValidator`,
  );
}

/** Keywords that say by themselves what a format means: schemas of other libraries have them beside formats of their own. */
const SAID_OTHERWISE: readonly string[] = ['pattern', 'enum', 'const'];

function checkFormats(schema: JSONSchema, { formats, opts }: Ajv): void {
  if (!opts.validateFormats) return;
  walkSchemas(schema, ({ format, type = 'string', ...others }) => {
    if (typeof format !== 'string' || Object.hasOwn(formats, format)) return;
    const parts = [others, ...(others.allOf ?? [])];
    if (!type.includes('string') || SAID_OTHERWISE.some((keyword) => parts.some((part) => part[keyword] !== undefined))) return;
    throw new Error(
      `The validator does not know the format '${format}', and would take every text: correct its name, put a 'pattern' beside it, or give a validator with ` +
        `createAjv().addFormat('${format}', …) as the option 'ajv', or as the second argument of getValidator`,
    );
  });
}

function keywordsOf(schema: JSONSchema): ReadonlySet<string> {
  const used = new Set<string>();
  walkSchemas(schema, (part) => {
    for (const keyword of Object.keys(part)) used.add(keyword);
    if (Array.isArray(part.items)) used.add('items[]');
  });
  return used;
}

function declares({ $schema }: JSONSchema, version: string): boolean {
  return typeof $schema === 'string' && $schema.includes(version);
}

/**
 * The classes of the newer versions are loaded where a schema needs them.
 *
 * @returns a new validator for a version
 * @throws Error with what to do for a bundle, beside which they are not
 */
export function validatorFor(dialect: Dialect, options: Options): Ajv {
  if (dialect === 'draft-07') return new Ajv(options);
  const file = dialect === '2019-09' ? 'ajv/dist/2019.js' : 'ajv/dist/2020.js';
  const { default: Made } = loadInstalled(file, import.meta.url, '@framework/schema') as { readonly default: typeof Ajv };
  return new Made(options);
}
