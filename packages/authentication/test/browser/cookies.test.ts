import { describe, expect, it } from '@jest/globals';
import { readCookie } from '../../src/browser/cookies.ts';

const LONGEST = 16_384;
const headerOf = (length: number): string => `a=1; b=${'x'.repeat(length - 'a=1; b='.length)}`;

describe('a cookie of a request', () => {
  it.each<[what: string, cookie: string | string[] | undefined, value: string | undefined]>([
    ['one', 'a=1', '1'],
    ['one among others', 'b=2; a=1;c=3', '1'],
    ['one that holds what separates names from values', 'a=1=2', '1=2'],
    ['none', 'b=2', undefined],
    ['one whose name only ends alike', 'bea=2', undefined],
    ['one whose name only begins alike', 'ab=2', undefined],
    ['an empty one', 'a=; b=2', undefined],
    // Who can set one for a part of the host, or another path, must not decide which of both counts.
    ['two of one name', 'a=1; a=2', undefined],
    ['two of one name that are the same', 'a=1; a=1', undefined],
    ['a list in place of the header', ['a=1'], undefined],
    ['no header', undefined, undefined],
    ['a header that is as long as any may be', headerOf(LONGEST), '1'],
    ['a longer header', headerOf(LONGEST + 1), undefined],
  ])('S32 is read: %s', (_what, cookie, value) => {
    expect(readCookie({ cookie }, 'a')).toBe(value);
  });
});
