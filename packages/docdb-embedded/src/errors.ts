/** What servers other than MongoDB's cloud service answer to everything about search indexes. */
export const SEARCH_NOT_ENABLED = 'Using $search and $vectorSearch aggregation stages and search index commands requires MongoDB Atlas';

/** Names of the error codes that this server answers with, as MongoDB names them. */
const CODE_NAMES: Readonly<Record<number, string>> = {
  1: 'InternalError',
  2: 'BadValue',
  4: 'NoSuchKey',
  5: 'GraphContainsCycle',
  6: 'HostUnreachable',
  7: 'HostNotFound',
  8: 'UnknownError',
  9: 'FailedToParse',
  11: 'UserNotFound',
  12: 'UnsupportedFormat',
  13: 'Unauthorized',
  14: 'TypeMismatch',
  15: 'Overflow',
  16: 'InvalidLength',
  17: 'ProtocolError',
  18: 'AuthenticationFailed',
  20: 'IllegalOperation',
  22: 'InvalidBSON',
  23: 'AlreadyInitialized',
  24: 'LockTimeout',
  26: 'NamespaceNotFound',
  27: 'IndexNotFound',
  28: 'PathNotViable',
  31: 'RoleNotFound',
  40: 'ConflictingUpdateOperators',
  43: 'CursorNotFound',
  47: 'NoMatchingDocument',
  48: 'NamespaceExists',
  50: 'MaxTimeMSExpired',
  52: 'DollarPrefixedFieldName',
  53: 'InvalidIdField',
  54: 'NotSingleValueField',
  56: 'EmptyFieldName',
  59: 'CommandNotFound',
  64: 'WriteConcernFailed',
  66: 'ImmutableField',
  67: 'CannotCreateIndex',
  68: 'IndexAlreadyExists',
  72: 'InvalidOptions',
  73: 'InvalidNamespace',
  79: 'UnknownReplWriteConcern',
  85: 'IndexOptionsConflict',
  86: 'IndexKeySpecsConflict',
  89: 'NetworkTimeout',
  91: 'ShutdownInProgress',
  95: 'NotSecondary',
  96: 'OperationFailed',
  100: 'UnsatisfiableWriteConcern',
  112: 'WriteConflict',
  115: 'CommandNotSupported',
  117: 'ConflictingOperationInProgress',
  121: 'DocumentValidationFailure',
  125: 'CommandFailed',
  134: 'ReadConcernMajorityNotAvailableYet',
  136: 'CappedPositionLost',
  141: 'SSLHandshakeFailed',
  146: 'ExceededMemoryLimit',
  148: 'FailPointSetFailed',
  161: 'IncompatibleCollationVersion',
  165: 'ViewDepthLimitExceeded',
  166: 'CommandNotSupportedOnView',
  167: 'OptionNotSupportedOnView',
  168: 'InvalidPipelineOperator',
  171: 'CannotIndexParallelArrays',
  175: 'QueryPlanKilled',
  185: 'ClientMetadataDocumentTooLarge',
  189: 'PrimarySteppedDown',
  197: 'InvalidIndexSpecificationOption',
  207: 'InvalidUUID',
  222: 'CloseChangeStream',
  224: 'QueryFeatureNotAllowed',
  225: 'TransactionTooOld',
  232: 'MaxSubPipelineDepthExceeded',
  237: 'CursorKilled',
  239: 'SnapshotTooOld',
  241: 'ConversionFailure',
  246: 'SnapshotUnavailable',
  251: 'NoSuchTransaction',
  256: 'TransactionCommitted',
  257: 'TransactionTooLarge',
  260: 'InvalidResumeToken',
  261: 'TooManyLogicalSessions',
  262: 'ExceededTimeLimit',
  263: 'OperationNotSupportedInTransaction',
  267: 'PreparedTransactionInProgress',
  276: 'IndexBuildAborted',
  278: 'UnsatisfiableCommitQuorum',
  279: 'ClientDisconnect',
  280: 'ChangeStreamFatalError',
  286: 'ChangeStreamHistoryLost',
  291: 'NoQueryExecutionPlans',
  292: 'QueryExceededMemoryLimitNoDiskUseAllowed',
  322: 'APIVersionError',
  323: 'APIStrictError',
  334: 'MechanismUnavailable',
  347: 'APIMismatchError',
  352: 'UnsupportedOpQueryCommand',
  359: 'CannotConvertIndexToUnique',
  361: 'CollectionUUIDMismatch',
  413: 'DataCorruptionDetected',
  9001: 'SocketException',
  10107: 'NotWritablePrimary',
  10334: 'BSONObjectTooLarge',
  11000: 'DuplicateKey',
  11600: 'InterruptedAtShutdown',
  11601: 'Interrupted',
  11602: 'InterruptedDueToReplStateChange',
  13297: 'DatabaseDifferCase',
  13388: 'StaleConfig',
  13435: 'NotPrimaryNoSecondaryOk',
  13436: 'NotPrimaryOrSecondary',
  14031: 'OutOfDiskSpace',
  31082: 'SearchNotEnabled',
  50768: 'NotARetryableWriteCommand',
};

/** An error that the client gets as the answer to its command. */
export class DocDbError extends Error {
  /** MongoDB's error code. */
  readonly code: number;
  /** Further fields of the answer, for example `keyPattern` or `errorLabels`. */
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(code: number, message: string, extra: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'DocDbError';
    this.code = code;
    this.extra = extra;
  }

  /** MongoDB's name of the code. */
  get codeName(): string {
    return codeName(this.code);
  }
}

/** Code 11000: another document has a key that there may be once. */
export class DuplicateKey extends DocDbError {
  /** When that document was written, as `Store.seq` counts; 0 for one that is not to be found yet. */
  readonly since: number;

  constructor(message: string, extra: Readonly<Record<string, unknown>>, since: number) {
    super(11000, message, extra);
    this.since = since;
  }
}

/** A division by zero; within a group it has another code. */
export class ZeroDivision extends DocDbError {
  readonly codeInGroup: number;

  constructor(code: number, codeInGroup: number, message: string) {
    super(code, message);
    this.codeInGroup = codeInGroup;
  }
}

/** @returns MongoDB's name of an error code, or `Location<code>` */
export function codeName(code: number): string {
  return CODE_NAMES[code] ?? `Location${String(code)}`;
}

/** Code 2: a value that is out of place. */
export function badValue(message: string): DocDbError {
  return new DocDbError(2, message);
}

/** Code 9: something that does not parse. */
export function failedToParse(message: string): DocDbError {
  return new DocDbError(9, message);
}

/** Code 14: a value of the wrong type. */
export function typeMismatch(message: string): DocDbError {
  return new DocDbError(14, message);
}

const TRANSIENT = { errorLabels: ['TransientTransactionError'] };
const CONFLICT =
  'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction.';

/** Code 112 with the label that makes drivers try the transaction again. */
export function writeConflict(): DocDbError {
  return new DocDbError(112, CONFLICT, TRANSIENT);
}

/** A transaction can not go on, but begin again: what it sees was changed by others who have committed that, or is being changed. */
export class Outdated extends DocDbError {
  /** Settles when it is changed. */
  readonly changed: Promise<unknown> | undefined;

  constructor(code: 24 | 112 | 246 = 112, message: string = CONFLICT, changed?: Promise<unknown>) {
    super(code, message, TRANSIENT);
    this.changed = changed;
  }
}

/** Code 251 for a transaction that there is not, with the label that makes drivers try the transaction again. */
export function noSuchTransaction(number: bigint): DocDbError {
  return new DocDbError(251, `Given transaction number ${String(number)} does not match any in-progress transactions.`, TRANSIENT);
}

/** The same for one that there was. */
export function abortedTransaction(number: bigint): DocDbError {
  return new DocDbError(251, `Transaction with { txnNumber: ${String(number)} } has been aborted.`, TRANSIENT);
}

/** @returns an error that says what was going on when it happened, as MongoDB's executors do; one that is tried again stays as it is */
export function framed(error: unknown, frame: string): unknown {
  if (!(error instanceof DocDbError) || error instanceof Outdated) return error;
  return new DocDbError(error.code, `${frame} :: caused by :: ${error.message}`, error.extra);
}

/** @returns that a stage which begins a pipeline stands behind others */
export function notFirst(stage: string): DocDbError {
  return new DocDbError(40603, `${stage} was not the first stage in the pipeline`);
}

/** @returns that one of the paths that are set together is another one, or leads through it */
export function conflictingPaths(code: number, path: string, other: string): DocDbError {
  return new DocDbError(code, `specification contains two conflicting paths. Cannot specify both '${path}' and '${other}'`);
}
