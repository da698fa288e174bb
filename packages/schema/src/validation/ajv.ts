import { Ajv, type Options } from 'ajv';
import formatsModule from 'ajv-formats';

// The module is CommonJS: its types and its value disagree about the default.
const addFormats = formatsModule as unknown as (ajv: Ajv) => Ajv;

/** Options of the validators that this package makes: all problems are reported, nothing is changed by ajv itself. */
export const AJV_OPTIONS: Options = Object.freeze({ allErrors: true, strict: false, coerceTypes: false, useDefaults: true });

/**
 * Makes an ajv instance with the formats and keywords that schemas here may use.
 *
 * @param options further options of ajv
 */
export function createAjv(options: Options = {}): Ajv {
  const ajv = addFormats(new Ajv({ ...AJV_OPTIONS, ...options }));
  ajv.addKeyword({
    keyword: 'date',
    schemaType: 'boolean',
    validate: (wanted: boolean, value: unknown) => !wanted || value instanceof Date,
    error: { message: 'must be a date' },
  });
  return ajv;
}

export { Ajv, addFormats };
