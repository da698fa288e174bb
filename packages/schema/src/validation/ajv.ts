import { Ajv, type Options } from 'ajv';
import formatsModule from 'ajv-formats';
import { validatorFor, type Dialect } from './dialect.ts';

// The module is CommonJS: its types and its value disagree about the default.
/** Adds the formats of JSON Schema (`date-time`, `email`, `uri` and the others) to an `Ajv`. */
const addFormats = formatsModule as unknown as (ajv: Ajv) => Ajv;

/** Options of the validators that this package makes: nothing is changed by ajv itself but defaults. */
export const AJV_OPTIONS: Options = Object.freeze({ allErrors: true, strict: false, coerceTypes: false, useDefaults: true });

/**
 * Makes an ajv instance with the formats and keywords that schemas here may use.
 *
 * @param options further options of ajv
 * @param dialect version of JSON Schema. Default: draft-07
 */
export function createAjv(options: Options = {}, dialect: Dialect = 'draft-07'): Ajv {
  const ajv = addFormats(validatorFor(dialect, { ...AJV_OPTIONS, ...options }));
  ajv.addKeyword({
    keyword: 'date',
    schemaType: 'boolean',
    validate: (wanted: boolean, value: unknown) => !wanted || value instanceof Date,
    error: { message: 'must be a date: a day such as 2020-02-29, or a time with its zone such as 2020-02-29T10:00:00Z' },
  });
  return ajv;
}

const shared = new Map<Dialect, Ajv>();

/** @returns the validator that schemas of a version share */
export function sharedAjv(dialect: Dialect): Ajv {
  const known = shared.get(dialect);
  if (known) return known;
  const made = createAjv({}, dialect);
  shared.set(dialect, made);
  return made;
}

export { Ajv, addFormats };
