import { Timestamp, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { anything, bool, choice, type FieldDeclaration, type Fields, number, object, oneOf, text, whole } from './field.ts';
import { userDigest, uuid } from './shared-fields.ts';
import { PROVENANCES, writeConcern, type WriteWaits } from './write-concern.ts';

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

/** Which of the general options a command takes. */
export interface GeneralOptions {
  readonly reads: ReadLevels;
  readonly writes: WriteWaits;
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
  return { ...common, readConcern: readConcern(reads), writeConcern: writeConcern(writes) };
}
