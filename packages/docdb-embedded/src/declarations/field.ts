import { toNumber } from '../bson/arithmetic.ts';
import { isDocument, isNumber, typeName, type TypeName, type Value } from '../bson/values.ts';
import { badValue, DocDbError, failedToParse } from '../errors.ts';
import { isTruthy } from '../query/truthy.ts';

/**
 * What becomes of a field: it does what MongoDB's manual says; it is checked and changes nothing here, because there is
 * nothing here that it could change; or it is refused.
 */
export type Effect = 'honoured' | 'without effect' | 'refused';

/** One field of a command, of a statement in it, or of a stage. */
export interface FieldDeclaration {
  /** The BSON types that it takes; `undefined` for any. */
  readonly types: readonly TypeName[] | undefined;
  readonly effect: Effect;
  /** Whether it has to be there. */
  readonly required: boolean;
  /** Whether null counts as if the field were missing. */
  readonly nullable: boolean;
  /** Code of the error for another type. */
  readonly wrongType: number;
  /** Fields of a document; others are refused. */
  readonly fields?: Fields | undefined;
  /** What each element of an array is. */
  readonly elements?: FieldDeclaration | undefined;
  /** Whether elements of an array that are null count as if they were missing. */
  readonly skipsNull?: boolean | undefined;
  /** Looks at a value of the right type. */
  readonly check?: ((value: Value, path: string) => void) | undefined;
  /** What it takes beside its type, in words. */
  readonly range?: string | undefined;
}

/** Fields by name. */
export type Fields = Readonly<Record<string, FieldDeclaration>>;

type Options = Partial<Omit<FieldDeclaration, 'types'>>;

const NUMBERS: readonly TypeName[] = ['long', 'int', 'decimal', 'double'];

function field(types: readonly TypeName[] | undefined, options: Options = {}): FieldDeclaration {
  return { types, effect: 'honoured', required: false, nullable: true, wrongType: 14, ...options };
}

/** Any value. */
export const anything = (options: Options = {}): FieldDeclaration => field(undefined, options);
/** `true` or `false`. */
export const bool = (options: Options = {}): FieldDeclaration => field(['bool'], options);
/** A boolean, or a number in its place. */
export const truth = (options: Options = {}): FieldDeclaration => field(['bool', ...NUMBERS], options);
/** A text. */
export const text = (options: Options = {}): FieldDeclaration => field(['string'], options);
/** A document; its fields are checked when they are given. */
export const object = (options: Options = {}): FieldDeclaration => field(['object'], options);
/** An array; its elements are checked when they are declared. */
export const array = (options: Options = {}): FieldDeclaration => field(['array'], options);
/** Values of some types. */
export const oneOf = (types: readonly TypeName[], options: Options = {}): FieldDeclaration => field(types, options);
/** A number; what is behind its point is cut off. */
export const number = (options: Options = {}): FieldDeclaration => field(NUMBERS, options);

/** A number of documents or the like: what is behind its point is cut off, what is no number counts as 0, and it has a range. */
export function amount(low: number, high: number = Infinity, options: Options = {}): FieldDeclaration {
  return number({
    range: rangeText(low, high),
    check(value, path) {
      const given = Math.trunc(toNumber(value)) || 0;
      if (given < low || given > high)
        throw badValue(`BSON field '${path}' value must be ${rangeText(low, high)}, actual value '${String(value)}'`);
    },
    ...options,
  });
}

/** A number without a fraction, and with a range. */
export function whole(low: number, high: number, options: Options = {}): FieldDeclaration {
  return number({
    range: `whole, ${rangeText(low, high)}`,
    check(value, path) {
      const given = toNumber(value);
      if (!Number.isInteger(given) || Math.abs(given) > 2 ** 63)
        throw failedToParse(`Expected an integer for '${path}', found: ${String(value)}`);
      if (given < low || given > high) throw badValue(`'${path}' must be ${rangeText(low, high)}, found: ${String(value)}`);
    },
    ...options,
  });
}

/** One of some texts. */
export function choice(values: readonly string[], options: Options = {}): FieldDeclaration {
  return text({
    range: values.map((value) => `'${value}'`).join(', '),
    check(value, path) {
      if (!values.includes(value as string))
        throw badValue(`Enumeration value '${String(value)}' for field '${path}' is not a valid value.`);
    },
    ...options,
  });
}

function rangeText(low: number, high: number): string {
  return high === Infinity ? `>= ${String(low)}` : `from ${String(low)} to ${String(high)}`;
}

/**
 * Checks the fields of a document against their declarations.
 *
 * @param prefix what the fields belong to, for the messages
 * @param own fields that others check
 * @throws DocDbError (14, 40414, 40415, and the codes of single fields)
 */
export function checkDocument(
  doc: Readonly<Record<string, Value>>,
  fields: Fields,
  prefix: string,
  own: (name: string) => boolean = () => false,
): void {
  for (const name of Object.keys(doc)) {
    if (own(name)) continue;
    const declared = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!declared) throw new DocDbError(40415, `BSON field '${prefix}.${name}' is an unknown field.`);
    checkValue(doc[name], declared, `${prefix}.${name}`);
  }
  for (const name of Object.keys(fields)) {
    const declared = fields[name] as FieldDeclaration;
    if (declared.required && (doc[name] === undefined || (declared.nullable && doc[name] === null)))
      throw new DocDbError(40414, `BSON field '${prefix}.${name}' is missing but a required field`);
  }
}

/** @throws DocDbError (14, and the codes of the field) for a value that a field does not take */
export function checkValue(value: Value, declared: FieldDeclaration, path: string): void {
  if (value === undefined || (value === null && declared.nullable)) return;
  const { types, fields, elements } = declared;
  const type = typeName(value);
  if (types && !types.includes(type)) {
    const expected = types.length === 1 ? `type '${String(types[0])}'` : `types '[${types.join(', ')}]'`;
    throw new DocDbError(declared.wrongType, `BSON field '${path}' is the wrong type '${type}', expected ${expected}`);
  }
  if (fields && isDocument(value)) checkDocument(value, fields, path);
  if (elements && Array.isArray(value)) {
    const entries = value as Value[];
    for (let index = 0; index < entries.length; index++) {
      if (entries[index] === null && declared.skipsNull === true) continue;
      if (entries[index] === null && elements.types)
        throw new DocDbError(
          14,
          `BSON field '${path}.${String(index)}' is the wrong type 'null', expected type '${elements.types.join(', ')}'`,
        );
      checkValue(entries[index], elements, `${path}.${String(index)}`);
    }
  }
  declared.check?.(value, path);
  // What is refused is refused for what it is, and before for a mistake in it.
  if (declared.effect === 'refused' && value !== false) throw new DocDbError(72, `BSON field '${path}' is not supported by this database`);
}

/** @returns whether a flag that may be a number is on */
export function isOn(value: Value): boolean {
  return value === true || (isNumber(value) && isTruthy(value));
}
