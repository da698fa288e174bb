import { type Doc, typeName, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { checkDocument, checkValue, type FieldDeclaration, type Fields } from './field.ts';
import { generalFields, type GeneralOptions } from './general-fields.ts';
import { checkApi } from './stable-api.ts';

/** What a command takes. */
export interface CommandDeclaration extends GeneralOptions {
  readonly name: string;
  /** Other names that it is called by. */
  readonly aliases: readonly string[];
  /** What its first field holds: the name of a collection, or something of its own. */
  readonly target: 'collection' | FieldDeclaration;
  readonly fields: Fields;
  /** Whether it takes fields that it does not know, as the server does with this command. */
  readonly open: boolean;
  /** Whether it may run on the database `admin` only. */
  readonly adminOnly: boolean;
  /** Fields that it has beside its own. */
  readonly general: Fields;
  /** Whether clients that ask for the stable API only may use it. */
  readonly stable: boolean;
}

type Given = Partial<Omit<CommandDeclaration, 'name' | 'target' | 'fields' | 'general'>>;

/** Declares a command. */
export function declare(name: string, target: CommandDeclaration['target'], fields: Fields, given: Given = {}): CommandDeclaration {
  const whole = {
    name,
    target,
    fields,
    aliases: [],
    open: false,
    adminOnly: false,
    stable: false,
    // What is no part of the stable API is for whoever looks after a server, and in no causal session.
    reads: given.stable === true ? ('local' as const) : ('none' as const),
    writes: 'never' as const,
    ...given,
  };
  return { ...whole, general: generalFields(whole) };
}

/**
 * Checks a command against its declaration.
 *
 * @throws DocDbError (13, 14, 73, 323, 40414, 40415, … ) for what the command does not take
 */
export function checkCommand(declared: CommandDeclaration, command: Doc, name: string, database: string): void {
  if (declared.adminOnly && database !== 'admin') throw new DocDbError(13, `${declared.name} may only be run against the admin database.`);
  const { general } = declared;
  for (const field of Object.keys(command)) {
    if (Object.hasOwn(general, field) && !Object.hasOwn(declared.fields, field))
      checkValue(command[field], general[field] as FieldDeclaration, `${name}.${field}`);
  }
  checkApi(declared, command, name);
  checkTarget(declared, command[name], name);
  const isGeneral = (field: string): boolean =>
    field === name || (!Object.hasOwn(declared.fields, field) && (declared.open || Object.hasOwn(general, field)));
  checkDocument(command, declared.fields, name, isGeneral);
}

function checkTarget({ target }: CommandDeclaration, value: Value, name: string): void {
  if (target !== 'collection') {
    if (target.required && value === null) throw new DocDbError(40414, `BSON field '${name}.${name}' is missing but a required field`);
    checkValue(value, target, `${name}.${name}`);
    return;
  }
  if (typeof value !== 'string') throw new DocDbError(73, `collection name has invalid type ${typeName(value)}`);
}
