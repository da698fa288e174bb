import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { targetOf } from './operations.ts';

/** Codes that a driver tries again. */
const RETRYABLE: ReadonlySet<number> = new Set([6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);
const TRANSIENT: ReadonlySet<number> = new Set([...RETRYABLE, 24, 112, 251, 246]);
/** Codes after which a commit has certainly not happened. */
const NEVER_COMMITTED: ReadonlySet<number> = new Set([24, 112, 246, 251, 267]);
/** Codes after which a change stream can not be taken up again. */
const NOT_RESUMABLE: ReadonlySet<number> = new Set([280, 286]);
const RETRYABLE_WRITE_CONCERN: ReadonlySet<number> = new Set([91, 189, 10107, 11600, 11602]);

/** The fail points that there are. */
const NAMES = ['failCommand', 'failGetMoreAfterCursorCheckout', 'maxTimeAlwaysTimeOut', 'onPrimaryTransactionalWrite'] as const;
type FailPointName = (typeof NAMES)[number];

/** What a fail point makes of a command. */
export interface Failure {
  readonly blockMs: number;
  readonly closeConnection: boolean;
  readonly error: DocDbError | undefined;
  /** Fields that are added to an answer that succeeds. */
  readonly extra: Doc;
}

interface FailPoint {
  readonly data: Doc;
  times: number | undefined;
  skip: number;
}

/** Faults that tests ask for with `configureFailPoint`, as MongoDB's test servers have them. */
export class FailPoints {
  readonly #points = new Map<FailPointName, FailPoint>();
  readonly #enabled: boolean;

  /** @param enabled whether clients may ask for them */
  constructor(enabled: boolean) {
    this.#enabled = enabled;
  }

  /** @throws DocDbError (59) when they are not enabled, (148) for a name and (9) for a mode that is not known */
  configure(given: string, mode: Value, data: Value): void {
    if (!this.#enabled)
      throw new DocDbError(59, "no such command: 'configureFailPoint'. Start the server with the option failPoints, for tests only");
    const name = NAMES.find((known) => known === given);
    if (!name) throw new DocDbError(148, `${given} not found`);
    if (mode === 'off') this.#points.delete(name);
    else if (mode === 'alwaysOn') this.#points.set(name, { data: isDocument(data) ? data : {}, times: undefined, skip: 0 });
    else if (isDocument(mode) && ('times' in mode || 'skip' in mode)) {
      const times = mode.times === undefined ? undefined : Number(String(mode.times));
      this.#points.set(name, { data: isDocument(data) ? data : {}, times, skip: Number(String(mode.skip ?? 0)) });
    } else throw new DocDbError(9, 'unknown fail point mode');
  }

  /** @returns whether a fail point without data is on; uses up one of its times */
  hit(name: FailPointName): Doc | undefined {
    const point = this.#points.get(name);
    if (!point) return undefined;
    if (point.skip > 0) {
      point.skip -= 1;
      return undefined;
    }
    if (point.times !== undefined && --point.times <= 0) this.#points.delete(name);
    return point.data;
  }

  /** @returns what happens to a command, `undefined` for nothing */
  failureOf(command: Doc, name: string, appName: string | undefined): Failure | undefined {
    const point = this.#points.get('failCommand');
    if (!point || name === 'configureFailPoint') return undefined;
    const { failCommands, appName: wanted, namespace } = point.data;
    if (!Array.isArray(failCommands) || !failCommands.some((given) => isSameCommand(given as Value, name))) return undefined;
    if (wanted !== undefined && wanted !== appName) return undefined;
    if (namespace !== undefined && namespace !== `${String(command.$db)}.${targetOf(command) ?? ''}`) return undefined;
    const data = this.hit('failCommand');
    return data && failure(data, command, name);
  }
}

/** The names of one command differ in their case alone (`isMaster` and `ismaster`); `hello` is another one. */
function isSameCommand(given: Value, name: string): boolean {
  return typeof given === 'string' && given.toLowerCase() === name.toLowerCase();
}

function failure(data: Doc, command: Doc, name: string): Failure {
  const code = Number(String(data.errorCode ?? 0));
  const labels = data.errorLabels as string[] | undefined;
  return {
    blockMs: data.blockConnection === true ? Number(String(data.blockTimeMS ?? 0)) : 0,
    closeConnection: data.closeConnection === true,
    error:
      code === 0
        ? undefined
        : new DocDbError(code, `Failing command via 'failCommand' failpoint`, withLabels(labels ?? ownLabels(code, command, name))),
    extra: isDocument(data.writeConcernError) ? writeConcernFields(data.writeConcernError, labels, isSentAgain(command, name)) : {},
  };
}

/** The labels that a server adds by itself. */
function ownLabels(code: number, command: Doc, name: string): string[] {
  const inTransaction = command.autocommit === false;
  const labels: string[] = [];
  if (RETRYABLE.has(code) && isSentAgain(command, name)) labels.push('RetryableWriteError');
  if (inTransaction && TRANSIENT.has(code) && !isEnd(name)) labels.push('TransientTransactionError');
  if (inTransaction && name === 'abortTransaction' && TRANSIENT.has(code)) labels.push('TransientTransactionError');
  if (name === 'commitTransaction' && NEVER_COMMITTED.has(code)) labels.push('TransientTransactionError');
  if (NOT_RESUMABLE.has(code) && (name === 'getMore' || name === 'aggregate')) labels.push('NonResumableChangeStreamError');
  return labels;
}

function isEnd(name: string): boolean {
  return name === 'commitTransaction' || name === 'abortTransaction';
}

/** @returns whether a driver may send the command a second time: one inside of a transaction is not */
function isSentAgain({ txnNumber, autocommit }: Doc, name: string): boolean {
  return isEnd(name) || (txnNumber !== undefined && autocommit !== false);
}

function writeConcernFields(error: Doc, labels: string[] | undefined, sentAgain: boolean): Doc {
  const own = labels ?? (sentAgain && RETRYABLE_WRITE_CONCERN.has(Number(String(error.code))) ? ['RetryableWriteError'] : []);
  return { writeConcernError: error, ...withLabels(own) };
}

function withLabels(labels: string[]): Doc {
  return labels.length > 0 ? { errorLabels: labels } : {};
}
