import { isDocument, typeName, type TypeName, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';

/** The types of numbers. */
export const NUMBERS: readonly TypeName[] = ['int', 'long', 'double', 'decimal'];

/** One field of a stage's operand. */
export interface StageField {
  readonly types?: readonly TypeName[];
  /** Code of the error for another type. */
  readonly wrongType?: number;
  /** Code of the error when it is missing. */
  readonly missing?: number;
  /** Whether null counts as if the field were missing. */
  readonly nullable?: boolean;
  /** Fields of a value that is a document. */
  readonly fields?: Readonly<Record<string, StageField>>;
  /** Code of the error for a field of it that is not known. */
  readonly unknown?: number;
  /** Whether a server takes fields of it that are not known. */
  readonly open?: boolean;
  /** What each element of a list is. */
  readonly elements?: StageField;
  readonly check?: (value: Value) => void;
}

/** What a stage takes. */
export interface StageDeclaration {
  /** The BSON types of its operand; `undefined` for any. */
  readonly types?: readonly TypeName[];
  readonly wrongType?: number;
  /** Fields of its operand where that is an object; `undefined` for those of the user. */
  readonly fields?: Readonly<Record<string, StageField>>;
  /** Code of the error for a field that is not known. */
  readonly unknown?: number;
  /** Looks at an operand of the right type. */
  readonly check?: (operand: Value) => void;
  /** Why it is refused, where it is. */
  readonly refused?: 'another kind of server' | 'not supported';
}

/**
 * Checks the operand of a stage against its declaration.
 *
 * @throws DocDbError with the codes of the declaration
 */
export function checkOperand(name: string, operand: Value, declared: StageDeclaration): void {
  const { types, wrongType = 9, fields, unknown = 40415, check } = declared;
  const type = typeName(operand);
  if (types && !types.includes(type))
    throw new DocDbError(wrongType, `the ${name} stage specification must be of type ${types.join(' or ')}, found ${type}`);
  if (fields && isDocument(operand)) checkFields(name, operand, fields, unknown);
  check?.(operand);
}

function checkField(path: string, value: Value, declared: StageField): void {
  const type = typeName(value);
  if (declared.types && !declared.types.includes(type))
    throw new DocDbError(declared.wrongType ?? 14, `'${path}' must be of type ${declared.types.join(' or ')}, found ${type}`);
  if (declared.fields && isDocument(value))
    checkFields(path, value, declared.fields, declared.open === true ? undefined : (declared.unknown ?? 40415));
  if (declared.elements && Array.isArray(value))
    for (const [index, entry] of (value as Value[]).entries()) checkField(`${path}.${String(index)}`, entry, declared.elements);
  declared.check?.(value);
}

function checkFields(
  path: string,
  operand: Readonly<Record<string, Value>>,
  fields: Readonly<Record<string, StageField>>,
  unknown: number | undefined,
): void {
  const absent = (name: string): boolean => operand[name] === undefined || (operand[name] === null && fields[name]?.nullable === true);
  for (const field of Object.keys(operand)) {
    const declared = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (!declared && unknown !== undefined) throw new DocDbError(unknown, `'${path}.${field}' is an unknown field`);
    if (declared && !absent(field)) checkField(`${path}.${field}`, operand[field], declared);
  }
  for (const [field, { missing }] of Object.entries(fields))
    if (missing !== undefined && absent(field)) throw new DocDbError(missing, `'${path}.${field}' is missing but a required field`);
}
