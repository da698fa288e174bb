import { describe, expect, it } from '@jest/globals';
import { readEntries, readEpoch } from '../src/read-entries.ts';

const ENTRY = {
  key: 'k',
  path: 'notes',
  event: 'created',
  text: '{"a":1}',
  targets: [{ channel: 'all' }, { channel: 'some', text: '[]', filtered: true }],
  at: 0,
};
const OTHER = { ...ENTRY, key: 'l' };

describe('what a log has written into its stream', () => {
  it('is read as it is', () => {
    expect(readEntries(JSON.stringify([ENTRY, OTHER]))).toEqual([ENTRY, OTHER]);
    expect(readEntries(JSON.stringify([{ ...ENTRY, targets: [] }]))).toHaveLength(1);
    expect(readEntries(undefined)).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['no JSON', '['],
    ['no list', ENTRY],
    ['nothing in a list', [null]],
    ['text in a list', ['entry']],
    ['an entry without a key', [{ ...ENTRY, key: 1 }]],
    ['an entry without a path', [{ ...ENTRY, path: undefined }]],
    ['a path of two lines', [{ ...ENTRY, path: 'a\nb' }]],
    ['an event of two lines', [{ ...ENTRY, event: 'a\rb' }]],
    ['an entry without a payload', [{ ...ENTRY, text: undefined }]],
    ['a payload that is no JSON', [{ ...ENTRY, text: '{' }]],
    ['a payload of two lines', [{ ...ENTRY, text: '[\n]' }]],
    ['an entry without channels', [{ ...ENTRY, targets: undefined }]],
    ['channels that are none', [{ ...ENTRY, targets: [null] }]],
    ['names of channels in the place of channels', [{ ...ENTRY, targets: ['all'] }]],
    ['a channel without a name', [{ ...ENTRY, targets: [{ channel: 1 }] }]],
    ['a payload of a channel that is no JSON', [{ ...ENTRY, targets: [{ channel: 'all', text: '{' }] }]],
    ['a payload of a channel that is no text', [{ ...ENTRY, targets: [{ channel: 'all', text: 1 }] }]],
  ])('is nothing where others have written %s, also beside what is right', (_what, written) => {
    const values = Array.isArray(written) ? [written, [OTHER, ...(written as unknown[])]] : [written];
    for (const value of values) expect(readEntries(typeof value === 'string' ? value : JSON.stringify(value))).toEqual([]);
  });

  it('names the stream by what clients can tell again', () => {
    const [given, none] = [
      ['a', 'z'.repeat(24), '1w2e'],
      [undefined, '', 'A', 'a b', 'a.b', 'a+', 'a~', 'z'.repeat(25)],
    ];
    expect(given.map(readEpoch)).toEqual(given);
    expect(none.map(readEpoch)).toEqual(none.map(() => undefined));
  });
});
