import { type Doc, Double, isDocument } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { readSent } from './sent-document.ts';

/** Bytes of a message before the name that it begins with: its header and its flags. */
const FRONT = 20;
/** Bytes between the name and the command: how many documents are passed over and wanted. */
const BOUNDS = 8;
const ADVICE = 'The client driver may require an upgrade';

/** Commands that clients may send in the form of drivers before OP_MSG: they do not know yet what the server takes. */
const GREETINGS: ReadonlySet<string> = new Set(['hello', 'isMaster', 'ismaster', 'buildInfo', 'buildinfo', 'saslStart', 'saslContinue']);

/** What a message of the old kind asks for, or the answer that refuses it. */
export type OldQuery = { readonly command: Doc } | { readonly refused: DocDbError | Doc };

/**
 * Reads an OP_QUERY: a greeting is carried out, everything else is refused.
 *
 * @param bytes a whole message with its header
 */
export function readOldQuery(bytes: Buffer): OldQuery {
  const nameEnd = bytes.indexOf(0, FRONT);
  const namespace = bytes.toString('utf8', FRONT, nameEnd);
  const dot = namespace.indexOf('.');
  if (dot < 0 || namespace.slice(dot + 1) !== '$cmd') return { refused: failedQuery('OP_QUERY') };
  try {
    const command = unwrapped(readSent(bytes, nameEnd + 1 + BOUNDS));
    const [name = ''] = Object.keys(command);
    if (!GREETINGS.has(name)) throw new DocDbError(352, `Unsupported OP_QUERY command: ${name}. ${ADVICE}`);
    return { command: { ...command, $db: namespace.slice(0, dot) } };
  } catch (error) {
    if (error instanceof DocDbError) return { refused: error };
    throw error;
  }
}

/** Old drivers put a command into another document, beside where they would like to read. */
function unwrapped(given: Doc): Doc {
  const [name] = Object.keys(given);
  if (name !== '$query' && name !== 'query') return given;
  if (given.$maxTimeMS !== undefined)
    throw new DocDbError(72, 'cannot use $maxTimeMS query option with commands; use maxTimeMS command option instead');
  const { [name]: command, $readPreference } = given;
  if (!isDocument(command)) throw new DocDbError(10065, `invalid parameter: expected an object (${name})`);
  return $readPreference === undefined ? command : { ...command, $readPreference };
}

/** @returns the answer to a search that is not a command, which clients look for an error in another place of */
export function failedQuery(kind: string): Doc {
  return { $err: `${kind} is no longer supported. ${ADVICE}`, code: 5_739_101, ok: new Double(0) };
}
