import { describe, expect, it } from '@jest/globals';
import { realTimeOf, type LogEntry, type LogReader } from '../../src/index.ts';
import { create, open, type App, type Listener } from '../listener.ts';

interface Process {
  readonly app: App;
  /** Reads the log on, up to an entry. */
  readTo(number: number): void;
}

/** A process that reads a log of several when it is told to. */
function startProcess(options: object = {}): Process {
  let reader: LogReader | undefined;
  let last = 0;
  const log = {
    epoch: 'shared',
    get latest() {
      return [last];
    },
    start: async () => undefined,
    append: async () => undefined,
    read: (given: LogReader) => {
      reader = given;
      return () => undefined;
    },
  };
  return {
    app: create({ log, ...options }),
    readTo(number) {
      while (last < number) reader?.entry(entryOf(++last), [last]);
    },
  };
}

function entryOf(number: number): LogEntry {
  return { key: String(number), path: 'notes', event: 'created', text: JSON.stringify(number), targets: [{ channel: 'all' }], at: 0 };
}

function join({ app }: Process, position?: string): Listener {
  const listener = open(app, position);
  app.channel('all').join(listener.connection);
  realTimeOf(app).hub.ready(listener.connection);
  return listener;
}

describe('a client that comes to a process that has read less than the one before', () => {
  it('gets nothing again that it had there, and is told no place that it has left behind', () => {
    const [ahead, behind] = [startProcess(), startProcess()];
    const before = join(ahead);
    ahead.readTo(5);
    behind.readTo(2);
    const after = join(behind, before.position);
    expect(after.position).toBe(before.position);
    behind.readTo(5);
    expect([after.texts, after.position]).toEqual([[], before.position]);
    behind.readTo(7);
    ahead.readTo(7);
    expect([after.texts, after.position]).toEqual([[6, 7], before.position]);
  });

  it('gets nothing again where it reads slowly, and where it goes on to a third', () => {
    const [ahead, behind, third] = [startProcess(), startProcess({ maxBuffer: 10 }), startProcess()];
    const before = join(ahead);
    ahead.readTo(5);
    const after = join(behind, before.position);
    after.queued = 11;
    behind.readTo(4);
    third.readTo(3);
    const later = join(third, after.position);
    behind.readTo(6);
    third.readTo(7);
    after.queued = 0;
    after.drained();
    expect([after.texts, later.texts]).toEqual([[6], [6, 7]]);
  });

  it('is a new one where positions mean nothing any more', () => {
    const [ahead, behind] = [startProcess(), startProcess({ resume: false })];
    const before = join(ahead);
    ahead.readTo(5);
    const [other, own] = [join(ahead, 'other.9'), join(behind, before.position)];
    ahead.readTo(6);
    behind.readTo(2);
    expect([other.texts, own.texts]).toEqual([[6], [1, 2]]);
  });
});
