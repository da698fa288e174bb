import { describe, expect, it } from '@jest/globals';
import { Timestamp, type ChangeStreamDocument } from 'mongodb';
import { Changes, isLogDocument, partsOf } from '../../src/events/changes.ts';
import { eventLogSettings, type EventLogOptions, type LogEntry } from '../../src/events/event-log-types.ts';
import { documentsOf } from '../../src/events/log-documents.ts';

const entry = (text: string): LogEntry => ({ key: text, path: 'notes', event: 'created', text, targets: [{ channel: 'all' }], at: 1 });

/** What a log tells of changes, one line for each. */
function told(options: EventLogOptions = {}) {
  const changes = new Changes(eventLogSettings(options));
  const lines: unknown[] = [];
  const tell = (change: object, reads = true): string | undefined =>
    changes.tell(
      change as ChangeStreamDocument,
      reads
        ? {
            entry: ({ text }, order) => void lines.push(['entry', text, order]),
            changed: (what, order) => void lines.push(['changed', what, order]),
            passed: (order) => void lines.push(['passed', order]),
            lost: () => undefined,
          }
        : undefined,
    );
  return { changes, lines, tell };
}

const at = (t: number, i: number): Timestamp => new Timestamp({ t, i });
const insert = (fullDocument: object, clusterTime: Timestamp | undefined = at(5, 1), coll = 'events'): object => ({
  operationType: 'insert',
  ns: { db: 'a', coll },
  documentKey: { _id: 1 },
  fullDocument,
  clusterTime,
});

describe('the changes of the collection of a log', () => {
  it('are its entries, with their places; those of one time are counted on', () => {
    const { changes, lines, tell } = told();
    expect(changes.latest).toEqual([0, 0, 0]);
    tell(insert({ entries: [entry('a'), entry('b')] }));
    tell(insert({ entries: [entry('c')] }));
    tell(insert({ entries: [entry('d')] }, at(5, 2)));
    tell(insert({ entries: [entry('e')] }, at(6, 2)));
    expect(lines).toEqual([
      ['entry', 'a', [5, 1, 1]],
      ['entry', 'b', [5, 1, 2]],
      ['entry', 'c', [5, 1, 3]],
      ['entry', 'd', [5, 2, 1]],
      ['entry', 'e', [6, 2, 1]],
    ]);
    expect(changes.latest).toEqual([6, 2, 1]);
    changes.startAt(at(9, 3));
    expect(changes.latest).toEqual([9, 3, 0]);
  });

  it('are marks too, which are a place without an entry; places are the same where nobody reads', () => {
    const { changes, lines, tell } = told();
    expect(tell(insert({ entries: [], mark: 'm' }))).toBe('m');
    expect(tell(insert({ entries: [entry('a')] }), false)).toBeUndefined();
    expect(tell(insert({ entries: [], mark: 'n' }), false)).toBe('n');
    expect(lines).toEqual([['passed', [5, 1, 1]]]);
    expect(changes.latest).toEqual([5, 1, 3]);
  });

  it('are nothing else, and take no place', () => {
    const { changes, lines, tell } = told();
    for (const change of [
      { ...insert({ entries: [entry('a')] }), operationType: 'delete' },
      { ...insert({ entries: [entry('a')] }), operationType: 'update' },
      { ...insert({ entries: [entry('a')] }), clusterTime: undefined },
      { ...insert({ entries: [entry('a')] }), ns: { db: 'a' } },
      { ...insert({ entries: [entry('a')] }), ns: { db: 'a', coll: 'other' } },
      { operationType: 'invalidate', clusterTime: at(5, 1) },
      { operationType: 'drop', ns: { db: 'a', coll: 'events' }, clusterTime: at(5, 1) },
      insert({ title: 'a party' }),
    ])
      expect(tell(change)).toBeUndefined();
    expect([lines, changes.latest]).toEqual([[], [0, 0, 0]]);
  });
});

describe('the changes of watched collections', () => {
  it.each([
    ['insert', 'created'],
    ['replace', 'updated'],
    ['update', 'patched'],
    ['delete', 'removed'],
  ])('are events of their services: %s is %s', (operationType, event) => {
    const { lines, tell } = told({ watch: { '/shop/orders/': 'orders' } });
    expect(tell({ ...insert({ _id: 1, a: 1 }, at(7, 1), 'orders'), operationType })).toBeUndefined();
    expect(lines).toEqual([['changed', { path: 'shop/orders', event, record: { _id: 1, a: 1 }, at: 7000 }, [7, 1, 1]]]);
  });

  it('have of a record what is known of it', () => {
    const { lines, tell } = told({ watch: ['orders'] });
    const change = { ...insert({}, at(7, 1), 'orders'), operationType: 'delete' };
    for (const known of [
      { fullDocument: null, fullDocumentBeforeChange: { _id: 1, b: 1 } },
      { fullDocument: undefined, fullDocumentBeforeChange: null },
      { fullDocument: { _id: 1, c: 1 }, fullDocumentBeforeChange: { _id: 1, b: 1 } },
    ])
      tell({ ...change, ...known });
    tell({ ...change, operationType: 'rename' });
    expect(lines.map((line) => (line as [string, { record: object }])[1].record)).toEqual([{ _id: 1, b: 1 }, { _id: 1 }, { _id: 1, c: 1 }]);
  });

  it('are asked for by the names of the collections, that of the log first', () => {
    expect(told({ collection: 'log', watch: { a: 'one', b: 'two' } }).changes.collections).toEqual(['log', 'one', 'two']);
  });
});

it('a time of the database has seconds and an increment, also beyond 2038', () => {
  expect([partsOf(at(5, 1)), partsOf(at(0xffffffff, 0xfffffffe)), partsOf(at(0, 0))]).toEqual([
    [5, 1],
    [0xffffffff, 0xfffffffe],
    [0, 0],
  ]);
});

it.each<[object, boolean]>([
  [{ entries: [] }, true],
  [{ entries: [entry('a'), entry('b')] }, true],
  [{}, false],
  [{ entries: { length: 1 } }, false],
  [{ entries: [entry('a'), 5] }, false],
  [{ entries: [null] }, false],
  [{ entries: [{ ...entry('a'), targets: [{ channel: 'a', text: 'b' }, { channel: 'c' }] }] }, true],
  [{ entries: [{ ...entry('a'), targets: [{ channel: 'a' }, { channel: 5 }] }] }, false],
  [{ entries: [{ ...entry('a'), targets: [{ channel: 'a', text: 5 }] }] }, false],
  ...(['key', 'path', 'event', 'text', 'targets'] as const).map((name): [object, boolean] => [
    { entries: [{ ...entry('a'), [name]: 5 }] },
    false,
  ]),
])('a document of a log is known by its entries: %j', (document, expected) => {
  expect(isLogDocument(document)).toBe(expected);
});

describe('documents for entries', () => {
  it('are as few as there can be, in their order', () => {
    expect(documentsOf([])).toEqual([]);
    expect(documentsOf([entry('a'), entry('b')])).toEqual([{ at: expect.any(Date), entries: [entry('a'), entry('b')] }]);
    const long = (text: string): LogEntry => ({ ...entry(text), text: text.repeat(1_400_000) });
    const documents = documentsOf([long('a'), long('b'), entry('c'), long('d'), long('e'), entry('f')]);
    expect(documents.map(({ entries }) => entries.map(({ key }) => key).join(''))).toEqual(['abc', 'def']);
  });

  it('hold an entry alone that is larger than all others together', () => {
    const targets = [{ channel: 'x'.repeat(4_000_000), text: 'y' }];
    const documents = documentsOf([entry('a'), { ...entry('b'), targets }, entry('c')]);
    expect(documents.map(({ entries }) => entries.map(({ text }) => text))).toEqual([['a'], ['b'], ['c']]);
  });
});

describe('options', () => {
  it('have their defaults', () => {
    expect(eventLogSettings({})).toEqual({ collection: 'events', watch: new Map(), replay: 120_000, gather: 5, keep: 3600 });
    expect(eventLogSettings({ gather: 0, replay: undefined as never, keep: 5 })).toMatchObject({ gather: 0, replay: 120_000, keep: 5 });
  });

  it.each<[object, string]>([
    [{ collection: '' }, "'collection' of eventLog() has to be the name"],
    [{ collection: 5 }, "'collection' of eventLog() has to be the name"],
    [{ constructor: 5 }, "eventLog() has no option 'constructor'. It has collection, watch, replay, gather, keep"],
    [{ keep: -1 }, "'keep' of eventLog() has to be a number from 0 on"],
    [{ keep: Number.NaN }, "'keep' of eventLog() has to be a number"],
    [{ gather: 'x' }, "'gather' of eventLog() has to be a number"],
    [{ watch: 'orders' }, ''],
    [{ watch: null }, "'watch' of eventLog() has to be names of collections"],
    [{ watch: [''] }, "'watch' of eventLog() has to be names of collections"],
    [{ watch: [5] }, "'watch' of eventLog() has to be names of collections"],
    [{ watch: ['events'] }, "'watch' of eventLog() has to be names of collections"],
    [{ watch: { a: 'x', b: 'x' } }, "'watch' of eventLog() has to be names of collections, each once"],
  ])('%j is refused, or means one collection', (options, message) => {
    const settings = () => eventLogSettings(options);
    if (message === '') expect([...settings().watch]).toEqual([['orders', 'watch']]);
    else expect(settings).toThrow(message);
  });
});
