/** What is used of a server of Engine.IO. */
interface Engine {
  on(event: 'connection', listener: (conn: Connection) => void): unknown;
}

interface Connection {
  readonly transport: { readonly name: string };
  on(event: 'packet', listener: (this: Connection) => void): unknown;
  close(discard: boolean): unknown;
}

/**
 * Ends a connection whose client sends more packets in one request of polling: all of them are worked on in one go, and nobody else's are meanwhile. Those of a
 * WebSocket come as the network brings them.
 *
 * @param engine each server of Engine.IO has to be given once
 * @param most packets of one request
 */
export function boundRequests(engine: Engine, most: number): void {
  const counts = new WeakMap<Connection, number>();
  // One for all connections takes less memory than one for each.
  const onPacket = function (this: Connection): void {
    if (this.transport.name !== 'polling') return;
    const count = (counts.get(this) ?? 0) + 1;
    counts.set(this, count);
    // The next request is read behind that.
    if (count === 1) setImmediate(() => counts.delete(this));
    if (count > most) this.close(true);
  };
  engine.on('connection', (conn) => {
    if (conn.transport.name === 'polling') conn.on('packet', onPacket);
  });
}
