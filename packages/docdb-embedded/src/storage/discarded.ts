import { type Engine, numberKey, type NumberedTable } from './engine.ts';
import { behind } from './keys/index-key.ts';
import { Pace } from './pace.ts';

const DISCARDED = Buffer.from('g');
/** Keys that one write removes: few enough for the writes of others to go into the same commit. */
const SWEEP = 200;
/** Milliseconds that it waits at most before it removes more. */
const LONGEST_PAUSE = 20;

/** What of dropped collections and indexes is still on the disk: it is removed behind the back of others. */
export class Discarded {
  readonly #engine: Engine;
  #sweeping: Promise<void> | undefined;
  /** Whether something was added that the sweep under way may not find. */
  #again = false;
  #stopping = false;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Notes entries that are to be removed; in a write only. */
  add(table: NumberedTable, number: number): void {
    void this.#engine.system.put(Buffer.concat([DISCARDED, numberKey(number)]), Buffer.from(table));
    setImmediate(() => {
      this.sweep();
    });
  }

  /** Removes what was dropped, a little at a time. */
  sweep(): void {
    this.#again = true;
    this.#sweeping ??= this.#sweep()
      .catch(() => undefined)
      .finally(() => {
        this.#sweeping = undefined;
      });
  }

  async #sweep(): Promise<void> {
    let more = false;
    while ((more || this.#again) && !this.#stopping && !this.#engine.failure) {
      this.#again = false;
      const began = performance.now();
      more = await this.#engine.write(() => this.#sweepSome(), true);
      // As long as that took, others write without it.
      if (more) await pause(performance.now() - began);
    }
  }

  #sweepSome(): boolean {
    const [entry] = [...this.#engine.system.getRange({ start: DISCARDED, end: behind(DISCARDED), limit: 1 })];
    if (!entry) return false;
    const number = entry.key.readUInt32BE(1);
    const table = entry.value.toString() === 'documents' ? 'documents' : 'indexes';
    if (!this.#engine.removeSome(table, number, SWEEP, new Pace())) void this.#engine.system.remove(entry.key);
    return true;
  }

  /** Waits for the write that removes something. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#sweeping;
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, Math.min(milliseconds, LONGEST_PAUSE));
  });
}
