import { recordExists } from '@framework/core/adapter';
import {
  BadRequest,
  Conflict,
  FrameworkError,
  GeneralError,
  isFrameworkError,
  Unavailable,
  unavailable,
  Unprocessable,
} from '@framework/errors';
import type { DocDbParams } from './docdb-types.ts';
import { refusedOption } from './operations/refused-option.ts';

interface DriverError extends Error {
  readonly code?: unknown;
  readonly errorResponse?: unknown;
  readonly result?: Partial<WriteResult> | null;
  readonly keyPattern?: Record<string, unknown>;
  readonly errorLabelSet?: ReadonlySet<string>;
  hasErrorLabel?(label: string): boolean;
}

/** What the database said of a write whose write concern is not satisfied: its answer, or the driver's summary of those to a batch. */
interface WriteResult {
  readonly writeErrors: readonly WriteError[];
  getWriteErrors(): readonly WriteError[];
  getWriteConcernError(): unknown;
}

interface WriteError {
  readonly code: unknown;
  readonly errmsg?: string;
  readonly keyPattern?: Record<string, unknown>;
}

/** Says whether a caller may be told of a field. */
export type FieldTest = (field: string) => boolean;

const TOO_LARGE = 'A record is larger than the database stores';

const DUPLICATE = new Set<unknown>([11000, 11001]);
const BAD_VALUE = new Set<unknown>([
  2, 9, 14, 15, 27, 28, 40, 52, 53, 54, 56, 57, 66, 73, 168, 171, 241, 10334, 13026, 13027, 13103, 15975, 16020, 16410, 16746, 16755, 16766,
  17261, 17262, 17276, 17287, 17419, 17420, 31249, 31250, 31253, 31254, 40218, 40353, 51024, 51091, 51108, 51246, 7246301, 9867600,
]);
/** What is wrong with a value, as far as the code says it. What else the database says may have values of the record in it. */
const WRONG: ReadonlyMap<unknown, string> = new Map([
  [9, 'The request has an operator that there is not, or one that can not be read'],
  [14, 'A value has another type than its operator takes: of the request, or in the record'],
  [15, 'A record, or the request, is nested more deeply than the database takes'],
  [28, 'A path of the data leads through a value that has no properties, such as a text, a list or null'],
  [40, 'The data changes a property twice, or an object and a property inside it'],
  [52, 'A name of a property begins with $, which only operators do'],
  [53, 'An id is a list or a pattern, and the database has none of these'],
  [56, 'A name of a property is empty, or a path begins or ends with a dot'],
  [57, 'A name of a property has a dot where it can have none'],
  [10334, TOO_LARGE],
  [13103, 'The database sorts by 32 properties at most'],
  [17419, TOO_LARGE],
  [17420, TOO_LARGE],
  [51091, 'A regular expression can not be read'],
]);
const TIMEOUT = new Set<unknown>([50, 89, 262]);
/** Names of errors of what was given up on this side. */
const TIMEOUTS: ReadonlySet<string> = new Set(['MongoNetworkTimeoutError', 'MongoOperationTimeoutError', 'UnansweredError']);
const UNAVAILABLE = new Set<unknown>([6, 7, 91, 189, 9001, 10107, 11600, 11602, 13435, 13436]);

/** Aggregations find nothing by distance. */
const BY_DISTANCE = 5626500;

/** A connection that ended while the driver wrote to it: it passes the error of Node.js on as it is. */
const BROKEN = new Set<unknown>(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

/** Label of errors after which nobody knows whether a transaction is committed, so that committing it again is right. */
export const UNKNOWN_COMMIT = 'UnknownTransactionCommitResult';

/** What the driver was asked and has not ended, by when it should have. */
export class UnansweredError extends Error {
  override readonly name = 'UnansweredError';
  readonly #label: string | undefined;

  /**
   * @param limit milliseconds that it had
   * @param label as the driver has for its own errors
   */
  constructor(limit: number, label?: string) {
    super(`The driver has neither answered nor failed within ${String(limit)} ms`);
    this.#label = label;
  }

  /** As of errors of the driver: its helper for transactions asks it of what a commit fails with. */
  hasErrorLabel(label: string): boolean {
    return label === this.#label;
  }
}

/** What a call of the driver was for. */
export interface DriverCall {
  /** Whether it is part of a transaction, which undoes what it has done. */
  readonly inTransaction: boolean;
  /** Whether it may change records. */
  readonly writes: boolean;
  /** Whether the caller may be told of a field. */
  readonly mayName: FieldTest;
  /** Has what the application gives the driver for it. */
  readonly params: DocDbParams | undefined;
}

/**
 * Turns an error of the driver into one with a status. What the database said is its `cause` and is never sent: for
 * duplicates only the names of the fields are.
 *
 * @param error what the driver threw
 * @returns Conflict (409), BadRequest (400), Unavailable (503) with `data.retryAfter` for what took too long too, without it for a
 *   transaction of which nobody knows whether it was made and for a write that is made and not confirmed, Unprocessable (422) or GeneralError (500)
 * @see decisions: duplicate key, security S40
 */
export function toFrameworkError(error: unknown): FrameworkError {
  return toldError(error, { inTransaction: false, writes: false, mayName: () => true, params: undefined });
}

/**
 * What keeps a collection from being there, its connection or the indexes that are made first, is of the application: no caller has part in it, and nothing is
 * changed yet.
 *
 * @param error what the source of the collection threw
 * @returns Unavailable (503) or GeneralError (500) for errors of the driver, and others as they are
 */
export function ofSource(error: unknown): unknown {
  if (!isDriverError(error)) return error;
  const converted = toFrameworkError(error);
  if (converted.code >= 500) return converted;
  return Object.defineProperty(new GeneralError('The collection of the service can not be made ready'), 'cause', {
    value: error,
    configurable: true,
  });
}

/** {@link toFrameworkError} for a certain call. */
function toldError(error: unknown, call: DriverCall): FrameworkError {
  if (isFrameworkError(error)) return error;
  const converted = convertDriverError(ofDriver(error), call);
  Object.defineProperty(converted, 'cause', { value: error, configurable: true });
  return converted;
}

/**
 * What keeps several documents from being sent at all, the driver tells within an error that says nothing of it; and of what is refused while the write concern
 * can not be satisfied, it tells only the latter.
 */
function ofDriver(error: unknown): DriverError {
  const told = Object(error) as DriverError;
  if (told.name === 'MongoBulkWriteError' && told.errorResponse instanceof Error) return told.errorResponse;
  const [refused] = isConcerned(told) ? writeErrorsOf(told) : [];
  return refused
    ? {
        name: 'MongoServerError',
        message: refused.errmsg ?? '',
        code: refused.code,
        ...(refused.keyPattern && { keyPattern: refused.keyPattern }),
      }
    : told;
}

/** Whether the write concern of a write is not satisfied. */
function isConcerned({ name, result }: DriverError): boolean {
  return name === 'MongoWriteConcernError' || (name === 'MongoBulkWriteError' && result?.getWriteConcernError?.() !== undefined);
}

function writeErrorsOf({ result }: DriverError): readonly WriteError[] {
  return result?.getWriteErrors?.() ?? result?.writeErrors ?? [];
}

function convertDriverError(error: DriverError, { inTransaction, writes, mayName, params }: DriverCall): FrameworkError {
  const { name, code } = error;
  // Nobody is told to try again, as `Retry-After` would: the change would be made twice.
  if (hasLabel(error, UNKNOWN_COMMIT) || (writes && !inTransaction && isUnanswered(error)))
    return new Unavailable('The database did not answer: whether it has made the change is not known. Look before you try again');
  // Before the codes, which say why: a member that shuts down, or took too long.
  if (isUnconfirmed(error)) return new Unavailable('The database has not confirmed that the change lasts. Look before you try again');
  if (DUPLICATE.has(code)) return duplicate(error, mayName);
  if (code === 121) return new Unprocessable('The record does not satisfy the rules of its collection');
  if (code === 112 || hasLabel(error, 'TransientTransactionError'))
    return new Conflict('The record was changed by another transaction. Try again');
  if (TIMEOUT.has(code) || TIMEOUTS.has(name)) return unavailable('The database took too long. Try again');
  if (
    UNAVAILABLE.has(code) ||
    BROKEN.has(code) ||
    /^Mongo(ServerSelection|Network|NotConnected|TopologyClosed|PoolCleared|WaitQueueTimeout)/.test(name)
  ) {
    return unavailable('The database can not be reached. Try again');
  }
  if (code === BY_DISTANCE)
    return new BadRequest('$near and $nearSphere can not be used with a pipeline, nor within other conditions: use $geoWithin there');
  if (isTooLarge(error)) return new BadRequest(TOO_LARGE);
  if (BAD_VALUE.has(code) || name === 'BSONError' || name === 'MongoInvalidArgumentError') {
    const option = refusedOption(error.message, params);
    if (option !== undefined)
      return new GeneralError(`The database does not take the option '${option}' that the application gives it for this call`);
    return new BadRequest(WRONG.get(code) ?? 'The database does not accept a value of the request');
  }
  // Of the application: what runs in `transaction()` or `withSession()` gives its session to nothing that comes later.
  if (name === 'MongoExpiredSessionError')
    return new GeneralError(
      'The session of this call has ended: what works with params.docdb.session has to wait for all its calls, and calls that come later need none, or another session',
    );
  // Of the application too: values from outside are none of any package.
  if (name === 'BSONVersionError')
    return new GeneralError(
      'A value of this call is of another version of the bson package than the driver: make it with the classes that the mongodb package of the adapter has, ' +
        'and let there be one of it (npm ls mongodb bson)',
    );
  return new GeneralError('The database failed');
}

/** Whether something was not sent since it is larger than a document can be. What is larger than the room that it writes to, the driver tells by errors of JavaScript. */
function isTooLarge({ name, code, message }: DriverError): boolean {
  if (name === 'RangeError') return code === 'ERR_OUT_OF_RANGE' || message === 'offset is out of bounds';
  return name === 'MongoInvalidArgumentError' && message.startsWith('Document is larger than the maximum size');
}

/** Whether a command was sent, or begun to be, and no answer came. */
function isUnanswered(error: DriverError): boolean {
  const { name, code } = error;
  return BROKEN.has(code) || name === 'MongoNetworkError' || TIMEOUTS.has(name);
}

/**
 * @param error what the driver threw
 * @returns whether nothing of a write was refused, and only its write concern is not satisfied
 */
export function isUnconfirmed(error: unknown): boolean {
  const told = Object(error) as DriverError;
  return isConcerned(told) && writeErrorsOf(told).length === 0;
}

/** @returns whether the database has refused a document because there is one already */
export function isDuplicate(error: unknown): boolean {
  return DUPLICATE.has(ofDriver(error).code);
}

/** With one field that may not be named none is: the others would not be what is in use already. */
function duplicate(error: DriverError, mayName: FieldTest): Conflict {
  const all = error.keyPattern ? Object.keys(error.keyPattern) : fieldsInText(error.message);
  return recordExists(all.every(mayName) ? all : []);
}

/**
 * Errors of batches have no pattern, only a text: `… index: email_1_name_1 dup key: { email: "…", … }`. The default name of
 * an index lists its fields; otherwise the first field is taken. Values are never read.
 */
function fieldsInText(text: string): string[] {
  const [, index = '', first = ''] = / index: (\S+) dup key: \{ ([^:"]+):/.exec(text) ?? [];
  const named = [...index.matchAll(/(.+?)_(?:-?1|hashed)(?:_|$)/g)].map((match) => match[1] as string);
  if (named[0] === first) return named;
  return first === '' ? [] : [first];
}

function hasLabel(error: DriverError, label: string): boolean {
  return typeof error.hasErrorLabel === 'function' && error.hasErrorLabel(label);
}

/** @returns whether an error came from the driver */
export function isDriverError(error: unknown): boolean {
  if (error instanceof Error && (/^(Mongo|BSON|Unanswered)/.test(error.name) || BROKEN.has((error as DriverError).code))) return true;
  return isTooLarge(Object(error) as DriverError);
}

/** @returns whether the database itself refused a command: in a transaction it has then undone everything */
export function isServerError(error: unknown): boolean {
  return error instanceof Error && /^Mongo(Server|BulkWrite|WriteConcern)Error$/.test(error.name);
}

/**
 * Runs a database call and converts its errors. Inside a transaction an error that the driver can try again is passed on
 * as it is, so that `session.withTransaction` sees it.
 *
 * @param of what the call is for
 */
export async function converting<T>(call: () => Promise<T>, of: DriverCall): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (of.inTransaction && typeof error === 'object' && error !== null && hasLabel(error as DriverError, 'TransientTransactionError'))
      throw error;
    throw isDriverError(error) ? toldError(error, of) : error;
  }
}
