import { EventEmitter } from 'node:events';

/**
 * Ends what the driver does over connections that it takes and whose sockets are closed: it waits there for a socket to take more, and the connection stays taken, so
 * that a pool runs out of them. The driver has nothing for this that costs calls nothing: where it keeps its connections elsewhere, none is let go.
 *
 * @param client of the driver; what stands for a collection may have none
 * @param error what the driver fails with there
 */
export function letGo(client: unknown, error: Error): void {
  const servers = inside(client, 'topology', 's', 'servers');
  if (!(servers instanceof Map)) return;
  for (const server of servers.values()) {
    const taken = inside(server, 'pool', 'checkedOut');
    if (!(taken instanceof Set)) continue;
    for (const connection of taken) {
      const socket = inside(connection, 'socket');
      if (isEnded(socket)) socket.emit('error', error);
    }
  }
}

function inside(value: unknown, ...names: readonly string[]): unknown {
  let held = value;
  for (const name of names) held = typeof held === 'object' && held !== null ? (Reflect.get(held, name) as unknown) : undefined;
  return held;
}

/** @returns whether a socket is closed, and somebody still waits for it, who hears of its errors */
function isEnded(socket: unknown): socket is EventEmitter {
  return socket instanceof EventEmitter && Reflect.get(socket, 'destroyed') === true && socket.listenerCount('error') > 0;
}
