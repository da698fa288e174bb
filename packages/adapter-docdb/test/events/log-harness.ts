import type { Db } from 'mongodb';
import { eventLog, type DocDbEventLog, type DocDbLogReader, type EventLogOptions, type LogEntry } from '../../src/index.ts';

/** An entry that says one word. */
export const entry = (text: string): LogEntry => ({
  key: text,
  path: 'notes',
  event: 'created',
  text,
  targets: [{ channel: 'all' }],
  at: 1,
});

/** What a log has told, in its order. */
export interface Told {
  readonly log: DocDbEventLog;
  /** Names and texts: `entry a`, `changed orders created`, `lost`, `failed why`. */
  readonly lines: string[];
  readonly places: string[];
  readonly records: object[];
  readonly epochs: string[];
}

/** A log that is read; it was not started. */
export function readLog(db: Db, options: EventLogOptions = {}): Told {
  const log = eventLog(db, { replay: 0, ...options });
  const told: Told = { log, lines: [], places: [], records: [], epochs: [] };
  const { lines, places } = told;
  const reader: DocDbLogReader = {
    entry: ({ text }, order) => {
      lines.push(`entry ${text}`);
      places.push(order.join(' '));
    },
    changed: ({ path, event, record }, order) => {
      lines.push(`changed ${path} ${event}`);
      places.push(order.join(' '));
      told.records.push(record);
    },
    passed: () => undefined,
    lost: (epoch) => {
      lines.push('lost');
      told.epochs.push(epoch);
    },
    failed: (error) => void lines.push(`failed ${(error as Error).message}`),
  };
  log.read(reader);
  return told;
}

/** How often is looked for what does not come: nobody looks on after a test has failed. */
const TRIES = 1000;

/** Waits until something is so. */
export async function until(holds: () => unknown): Promise<void> {
  for (let tries = 0; !(await holds()); tries++) {
    if (tries === TRIES) throw new Error('What was waited for has not come');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Waits until a log has told a line. */
export function told({ lines }: Told, line: string): Promise<void> {
  return until(() => lines.includes(line));
}
