import { describe, expect, it } from '@jest/globals';
import { tellsName } from '../../src/index.ts';

describe('the name of a property', () => {
  it.each([
    ['^pin$', 'pin'],
    ['^(name|pin)$', 'pin'],
    ['pin', 'pin'],
    ['^pins$|^pin$', 'pin'],
    ['^x\\-pin$', 'x-pin'],
    ['^a\\.b$', 'a.b'],
    ['^grüße$', 'grüße'],
  ])('is told by %s', (pattern, name) => {
    expect(tellsName(pattern, name)).toBe(true);
  });

  it.each([
    ['^pins$', 'pin'],
    ['^[a-z]+$', 'a'],
    ['^\\d$', 'd'],
    ['^x-pin$', 'pin'],
    ['^größe$', 'gr'],
    ['^a$', ''],
    ['', 'a'],
  ])('is not told by %s: %j', (pattern, name) => {
    expect(tellsName(pattern, name)).toBe(false);
  });
});
