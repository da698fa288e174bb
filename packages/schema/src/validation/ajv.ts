import { isDate } from '@framework/query';
import { Ajv, type Options } from 'ajv';
import formatsModule from 'ajv-formats';
import type { JSONSchema } from '../json-schema.ts';
import { validatorFor, type Dialect } from './dialect.ts';
import { multipleOf } from './multiple-of.ts';
import { knowPatterns } from './pattern-properties.ts';
import { uniqueItems } from './unique-items.ts';
import { isUrl } from './url-format.ts';

// The module is CommonJS: its types and its value disagree about the default.
const addKnownFormats = formatsModule as unknown as (ajv: Ajv) => Ajv;

/** Adds the formats of JSON Schema (`date-time`, `email`, `uri` and the others) to an `Ajv`. */
function addFormats(ajv: Ajv): Ajv {
  return addKnownFormats(ajv).addFormat('url', isUrl);
}

/**
 * Options of the validators that this package makes: nothing is changed by ajv itself but defaults, and it writes nothing to the console: what it would pass
 * over is refused.
 */
export const AJV_OPTIONS: Options = Object.freeze({
  allErrors: true,
  strict: false,
  coerceTypes: false,
  useDefaults: true,
  logger: false,
  // It looks through all its code for each name in it: a record with 600 paths took a quarter of a minute to compile. Checks are not slower without.
  code: { optimize: false },
});

/**
 * Makes an ajv instance with the formats and keywords that schemas here may use.
 *
 * @param options further options of ajv
 * @param dialect version of JSON Schema. Default: draft-07
 */
export function createAjv(options: Options = {}, dialect: Dialect = 'draft-07'): Ajv {
  const ajv = addFormats(validatorFor(dialect, { ...AJV_OPTIONS, ...options }));
  ajv.removeKeyword('uniqueItems').addKeyword(uniqueItems);
  ajv.removeKeyword('multipleOf').addKeyword(multipleOf);
  knowPatterns(ajv);
  ajv.addKeyword({
    keyword: 'date',
    schemaType: 'boolean',
    validate: (wanted: boolean, value: unknown) => !wanted || (isDate(value) && !Number.isNaN(value.getTime())),
    error: { message: 'must be a date: a day such as 2020-02-29, or a time with its zone such as 2020-02-29T10:00:00Z' },
  });
  return ajv;
}

const knowing = new Map<Dialect, Ajv>();

/** @returns the validator that knows a version; nothing is compiled with it but the schema of schemas */
function validatorOf(dialect: Dialect): Ajv {
  const known = knowing.get(dialect);
  if (known) return known;
  const made = createAjv({}, dialect);
  knowing.set(dialect, made);
  return made;
}

/** What compiles the checks of one schema. */
export interface Compiler {
  /** Knows the keywords, and the schemas that others may refer to. */
  readonly ajv: Ajv;
  /** @throws Error for a schema that is none */
  readonly check: (schema: JSONSchema) => void;
  /** @returns what a schema is compiled with */
  readonly make: () => Ajv;
}

/**
 * What ajv has compiled it keeps for as long as it lives: each schema is compiled with a validator of its own, so that it goes with its service.
 * Reading the schema of schemas is what costs, and is done once.
 *
 * @param ajv a validator of the user's, which then does everything
 */
export function compilerOf(dialect: Dialect, ajv?: Ajv): Compiler {
  // Checks what it compiles by itself, unless its options say otherwise.
  if (ajv) return { ajv, check: () => undefined, make: () => ajv };
  const known = validatorOf(dialect);
  return {
    ajv: known,
    check: (schema) => void known.validateSchema(schema, true),
    make: () => createAjv({ validateSchema: false }, dialect),
  };
}

export { Ajv, addFormats };
