import { toNumber } from '../bson/arithmetic.ts';
import { wholeOption } from '../bson/rounding.ts';
import { isDocument, isNumber, Timestamp, typeName, type Value } from '../bson/values.ts';
import { badValue, DocDbError, failedToParse } from '../errors.ts';
import { anything, bool, choice, type FieldDeclaration, type Fields, number, object, oneOf, text, truth, whole } from './field.ts';
import { userDigest, uuid } from './shared-fields.ts';

const PROVENANCES = ['clientSupplied', 'implicitDefault', 'customDefault', 'getLastErrorDefaults', 'internalWriteDefault'];

/** The levels of a read concern: all, the one that everything has, or that one without a time to read after. */
export type ReadLevels = 'all' | 'local' | 'none';

const LEVELS = ['local', 'majority', 'available', 'linearizable', 'snapshot'];

function readConcern(levels: ReadLevels): FieldDeclaration {
  return object({
    fields: {
      level: choice(LEVELS),
      afterClusterTime: oneOf(['timestamp'], { nullable: false }),
      atClusterTime: oneOf(['timestamp'], { nullable: false }),
      provenance: choice(PROVENANCES, { effect: 'without effect' }),
    },
    check(value) {
      const { level, atClusterTime, afterClusterTime } = value as Readonly<Record<string, Value>>;
      const given = level ?? 'local';
      if (afterClusterTime instanceof Timestamp && afterClusterTime.t === 0 && afterClusterTime.i === 0)
        throw new DocDbError(72, 'readConcern.afterClusterTime has to be a time, and is none');
      if (levels === 'none' && afterClusterTime !== undefined)
        throw new DocDbError(20, 'readConcern.afterClusterTime is for commands that read or write documents');
      if (levels !== 'all' && given !== 'local')
        throw new DocDbError(72, `The read concern level '${given as string}' is not supported for this command`);
      if (atClusterTime !== undefined && given !== 'snapshot')
        throw new DocDbError(72, "readConcern.atClusterTime is allowed only with the level 'snapshot'");
    },
  });
}

/** Nodes that a replica set may have. */
const MOST_NODES = 50;

function writers(value: Value): void {
  if (value === null) throw badValue("'w' may not be null");
  if (typeof value === 'string') {
    if (value !== 'majority') throw badValue(`cannot use '${value}' as 'w' where there is one node`);
    return;
  }
  if (isDocument(value)) {
    if (Object.values(value).length === 0 || !Object.values(value).every(isNumber)) throw failedToParse('the tags of w have to be numbers');
    return;
  }
  if (!isNumber(value)) throw failedToParse(`w has to be a number, string, or object; found: ${typeName(value)}`);
  const nodes = wholeOption(value);
  if (Number.isNaN(nodes) || nodes < 0 || nodes > MOST_NODES)
    throw failedToParse(`w has to be a non-negative number and not greater than ${String(MOST_NODES)}; found: ${String(value)}`);
  if (nodes > 1) throw badValue("cannot use 'w' > 1 where there is one node");
}

const writeConcern = object({
  fields: {
    w: anything({ nullable: false, range: "0, 1, 'majority'", check: writers }),
    j: truth({ effect: 'without effect' }),
    fsync: truth({ effect: 'without effect' }),
    wtimeout: anything({
      effect: 'without effect',
      check(value) {
        if (isNumber(value) && toNumber(value) > 2_147_483_647) throw failedToParse('wtimeout must be at most 2147483647');
      },
    }),
    provenance: choice(PROVENANCES, { effect: 'without effect' }),
  },
});

const noWriteConcern = object({
  check() {
    throw new DocDbError(72, 'Command does not support writeConcern');
  },
});

/** Which of the general options a command takes. */
export interface GeneralOptions {
  readonly reads: ReadLevels;
  readonly writes: boolean;
}

/** Sessions inside of sessions are for routers. */
const INSIDE = { effect: 'refused' } as const;

/** A time that another answer told. Nobody signs times here, so signatures are not compared. */
const clusterTime = object({
  fields: {
    clusterTime: oneOf(['timestamp'], { required: true, nullable: false }),
    signature: object({ fields: { hash: oneOf(['binData']), keyId: number() }, effect: 'without effect' }),
  },
});

/** The session that a command belongs to. */
export const sessionId: FieldDeclaration = object({
  fields: { id: uuid, uid: userDigest, txnNumber: number(INSIDE), txnUUID: oneOf(['binData'], INSIDE) },
});

/** Fields that every command takes. */
const common: Fields = {
  $db: text(),
  $readPreference: anything(),
  $clusterTime: clusterTime,
  lsid: sessionId,
  txnNumber: number(),
  autocommit: bool(),
  startTransaction: bool(),
  stmtId: number({ effect: 'without effect' }),
  comment: anything({ effect: 'without effect' }),
  maxTimeMS: whole(0, 2_147_483_647),
  maxTimeMSOpOnly: anything({ effect: 'without effect' }),
  apiVersion: text({
    range: "'1'",
    check(value) {
      if (value !== '1') throw new DocDbError(322, `API version must be "1", found: "${String(value)}"`);
    },
  }),
  apiStrict: bool(),
  apiDeprecationErrors: bool({ effect: 'without effect' }),
  mayBypassWriteBlocking: bool({ effect: 'without effect' }),
  rawData: bool({ effect: 'without effect' }),
  coordinator: anything({ effect: 'without effect' }),
  recoveryToken: anything({ effect: 'without effect' }),
  databaseVersion: anything({ effect: 'without effect' }),
  shardVersion: anything({ effect: 'without effect' }),
};

/** @returns the fields that a command has beside its own */
export function generalFields({ reads, writes }: GeneralOptions): Fields {
  return { ...common, readConcern: readConcern(reads), writeConcern: writes ? writeConcern : noWriteConcern };
}
