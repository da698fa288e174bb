import type { EventTransport, Subscriber } from './subscriber.ts';

/** Collects who gets what of one entry, so that each payload is made ready once for all connections of a transport. */
export class Batch {
  readonly #byTransport = new Map<EventTransport, Map<string, Subscriber[][]>>();

  /** @param text payload; the same text is the same message */
  add(subscriber: Subscriber, text: string, loggedIn: boolean): void {
    const { transport } = subscriber;
    const texts = this.#byTransport.get(transport) ?? new Map<string, Subscriber[][]>();
    const groups = texts.get(text) ?? [[], []];
    // Most entries have one payload for all.
    if (groups[0]?.length === 0 && groups[1]?.length === 0) this.#byTransport.set(transport, texts.set(text, groups));
    groups[loggedIn ? 1 : 0]?.push(subscriber);
  }

  /** Calls back with each payload, and who of a transport gets it. */
  each(send: (transport: EventTransport, text: string, loggedIn: boolean, to: readonly Subscriber[]) => void): void {
    for (const [transport, texts] of this.#byTransport) {
      for (const [text, groups] of texts) {
        for (const [index, to] of groups.entries()) if (to.length > 0) send(transport, text, index === 1, to);
      }
    }
  }
}
