/** An event on its way to connections. */
export interface Message {
  /** Path of the service and name of the event, for example `users created`. */
  readonly name: string;
  /** JSON of the payload. */
  readonly text: string;
  /** What the client tells when it comes back; `undefined` where clients are told no positions. */
  readonly position: string | undefined;
}

/** Why a connection is closed: it reads too slowly, or what it missed is not known. The client comes back and is told that it has to read again. */
export type CloseReason = 'slow consumer' | 'events lost';

/** What sends events over one kind of connection. */
export interface EventTransport {
  /** Sends one message to several connections. It is to be made ready once for all of them. */
  send(message: Message, to: readonly Subscriber[]): void;
  /** Tells connections their position without an event. */
  mark(position: string, to: readonly Subscriber[]): void;
}

/** The end of one connection, as its transport has it. */
export interface Subscriber {
  readonly connection: object;
  readonly transport: EventTransport;
  /** Bytes that were sent and wait for the client to read them. */
  readonly queued: number;
  /** Calls back once, when less is waiting. */
  whenDrained(callback: () => void): void;
  /** Ends the connection, without waiting for the client to read. */
  close(reason: CloseReason): void;
}
