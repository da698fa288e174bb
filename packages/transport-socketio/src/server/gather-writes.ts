/** What is used of a server of Engine.IO. */
interface Engine {
  on(event: 'flush', listener: (conn: { readonly transport: Transport }, packets: readonly unknown[]) => void): unknown;
}

interface Transport {
  /** The WebSocket, where it is one; `_socket` is its network connection. */
  readonly socket?: { readonly _socket?: Stream | null };
}

interface Stream {
  cork(): void;
  uncork(): void;
}

const GATHERED = new WeakSet<Engine>();

/**
 * Sends what has waited for a WebSocket with one call of the system, where each packet would be one.
 *
 * @param engine of the server; the same one counts once
 */
export function gatherWrites(engine: Engine): void {
  if (GATHERED.has(engine)) return;
  GATHERED.add(engine);
  engine.on('flush', ({ transport }, packets) => {
    const stream = packets.length > 1 ? transport.socket?._socket : undefined;
    if (!stream) return;
    stream.cork();
    process.nextTick(() => {
      stream.uncork();
    });
  });
}
