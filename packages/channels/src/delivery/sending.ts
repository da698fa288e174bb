import type { EventEntry } from '../log/event-entry.ts';
import type { Batch } from './batch.ts';
import type { EventTransport, Message, Subscriber } from './subscriber.ts';

/** What an error belongs to. */
export type Failed = Pick<EventEntry, 'path' | 'event'>;

/** What is told of the position belongs to no service. */
const POSITION: Failed = { path: '', event: 'position' };

/** Hands over to the transports. What one fails with keeps nothing from the others, and what comes next from nobody. */
export class Sending {
  readonly #failed: (error: unknown, event: Failed) => void;

  /** @param failed told of transports that throw */
  constructor(failed: (error: unknown, event: Failed) => void) {
    this.#failed = failed;
  }

  send(event: Failed, message: Message, to: Subscriber): void {
    this.#try(event, () => {
      to.transport.send(message, [to]);
    });
  }

  /** @param position what those are told that are logged in, or not */
  sendAll(event: Failed, batch: Batch, name: string, position: (loggedIn: boolean) => string | undefined): void {
    batch.each((transport, text, loggedIn, to) => {
      this.#try(event, () => {
        transport.send({ name, text, position: position(loggedIn) }, to);
      });
    });
  }

  /** Tells connections where they are: each text once to all of a transport. */
  mark(positions: Iterable<readonly [Subscriber, position: string]>): void {
    const groups = new Map<EventTransport, Map<string, Subscriber[]>>();
    for (const [subscriber, position] of positions) {
      const byPosition = groups.get(subscriber.transport) ?? new Map<string, Subscriber[]>();
      groups.set(subscriber.transport, byPosition);
      const to = byPosition.get(position);
      if (to) to.push(subscriber);
      else byPosition.set(position, [subscriber]);
    }
    for (const [transport, byPosition] of groups) {
      for (const [position, to] of byPosition) {
        this.#try(POSITION, () => {
          transport.mark(position, to);
        });
      }
    }
  }

  #try(event: Failed, send: () => void): void {
    try {
      send();
    } catch (error) {
      this.#failed(error, event);
    }
  }
}
