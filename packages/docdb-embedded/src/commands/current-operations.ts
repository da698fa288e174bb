import { toNumber } from '../bson/arithmetic.ts';
import { type Doc, isDocument } from '../bson/values.ts';
import { isOn } from '../declarations/field.ts';
import { badValue, DocDbError } from '../errors.ts';
import { compileFilter } from '../query/matcher.ts';
import type { Command, CommandContext, ServerState } from './command.ts';
import { OPERATIONS, type RunningCommand } from './operations.ts';
import { withoutSecrets } from './without-secrets.ts';

function describe(server: ServerState, { id, connection, appName, command, ns, started }: RunningCommand): Doc {
  const [name = ''] = Object.keys(command);
  const passed = performance.now() - started;
  return {
    type: 'op',
    host: server.address,
    desc: `conn${String(connection)}`,
    connectionId: connection,
    ...(appName === undefined ? {} : { appName }),
    active: true,
    currentOpTime: new Date().toISOString(),
    opid: id,
    secs_running: BigInt(Math.floor(passed / 1000)),
    microsecs_running: BigInt(Math.floor(passed * 1000)),
    op: OPERATIONS[name] ?? 'command',
    ns,
    command: withoutSecrets(command),
  };
}

/** @returns what runs, as `currentOp` and `$currentOp` show it; connections and cursors that wait too when they are asked for */
export function describeOperations(server: ServerState, idleConnections: boolean, idleCursors: boolean): Doc[] {
  const running = server.operations.list();
  const busy = new Set(running.map(({ connection }) => connection));
  const idle = idleConnections
    ? [...server.connections.values()]
        .filter(({ id }) => !busy.has(id))
        .map(({ id, appName }) => ({
          type: 'op',
          host: server.address,
          desc: `conn${String(id)}`,
          connectionId: id,
          ...(appName === undefined ? {} : { appName }),
          active: false,
          currentOpTime: new Date().toISOString(),
        }))
    : [];
  return [...running.map((entry) => describe(server, entry)), ...idle, ...(idleCursors ? server.cursors.describeIdle(server.address) : [])];
}

/** `currentOp` */
export const currentOp: Command = ({ command, server }) => {
  const conditions = Object.fromEntries(
    Object.entries(command).filter(([name]) => !name.startsWith('$') && !['currentOp', 'lsid', 'comment', 'maxTimeMS'].includes(name)),
  );
  return { inprog: describeOperations(server, isOn(command.$all), false).filter(compileFilter(conditions)) };
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

/** @returns whether the operand of a stage asks for more than what runs */
export function operationChoice(operand: unknown): { readonly idleConnections: boolean; readonly idleCursors: boolean } {
  const spec = isDocument(operand) ? operand : {};
  return { idleConnections: spec.idleConnections === true, idleCursors: spec.idleCursors === true };
}
