/** A line that readers of streams skip: a sign of life. */
export const PING: Buffer = Buffer.from(':\n\n');

/** One event of a stream. */
export interface StreamEvent {
  /** Name that clients listen to; without line breaks. */
  readonly name: string;
  /** One line of text. */
  readonly data: string;
  /** What the client says in `Last-Event-ID` when it comes back; `undefined` leaves what it was told before. */
  readonly id?: string | undefined;
}

/** @returns an event as it goes over the network */
export function eventText({ name, data, id }: StreamEvent): string {
  return `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
}

/** @returns what a client that is cut off waits for before it comes back, in milliseconds */
export function retryText(milliseconds: number): string {
  return `retry: ${milliseconds}\n\n`;
}
