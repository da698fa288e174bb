import { type Doc, isDocument, type Value, typeName } from '../bson/values.ts';
import { DocDbError, typeMismatch } from '../errors.ts';
import { OWN_DATABASES } from '../storage/own-databases.ts';
import { BULK_RESULTS } from './cursors.ts';
import { transactionCommands } from './registry.ts';

/** What a command says of its session. */
export interface SessionOptions {
  /** Number of its transaction, or of the write that may come again. */
  readonly number: bigint | undefined;
  /** Whether it belongs to a transaction, and begins it. */
  readonly transaction: 'none' | 'begins' | 'goes on';
}

function invalid(message: string): DocDbError {
  return new DocDbError(72, message);
}

/**
 * Reads which transaction or retryable write a command belongs to.
 *
 * @throws DocDbError (14, 72) for what means nothing
 */
export function sessionOptions(command: Doc, name: string): SessionOptions {
  const { txnNumber, lsid } = command;
  const autocommit = command.autocommit ?? undefined;
  const starts = command.startTransaction ?? undefined;
  const number = numberOf(txnNumber, name);
  if (number !== undefined && !isDocument(lsid)) throw invalid('Transaction number requires a session ID to also be specified');
  if (number === undefined && autocommit !== undefined)
    throw invalid("'autocommit' field requires a transaction number to also be specified");
  if (autocommit === true) throw invalid('Specifying autocommit=true is not allowed.');
  if (starts !== undefined && autocommit === undefined)
    throw invalid("'startTransaction' field requires 'autocommit' field to also be specified");
  if (starts === false) throw invalid('Specifying startTransaction=false is not allowed.');
  if (autocommit === undefined) return { number, transaction: 'none' };
  return { number, transaction: starts === undefined ? 'goes on' : 'begins' };
}

function numberOf(value: Value, name: string): bigint | undefined {
  if (value === undefined || value === null) return undefined;
  const type = typeName(value);
  if (type !== 'long' && type !== 'int')
    throw typeMismatch(`BSON field '${name}.txnNumber' is the wrong type '${type}', expected types '[long, int]'`);
  const number = BigInt(String(value));
  if (number < 0n) throw invalid('Transaction number cannot be negative');
  return number;
}

/** Levels of reading that a transaction has. */
const LEVELS: ReadonlySet<Value> = new Set([undefined, null, 'local', 'majority', 'snapshot']);

function databasesOf({ nsInfo, collection }: Doc, name: string, database: string): readonly string[] {
  if (name === 'commitTransaction' || name === 'abortTransaction' || (name === 'getMore' && collection === BULK_RESULTS)) return [];
  if (name !== 'bulkWrite' || !Array.isArray(nsInfo)) return [database];
  return (nsInfo as readonly Value[]).flatMap((entry) =>
    isDocument(entry) && typeof entry.ns === 'string' ? [entry.ns.slice(0, entry.ns.indexOf('.'))] : [],
  );
}

/** @throws DocDbError (263) for a command that a transaction does not have, whatever else it asks for */
export function checkTransactional(name: string): void {
  if (!transactionCommands.has(name)) throw new DocDbError(263, `Cannot run '${name}' in a multi-document transaction.`);
}

/** Commands that write to the collection that they name, and the code with which they are refused for one of the system. */
const WRITES: ReadonlyMap<string, number> = new Map([
  ['insert', 50791],
  ['update', 50791],
  ['delete', 50791],
  ['findAndModify', 50781],
  ['findandmodify', 50781],
]);

/** @throws DocDbError (50781, 50791, 51071) for a collection of the system that a transaction would write to, or the one of views */
function checkSystem(name: string, target: Value): void {
  if (typeof target !== 'string' || !target.startsWith('system.')) return;
  const code = WRITES.get(name);
  if (code !== undefined) throw new DocDbError(code, `Cannot write to the system collection '${target}' within a transaction.`);
  if (target === 'system.views') throw new DocDbError(51071, 'Cannot read from system.views within a transaction.');
}

/** @throws DocDbError (72, 263, 50781, 50791, 51071) for what a transaction does not have, or not there */
export function checkInTransaction(command: Doc, name: string, database: string, begins: boolean): void {
  const { readConcern, writeConcern } = command;
  const ends = name === 'commitTransaction' || name === 'abortTransaction';
  const outside = databasesOf(command, name, database).find((one) => OWN_DATABASES.has(one));
  if (outside !== undefined) throw new DocDbError(263, `Cannot run command against the '${outside}' database in a transaction.`);
  checkSystem(name, command[name]);
  if (begins && name === 'killCursors')
    throw new DocDbError(263, 'Cannot run killCursors as the first operation in a multi-document transaction.');
  if (!ends && isDocument(writeConcern)) throw invalid('writeConcern is not allowed within a multi-statement transaction');
  if (!isDocument(readConcern) || Object.keys(readConcern).length === 0) return;
  if (!begins) throw invalid('Only the first command in a transaction may specify a readConcern');
  if (!LEVELS.has(readConcern.level))
    throw invalid("The readConcern level must be either 'local' (default), 'majority' or 'snapshot' in order to run in a transaction");
}
