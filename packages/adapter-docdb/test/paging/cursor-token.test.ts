import { BadRequest } from '@framework/errors';
import { expect, it } from '@jest/globals';
import { BSON, BSONRegExp, ObjectId } from 'mongodb';
import { CursorTokens } from '../../src/paging/cursor-token.ts';
import { hasPattern } from '../../src/paging/place.ts';

const tokens = new CursorTokens('a secret');
const INVALID = 'Invalid value for $after: expected a cursor that this service has given for the same $sort';

it('a cursor is read for what it was written for, wherever the secret is known', () => {
  const id = new ObjectId();
  const cursor = String(tokens.write({ p: ['a', 5, id] }, 'x'));
  for (const secret of ['a secret', Buffer.from('a secret')])
    expect(new CursorTokens(secret).read('$after', cursor, 'x')).toEqual({ p: ['a', 5, id] });
  for (const [other, purpose] of [
    [new CursorTokens('another'), 'x'],
    [new CursorTokens(undefined), 'x'],
    [tokens, 'y'],
  ] as const)
    expect(() => other.read('$after', cursor, purpose)).toThrow(INVALID);
  const own = String(new CursorTokens(undefined).write({ p: [1] }, 'x'));
  expect(new CursorTokens(undefined).read('$after', own, 'x')).toEqual({ p: [1] });
});

it('says nothing twice alike, and nothing of what it holds', () => {
  const [one, other] = [tokens.write({ p: ['hush'] }, 'x'), tokens.write({ p: ['hush'] }, 'x')];
  expect(one).not.toBe(other);
  expect(Buffer.from(String(one), 'base64url').toString('latin1')).not.toContain('hush');
});

it('is no longer than what is read, and as long as that', () => {
  const withBytes = (bytes: number): string | undefined => {
    const empty = BSON.serialize({ p: '' }).length;
    return tokens.write({ p: 'x'.repeat(bytes - empty) }, 'x');
  };
  // Four letters hold three bytes, of which the cipher takes 28.
  const longest = String(withBytes(6144 - 28));
  expect(longest).toHaveLength(8192);
  expect(tokens.read('$after', longest, 'x').p).toHaveLength(6144 - 28 - BSON.serialize({ p: '' }).length);
  expect(withBytes(6144 - 27)).toBeUndefined();
});

it.each<[string, (cursor: string) => unknown]>([
  ['a number', () => 5],
  ['a list', (cursor) => [cursor]],
  ['nothing', () => null],
  ['an empty text', () => ''],
  ['a short text', (cursor) => cursor.slice(0, 20)],
  ['a part', (cursor) => cursor.slice(0, -2)],
  ['a longer text', (cursor) => `${cursor}AAAA`],
  ['more than cursors have', (cursor) => cursor + 'A'.repeat(8192)],
  ['another letter', (cursor) => cursor.slice(0, -4) + (cursor.at(-4) === 'A' ? 'B' : 'A') + cursor.slice(-3)],
])('anything else is 400, with the parameter: %s', (_title, changed) => {
  const cursor = String(tokens.write({ p: ['a'] }, 'x'));
  const read = (): unknown => tokens.read('$after', changed(cursor), 'x');
  expect(read).toThrow(BadRequest);
  expect(read).toThrow(expect.objectContaining({ message: INVALID, data: { parameter: '$after' } }));
});

it('numbers, dates and texts come back as they are, and nothing is made of them', () => {
  const content = { p: [1.5, 2 ** 40, new Date(5), true, null, { a: [1] }] };
  expect(tokens.read('$after', tokens.write(content, 'x'), 'x')).toEqual(content);
});

it.each<[unknown, boolean]>([
  [/a/, true],
  [new BSONRegExp('a'), true],
  [{ a: { b: /a/ } }, true],
  [[1, [/a/]], true],
  [{ a: new ObjectId() }, false],
  [new ObjectId(), false],
  [new Date(), false],
  ['/a/', false],
  [null, false],
  [undefined, false],
  [5, false],
])('a pattern is found wherever it stands in a sort key: %j', (value, expected) => {
  expect(hasPattern({ k: { inner: value } }, [['k.inner', 1]])).toBe(expected);
  expect(hasPattern({ k: { inner: value } }, [['other', 1]])).toBe(false);
});
