import { expect, it } from '@jest/globals';
import { ENTITY_TAG_LIMIT, entityTag, includesTag, parseTagCondition, versionInTag } from '../../src/answer/entity-tag.ts';

it('a tag holds the version, and differs with it and with what is sent', () => {
  for (const version of ['', '1', 'a "quoted" ü', 'x'.repeat(100)]) {
    const tag = entityTag(version, '{}');
    expect(tag).toMatch(/^"[\w-]*\.[\w-]{22}"$/);
    expect(versionInTag(tag)).toBe(version);
    expect(new Set([tag, entityTag(version, '[]'), entityTag(`${version}2`, '{}')]).size).toBe(3);
  }
  for (const other of ['"a"', 'W/"a"', '', '".x"']) expect(versionInTag(other)).toBeUndefined();
});

it('a condition is read whole or refused', () => {
  expect(parseTagCondition('If-Match', undefined)).toBeUndefined();
  expect(parseTagCondition('If-Match', ' * ')).toBe('*');
  expect(parseTagCondition('If-Match', '"a", W/"b",,"c"')).toEqual([
    { tag: '"a"', weak: false },
    { tag: '"b"', weak: true },
    { tag: '"c"', weak: false },
  ]);
  const many = (count: number) => Array.from({ length: count }, () => '"a"').join(',');
  expect(parseTagCondition('If-Match', many(ENTITY_TAG_LIMIT))).toHaveLength(ENTITY_TAG_LIMIT);
  for (const value of [many(ENTITY_TAG_LIMIT + 1), 'a', '"a', '"a" "b"', '*, "a"']) {
    expect(() => parseTagCondition('If-Match', value)).toThrow(expect.objectContaining({ code: 400 }));
  }
});

it('weak tags are as good as strong ones, except where a write depends on them', () => {
  const condition = [{ tag: '"a"', weak: true }];
  expect([includesTag(condition, '"a"', false), includesTag(condition, '"a"', true), includesTag('*', '"a"', true)]).toEqual([
    true,
    false,
    true,
  ]);
});
