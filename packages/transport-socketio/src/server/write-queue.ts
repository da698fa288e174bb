/** What of an engine.io socket tells how much is waiting; it is not in its types. */
interface EngineSocket {
  readonly writeBuffer: readonly { readonly data?: unknown }[];
  readonly transport: {
    readonly writable: boolean;
    /** The WebSocket, where it is one. */
    readonly socket?: { readonly bufferedAmount?: number };
    once(event: 'ready', callback: () => void): unknown;
    off(event: 'ready', callback: () => void): unknown;
  };
  once(event: 'upgrade' | 'close', callback: () => void): unknown;
  off(event: 'upgrade' | 'close', callback: () => void): unknown;
}

/** What waits on the server for a client to read. */
export interface WriteQueue {
  readonly isEmpty: boolean;
  /** Bytes, letters of text as one. */
  readonly bytes: number;
  /** Number of packets that wait for others. */
  readonly length: number;
  /** Calls back once, when what was on its way has been taken. */
  whenReady(callback: () => void): void;
}

/** @param conn an engine.io socket */
export function queueOf(conn: object): WriteQueue {
  const engine = conn as EngineSocket;
  return {
    get isEmpty(): boolean {
      return engine.writeBuffer.length === 0 && engine.transport.writable;
    },
    get length(): number {
      return engine.writeBuffer.length;
    },
    get bytes(): number {
      const onItsWay = engine.transport.socket?.bufferedAmount ?? 0;
      return engine.writeBuffer.reduce((sum, { data }) => sum + lengthOf(data), onItsWay);
    },
    whenReady(callback): void {
      const { transport } = engine;
      const ready = (): void => {
        transport.off('ready', ready);
        engine.off('upgrade', ready);
        // What was waiting goes out first.
        setImmediate(callback);
      };
      transport.once('ready', ready);
      engine.once('upgrade', ready);
    },
  };
}

function lengthOf(data: unknown): number {
  if (typeof data === 'string') return data.length;
  return ArrayBuffer.isView(data) ? data.byteLength : 0;
}
