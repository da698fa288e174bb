import type { ObjectId } from 'bson';
import { wholeOption } from '../bson/rounding.ts';
import { isDocument, isNumber, typeName, type Doc, type Value } from '../bson/values.ts';
import { DocDbError, typeMismatch } from '../errors.ts';
import type { Security } from '../security/security.ts';
import type { Store } from '../storage/store.ts';
import type { SnapshotReads } from '../transactions/snapshot-reads.ts';
import type { Transaction } from '../transactions/transaction.ts';
import type { Session, Sessions } from '../transactions/sessions.ts';
import type { Snapshot } from '../storage/snapshots.ts';
import type { Admissions } from './admissions.ts';
import type { Cursors } from './cursors.ts';
import type { FailPoints } from './fail-points.ts';
import type { IndexBuilds } from './index-builds.ts';
import type { Operation } from './operation.ts';
import type { Operations } from './operations.ts';
import type { Parameters } from './parameters.ts';
import type { Profiler } from './profiler.ts';
import type { ServerLog } from './server-log.ts';

/** What all commands share. */
export interface ServerState {
  readonly store: Store;
  readonly cursors: Cursors;
  readonly sessions: Sessions;
  readonly snapshots: SnapshotReads;
  readonly failPoints: FailPoints;
  readonly builds: IndexBuilds;
  readonly security: Security;
  readonly operations: Operations;
  /** The clients that are connected, by number. */
  readonly connections: ReadonlyMap<number, ConnectionState>;
  /** @returns how many clients have connected so far */
  connectionsMade(): number;
  /** @returns what has come from all clients and gone to them so far */
  traffic(): Traffic;
  readonly profiler: Profiler;
  readonly parameters: Parameters;
  readonly admissions: Admissions;
  readonly log: ServerLog;
  /** Host and port that clients reach the server at. */
  readonly address: string;
  /** Name of the replica set that the server stands for. */
  readonly setName: string;
  readonly started: number;
  /** Another one for each start. */
  readonly processId: ObjectId;
}

/** Bytes and messages. */
export interface Traffic {
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly requests: number;
}

/** One client connection. */
export interface ConnectionState {
  readonly id: number;
  /** Tells it from all other connections, of other servers too. */
  readonly uuid: string;
  /** Address and port of the client. */
  readonly remote: string;
  /** Who has logged in. */
  user: { readonly user: string; readonly db: string } | undefined;
  /** What its driver and application have told of themselves. */
  client: Doc | undefined;
  /** Whether the client has gone. */
  closed: boolean;
  /** Settles when the client has gone. */
  readonly gone: Promise<void>;
}

/** A write that may be sent again. */
export interface RetriedWrite {
  /** Where its answer is kept. */
  readonly key: Buffer;
  readonly number: bigint;
  /** Tells its statements from others under the same number. */
  readonly statements: string;
}

/** One command. */
export interface CommandContext {
  readonly server: ServerState;
  readonly connection: ConnectionState;
  readonly command: Doc;
  /** Name of the command: its first field. */
  readonly name: string;
  readonly database: string;
  readonly session: Session | undefined;
  readonly transaction: Transaction | undefined;
  /** Where its answer is kept, when the client may send it again under the same number. */
  readonly retried: RetriedWrite | undefined;
  /** The state that it reads when the client asked for one. */
  readonly snapshot: Snapshot | undefined;
  readonly operation: Operation;
}

/** Carries out a command and gives the fields of its answer. */
export type Command = (context: CommandContext) => Doc | Promise<Doc>;

/** @returns the full name of the collection that a command is about */
export function namespace({ command, name, database }: CommandContext): string {
  const collection = command[name];
  if (typeof collection !== 'string') throw new DocDbError(73, `collection name has invalid type ${typeName(collection)}`);
  if (collection === '') throw new DocDbError(73, `Invalid namespace specified '${database}.'`);
  return `${database}.${collection}`;
}

/** @returns a document field of a command; an empty one when it is missing */
export function documentField(command: Doc, field: string): Doc {
  const value = command[field];
  if (value === undefined || value === null) return {};
  if (!isDocument(value)) throw typeMismatch(`BSON field '${field}' is the wrong type '${typeName(value)}', expected type 'object'`);
  return value;
}

/** @returns a whole number of a command, 0 for what is no number; `undefined` when it is missing */
export function countField(command: Doc, field: string): number | undefined {
  const value = command[field];
  if (value === undefined || value === null) return undefined;
  if (!isNumber(value))
    throw typeMismatch(`BSON field '${field}' is the wrong type '${typeName(value)}', expected types '[long, int, decimal, double]'`);
  return wholeOption(value) || 0;
}

/** @returns an array field of a command */
export function listField(command: Doc, field: string): Value[] {
  const value = command[field];
  if (!Array.isArray(value))
    throw new DocDbError(
      value === undefined ? 40414 : 14,
      `BSON field '${field}' is ${value === undefined ? 'missing but a required field' : "the wrong type, expected type 'array'"}`,
    );
  return value as Value[];
}
