import { describe, expect, it } from '@jest/globals';
import { PreconditionFailed } from '@framework/errors';
import { checkPrecondition, knownPrecondition, versionOf } from '../../src/index.ts';

describe('versionOf', () => {
  it.each([
    [{ v: 5 }, '5'],
    [{ v: 0 }, '0'],
    [{ v: '' }, ''],
    [{ v: new Date(1) }, '1970-01-01T00:00:00.001Z'],
    [{ v: new Date(NaN) }, ''],
    [{ v: null }, ''],
    [{}, ''],
    [null, ''],
    [undefined, ''],
    ['text', ''],
    [Object.assign(() => 1, { v: 1 }), ''],
  ])('of %p is %p', (record, expected) => {
    expect(versionOf(record, 'v')).toBe(expected);
  });
});

describe('checkPrecondition', () => {
  const record = { id: 1, v: 5 };
  it.each([
    [undefined, record, true],
    [undefined, undefined, true],
    [{}, undefined, true],
    [{ versions: ['5'] }, record, true],
    [{ versions: ['4', '5'] }, record, true],
    [{ versions: ['4'] }, record, false],
    [{ versions: [] }, record, false],
    [{ versions: ['5'] }, undefined, false],
    [{ versions: [''] }, { id: 1 }, true],
    [{ versions: [''] }, null, false],
    [{ versions: '*' }, record, true],
    [{ versions: '*' }, { id: 1 }, true],
    [{ versions: '*' }, null, false],
    [{ versions: '*' }, undefined, false],
    [{ notVersions: ['4'] }, record, true],
    [{ notVersions: ['4', '5'] }, record, false],
    [{ notVersions: ['5'] }, undefined, true],
    [{ notVersions: [''] }, null, true],
    [{ notVersions: [''] }, { id: 1 }, false],
    [{ notVersions: '*' }, record, false],
    [{ notVersions: '*' }, undefined, true],
    [{ notVersions: '*' }, null, true],
    [{ versions: ['5'], notVersions: ['5'] }, record, false],
    [{ versions: ['5'], notVersions: ['4'] }, record, true],
  ] as const)('%j lets %j be written: %p', (precondition, present, allowed) => {
    const check = () => {
      checkPrecondition(precondition, present, 'v');
    };
    if (allowed) expect(check).not.toThrow();
    else {
      expect(check).toThrow(PreconditionFailed);
      expect(check).toThrow('The record has changed since it was read, or does not exist');
    }
  });
});

describe('a precondition of another form', () => {
  it.each([
    { version: '5' },
    { version: ['5'] },
    { versions: '5' },
    { versions: '15' },
    { versions: 5 },
    { versions: null },
    { notVersions: '4' },
  ])('%j is refused, and lets no write through', (precondition) => {
    expect(() => {
      checkPrecondition(precondition as never, { id: 1, v: 5 }, 'v');
    }).toThrow(
      new TypeError(
        "params.precondition takes 'versions' and 'notVersions', each a list of versions or '*': { versions: [record.version] }",
      ),
    );
  });

  it('is none where a condition is undefined', () => {
    const precondition = { versions: ['5'], notVersions: undefined } as never;
    expect(knownPrecondition(precondition)).toBe(precondition);
  });
});
