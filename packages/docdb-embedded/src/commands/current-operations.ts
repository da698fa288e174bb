import { toNumber } from '../bson/arithmetic.ts';
import { hashKey } from '../bson/hash-key.ts';
import { type Doc, isDocument } from '../bson/values.ts';
import { currentOp as currentOpDeclaration } from '../declarations/commands/diagnostic.ts';
import { isOn } from '../declarations/field.ts';
import { badValue, DocDbError } from '../errors.ts';
import { compileFilter } from '../query/matcher.ts';
import { TRANSACTION_LIFETIME } from '../transactions/transaction.ts';
import { applicationOf } from './client-metadata.ts';
import type { Command, CommandContext, ServerState } from './command.ts';
import { OPERATIONS, type RunningCommand } from './operations.ts';
import { withoutSecrets } from './without-secrets.ts';

/** What the operations of a connection tell of it. */
function describeConnection({ id, remote, client }: RunningCommand['connection']): Doc {
  const appName = applicationOf(client);
  return {
    desc: `conn${String(id)}`,
    connectionId: id,
    client: remote,
    ...(appName === undefined ? {} : { appName }),
    ...(client === undefined ? {} : { clientMetadata: client }),
  };
}

function describe(server: ServerState, { id, connection, command, ns, started }: RunningCommand): Doc {
  const [name = ''] = Object.keys(command);
  const passed = performance.now() - started;
  return {
    type: 'op',
    host: server.address,
    ...describeConnection(connection),
    active: true,
    currentOpTime: new Date().toISOString(),
    opid: id,
    secs_running: BigInt(Math.floor(passed / 1000)),
    microsecs_running: BigInt(Math.floor(passed * 1000)),
    op: OPERATIONS.get(name) ?? 'command',
    ns,
    command: withoutSecrets(command),
  };
}

/** Whose operations are shown, and what besides what runs. */
interface Choice {
  /** As `Security.ownerOf` names them; empty for everybody. */
  readonly owner: string;
  readonly idleConnections: boolean;
  readonly idleSessions: boolean;
  readonly idleCursors: boolean;
}

/** @returns the open transactions that no command of `running` belongs to */
function describeTransactions(server: ServerState, running: readonly RunningCommand[], owner: string): Doc[] {
  const busy = new Set(running.flatMap(({ command }) => (isDocument(command.lsid) ? [hashKey(command.lsid.id)] : [])));
  const now = Date.now();
  return server.sessions
    .open(owner)
    .filter(({ lsid }) => !busy.has(hashKey(lsid.id)))
    .map(({ lsid, lastUse, transaction: { number, started } }) => ({
      type: 'idleSession',
      host: server.address,
      desc: 'inactive transaction',
      active: false,
      lsid,
      transaction: {
        parameters: { txnNumber: number, txnRetryCounter: 0, autocommit: false },
        startWallClockTime: new Date(started).toISOString(),
        timeOpenMicros: BigInt(now - started) * 1000n,
        timeInactiveMicros: BigInt(now - lastUse) * 1000n,
        expiryTime: new Date(started + TRANSACTION_LIFETIME).toISOString(),
      },
      waitingForLock: false,
    }));
}

/** @returns what runs, as `currentOp` and `$currentOp` show it; connections, transactions and cursors that wait too when they are asked for */
export function describeOperations(server: ServerState, { owner, idleConnections, idleSessions, idleCursors }: Choice): Doc[] {
  const isMeant = (other: string): boolean => owner === '' || owner === other;
  const running = server.operations.list();
  const busy = new Set(running.map(({ connection }) => connection.id));
  const idle = idleConnections
    ? [...server.connections.values()]
        .filter((connection) => !busy.has(connection.id) && isMeant(server.security.ownerOf(connection)))
        .map((connection) => ({
          type: 'op',
          host: server.address,
          ...describeConnection(connection),
          active: false,
          currentOpTime: new Date().toISOString(),
        }))
    : [];
  return [
    ...running.filter((entry) => isMeant(entry.owner)).map((entry) => describe(server, entry)),
    ...idle,
    ...(idleSessions ? describeTransactions(server, running, owner) : []),
    ...(idleCursors ? server.cursors.describeIdle(server.address, owner) : []),
  ];
}

/** What `currentOp` takes beside conditions on what is shown. */
const CHOICES: ReadonlySet<string> = new Set(['currentOp', '$all', '$ownOps', '$truncateOps']);

/** `currentOp` */
export const currentOp: Command = ({ command, server, connection }) => {
  const { general } = currentOpDeclaration;
  const conditions = Object.fromEntries(Object.entries(command).filter(([name]) => !CHOICES.has(name) && !Object.hasOwn(general, name)));
  const owner = isOn(command.$ownOps) ? server.security.ownerOf(connection) : '';
  const shown = describeOperations(server, { owner, idleConnections: isOn(command.$all), idleSessions: true, idleCursors: false });
  return { inprog: shown.filter(compileFilter(conditions)) };
};

/** `killOp` */
export const killOp: Command = ({ command, server }: CommandContext) => {
  const { op } = command;
  if (op === undefined) throw new DocDbError(4, "killOp needs a field 'op'");
  const id = toNumber(op);
  if (!Number.isInteger(id))
    throw badValue(`Expected field "op" to have a value exactly representable as a 64-bit integer, but got ${String(op)}`);
  if (Math.abs(id + 0.5) > 2 ** 31) throw new DocDbError(26823, `invalid op : ${String(id)}`);
  server.operations.kill(id);
  return { info: 'attempting to kill op' };
};

/** `lockInfo`: nothing is locked for longer than a moment. */
export const lockInfo: Command = () => ({ lockInfo: [] });

/** `connPoolStats`: the server connects to no other. */
export const connPoolStats: Command = ({ server }) => ({
  numClientConnections: server.connections.size,
  numAScopedConnections: 0,
  totalInUse: 0,
  totalAvailable: 0,
  totalLeased: 0,
  totalCreated: 0,
  totalRefreshing: 0,
  pools: {},
  hosts: {},
});

/** @returns what the operand of a stage asks for: one's own operations, if it does not say everybody's */
export function operationChoice({ server, connection }: CommandContext, operand: unknown): Choice {
  const spec = isDocument(operand) ? operand : {};
  return {
    owner: spec.allUsers === true ? '' : server.security.ownerOf(connection),
    idleConnections: spec.idleConnections === true,
    idleSessions: spec.idleSessions !== false,
    idleCursors: spec.idleCursors === true,
  };
}
