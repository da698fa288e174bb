import { bytesOf, type EventEntry } from '../log/event-entry.ts';
import { compareOrder, type Order } from '../log/position.ts';
import type { WindowOptions } from '../settings.ts';
import { Queue } from './queue.ts';

/** An entry in the window. */
export interface Slot {
  readonly entry: EventEntry;
  readonly order: Order;
  /** Counts the entries that this process has read; each is one more than the last. */
  readonly number: number;
  /** Bytes of its payloads and channels. */
  readonly bytes: number;
  /** When it came, in milliseconds of the stopwatch of this process: clocks are put forward and back. */
  readonly came: number;
}

/** The window: the last entries of the log, by their number and by channel. Connections that missed some, or read slowly, are served from it. */
export class Ring {
  readonly #limits: Required<WindowOptions>;
  readonly #slots = new Queue<Slot>();
  readonly #byChannel = new Map<string, Queue<Slot>>();
  #bytes = 0;
  #count = 0;
  /** Place of the last entry that is not kept any more. */
  #floor: Order;
  #last: Order;

  /** @param latest where the log stands when the window begins */
  constructor(limits: Required<WindowOptions>, latest: Order) {
    this.#limits = limits;
    this.#floor = latest;
    this.#last = latest;
  }

  /** Number of the newest entry. */
  get head(): number {
    return this.#count;
  }

  /** Place of the newest entry. */
  get last(): Order {
    return this.#last;
  }

  /** Number of the oldest entry that is kept. */
  get oldest(): number {
    return this.#count - this.#slots.length + 1;
  }

  /** Goes on to a place where no entry is. */
  pass(order: Order): void {
    this.#last = order;
  }

  push(entry: EventEntry, order: Order): Slot {
    const slot: Slot = { entry, order, number: ++this.#count, bytes: bytesOf(entry), came: performance.now() };
    this.#last = order;
    this.#bytes += slot.bytes;
    this.#slots.push(slot);
    for (const name of channelsOf(entry)) {
      const slots = this.#byChannel.get(name) ?? new Queue();
      slots.push(slot);
      this.#byChannel.set(name, slots);
    }
    this.#evict();
    return slot;
  }

  /**
   * Finds where somebody is to go on who has everything up to a place.
   *
   * @returns the number of the last entry that they have; `undefined` when what they miss is not kept, or the place was never told
   */
  numberAt(order: Order): number | undefined {
    this.#evict();
    if (compareOrder(order, this.#floor) < 0 || compareOrder(order, this.#last) > 0) return undefined;
    return this.oldest - 1 + this.#slots.countBefore((slot) => compareOrder(slot.order, order) > 0);
  }

  /**
   * @param behind up to where entries of a channel are left out; `undefined` for none
   * @returns the entries behind a number that are for one of the channels, in their order, each once
   */
  after(number: number, channels: Iterable<string>, behind: (channel: string) => Order | undefined = () => undefined): Slot[] {
    const found = new Set<Slot>();
    for (const name of channels) {
      const slots = this.#byChannel.get(name);
      if (!slots) continue;
      const order = behind(name);
      const isMeant = (slot: Slot): boolean => slot.number > number && (!order || compareOrder(slot.order, order) > 0);
      for (let index = slots.countBefore(isMeant); index < slots.length; index++) found.add(slots.at(index) as Slot);
    }
    return [...found].sort((a, b) => a.number - b.number);
  }

  #evict(): void {
    const { entries, milliseconds, bytes } = this.#limits;
    const since = performance.now() - milliseconds;
    for (let slot = this.#slots.at(0); slot; slot = this.#slots.at(0)) {
      if (this.#slots.length <= entries && this.#bytes <= bytes && slot.came >= since) return;
      this.#slots.shift();
      this.#bytes -= slot.bytes;
      this.#floor = slot.order;
      for (const name of channelsOf(slot.entry)) {
        const slots = this.#byChannel.get(name);
        slots?.shift();
        if (slots?.length === 0) this.#byChannel.delete(name);
      }
    }
  }
}

function channelsOf({ targets }: EventEntry): Set<string> {
  return new Set(targets.map(({ channel }) => channel));
}
