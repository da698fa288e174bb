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
export class WriteQueue {
  readonly #engine: EngineSocket;

  /** @param conn an engine.io socket */
  constructor(conn: object) {
    this.#engine = conn as EngineSocket;
  }

  get isEmpty(): boolean {
    return this.#engine.writeBuffer.length === 0 && this.#engine.transport.writable;
  }

  /** Number of packets that wait for others. */
  get length(): number {
    return this.#engine.writeBuffer.length;
  }

  /** Bytes, letters of text as one. */
  get bytes(): number {
    const onItsWay = this.#engine.transport.socket?.bufferedAmount ?? 0;
    return this.#engine.writeBuffer.reduce((sum, { data }) => sum + lengthOf(data), onItsWay);
  }

  /** Calls back once, when what was on its way has been taken. */
  whenReady(callback: () => void): void {
    const engine = this.#engine;
    const { transport } = engine;
    const ready = (): void => {
      transport.off('ready', ready);
      engine.off('upgrade', ready);
      // What was waiting goes out first.
      setImmediate(callback);
    };
    transport.once('ready', ready);
    engine.once('upgrade', ready);
  }
}

function lengthOf(data: unknown): number {
  if (typeof data === 'string') return data.length;
  return ArrayBuffer.isView(data) ? data.byteLength : 0;
}
