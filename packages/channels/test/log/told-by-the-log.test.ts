import { describe, expect, it } from '@jest/globals';
import type { EventLog, LogReader } from '../../src/index.ts';
import { create } from '../listener.ts';

/** A log that tells nothing but what keeps it from its work. */
class FailingLog implements EventLog {
  readonly epoch = 'one';
  readonly latest = [0];
  reader: LogReader | undefined;

  async append(): Promise<void> {
    return Promise.resolve();
  }

  read(reader: LogReader): () => void {
    this.reader = reader;
    return () => undefined;
  }
}

class TimeoutError extends Error {}

describe('what keeps a log from its work', () => {
  it.each<[string, unknown, string]>([
    ['its text', new Error('OOM'), 'OOM'],
    ['its class where it has no text', new TimeoutError(), 'TimeoutError'],
    ['its name where it has no text', Object.assign(new Error(), { name: 'Refused' }), 'Refused'],
    ['itself where it is no error', 'down', 'down'],
  ])('is told to the application with %s', (_with, cause, why) => {
    const log = new FailingLog();
    const app = create({ log });
    const told: unknown[] = [];
    app.on('listenerError', (error: Error, source: unknown) => told.push([error.message, error.cause, source]));
    log.reader?.failed?.(cause);
    log.reader?.delayed?.(cause);
    const source = { path: '', event: null };
    expect(told).toEqual([
      [`Events can not be read from their log at present, and it is tried again: ${why}`, cause, source],
      [`Events can not be stored in their log at present, and it is tried again: ${why}`, cause, source],
    ]);
  });
});
