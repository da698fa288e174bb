import { describe, expect, it } from '@jest/globals';
import { hasMarkedSecrets, secretMarks, withRenewed, type SecretMark } from '../../src/entity/secret-marks.ts';

const KEY = 'key of a session';
const FIELDS = ['password', 'login.secret'];
const ANN = { id: 1, password: 'x', login: { secret: 'y' } };
const has = (entity: unknown, marked: readonly SecretMark[], fields: readonly string[] = FIELDS, key = KEY): boolean =>
  hasMarkedSecrets({ entity, fields }, key, marked);

describe('marks of secrets', () => {
  const marked = secretMarks({ entity: ANN, fields: FIELDS }, KEY);

  it('are one text of 22 characters for each secret property, and say nothing of it', () => {
    expect(marked).toEqual(FIELDS.map((field) => ({ field, marks: [expect.stringMatching(/^[\w-]{22}$/)] })));
    const same = secretMarks({ entity: { password: 'x', login: { secret: 'x' } }, fields: FIELDS }, KEY);
    expect(same[0]?.marks).not.toEqual(same[1]?.marks);
    expect(secretMarks({ entity: ANN, fields: FIELDS }, KEY)).toEqual(marked);
    expect(secretMarks({ entity: ANN, fields: FIELDS }, 'another key')[0]?.marks).not.toEqual(marked[0]?.marks);
  });

  it('know the same secrets again, whatever else has changed', () => {
    expect(has({ ...ANN, id: 2, name: 'Anna' }, marked)).toBe(true);
    expect(has(ANN, marked, FIELDS, 'another key')).toBe(false);
  });

  it.each([
    [{ password: 'z', login: { secret: 'y' } }],
    [{ password: 'x', login: { secret: 'z' } }],
    [{ password: 'x' }],
    [{ login: { secret: 'y' } }],
    [{ password: 5, login: { secret: 'y' } }],
    [undefined],
    ['text'],
  ])('know others: %j', (entity) => {
    expect(has(entity, marked)).toBe(false);
  });

  it('take a secret that is not there for the same as null, and for no text', () => {
    const none = secretMarks({ entity: {}, fields: ['password'] }, KEY);
    expect(has({ password: null }, none)).toBe(true);
    expect(has({ password: 'null' }, none)).toBe(false);
    expect(has({ password: '' }, none)).toBe(false);
  });

  it('are looked at for what was a secret then and is one now', () => {
    expect(has({ password: 'x' }, marked, ['password'])).toBe(true);
    expect(has({ password: 'z' }, marked, [])).toBe(true);
    expect(has({ ...ANN, pin: 'new' }, marked, [...FIELDS, 'pin'])).toBe(true);
    expect(has({ ...ANN, password: 'z' }, marked, ['password'])).toBe(false);
  });

  it('are kept beside those of a renewed form, each once', () => {
    const renewed = withRenewed(marked, { ...ANN, password: 'x again' }, KEY);
    expect(renewed.map(({ field, marks }) => [field, marks.length])).toEqual([
      ['password', 2],
      ['login.secret', 1],
    ]);
    for (const [entity, expected] of [
      [ANN, true],
      [{ ...ANN, password: 'x again' }, true],
      [{ ...ANN, password: 'z' }, false],
    ] as const)
      expect(has(entity, renewed)).toBe(expected);
    expect(has({ ...ANN, password: 'x again' }, marked)).toBe(false);
  });
});
