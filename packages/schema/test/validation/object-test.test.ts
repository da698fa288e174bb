import { describe, expect, it } from '@jest/globals';
import { coerce, type JSONSchema } from '../../src/index.ts';
import { excludedBy } from '../../src/validation/object-test.ts';

describe('an object that a listed text keeps from fitting', () => {
  const kind = (...names: string[]): JSONSchema => ({ type: 'object', properties: { kind: { enum: names } } });

  it('is told whatever its other properties are, by each schema that describes it', () => {
    const excludes = excludedBy([{ type: 'object', properties: { kind: { const: 'a' }, count: { const: 5 } } }, kind('a', 'b')]);
    expect([{ kind: 'b' }, { kind: 'c', count: '5' }].map(excludes)).toEqual([true, true]);
    expect([{ kind: 'a' }, { kind: 'a', count: 6 }, {}, { kind: 5 }, 'a', ['b'], null].map(excludes)).toEqual(
      Array.from({ length: 7 }, () => false),
    );
    expect(excludedBy([{}, { properties: { kind: true as never } }])({ kind: 'b' })).toBe(false);
    expect(excludedBy([kind('toString')])(Object.create({ kind: 'b' }))).toBe(false);
  });

  it('is not converted as what it can not be', () => {
    let reads = 0;
    const counted = Object.defineProperty({ kind: 'c' }, 'count', { enumerable: true, get: () => ((reads += 1), '5') });
    const branch = (name: string): JSONSchema => ({ type: 'object', properties: { kind: { const: name }, count: { type: 'integer' } } });
    expect(coerce({ anyOf: ['a', 'b', 'c', 'd', 'e', 'f'].map(branch) }, counted)).toEqual({ kind: 'c', count: 5 });
    expect(reads).toBeLessThan(6);
  });
});
