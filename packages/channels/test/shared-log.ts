import type { EventLog, LogChange, LogEntry, LogReader } from '../src/index.ts';

/** A log for several applications, which tells plain data at once. */
export class SharedLog {
  readonly entries: LogEntry[] = [];
  readonly #readers = new Set<LogReader>();
  #count = 0;
  fail: Error | undefined;
  appends = 0;

  member(more: Partial<EventLog> = {}): EventLog {
    const latest = (): readonly number[] => [this.#count];
    return {
      epoch: 'shared',
      get latest() {
        return latest();
      },
      append: async (entries) => {
        this.appends += 1;
        if (this.fail) throw this.fail;
        this.tell(entries);
      },
      read: (reader) => {
        this.#readers.add(reader);
        return () => void this.#readers.delete(reader);
      },
      ...more,
    };
  }

  tell(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      this.entries.push(structuredClone(entry));
      this.#count += 1;
      for (const reader of this.#readers) reader.entry(structuredClone(entry), [this.#count]);
    }
  }

  change(change: LogChange): void {
    this.#count += 1;
    for (const reader of this.#readers) reader.changed(change, [this.#count]);
  }

  lose(): void {
    for (const reader of this.#readers) reader.lost('another');
  }
}
