import { describe, expect, it } from '@jest/globals';
import { BadRequest, FrameworkError } from '@framework/errors';
import { originOf, PathRules } from '../../src/index.ts';
import { rememberInError, shownError } from '../../src/records/shown-error.ts';

const viewer = { params: { provider: 'rest' } };
const rules = new PathRules().add({ hidden: ['pin', 'message'] });
const problem = { path: 'pin', keyword: 'type', message: 'must be text' };

describe('what a viewer may see of an error', () => {
  it.each([[null], [undefined], ['text'], [1], [new Error('plain')]])('is all of one without data: %p', (thrown) => {
    expect(shownError(thrown, viewer, rules)).toBe(thrown);
    expect(() => {
      rememberInError(thrown, rules);
    }).not.toThrow();
  });

  it('is a list of problems as it is, although properties are called as what is hidden', () => {
    const errors = [problem, { ...problem, params: {} }];
    const thrown = new BadRequest('invalid', { errors });
    const before = thrown.errors;
    expect(shownError(thrown, viewer, rules)).toBe(thrown);
    expect(thrown.errors).toBe(before);
    expect(thrown.errors).toEqual(errors);
  });

  it.each<[string, object]>([
    ['something more', { ...problem, pin: 1 }],
    ['another path', { ...problem, path: 5 }],
    ['no message', { path: 'a', keyword: 'b', message: undefined }],
  ])('is no entry with %s', (_title, entry) => {
    const thrown = Object.assign(new Error('invalid'), { errors: [entry, problem] });
    shownError(thrown, viewer, rules);
    const { pin: _, message: __, ...visible } = entry as Record<string, unknown>;
    expect(thrown.errors).toEqual([visible, problem]);
  });

  it('is the same object of problems by their names, and another one without what is hidden', () => {
    const open = { name: { reason: 'short' } };
    const thrown = Object.assign(new Error('invalid'), { errors: open as object });
    shownError(thrown, viewer, rules);
    expect(thrown.errors).toBe(open);
    thrown.errors = { ...open, other: { pin: 1, reason: 'long' } };
    shownError(thrown, viewer, rules);
    expect(thrown.errors).toEqual({ ...open, other: { reason: 'long' } });
  });

  it('is the error that it was made with a record of, also where its data were taken away since', () => {
    const record = { pin: 1, name: 'a' };
    rules.remember(record);
    const thrown = new BadRequest('invalid', record);
    expect(shownError(thrown, viewer)).toBe(thrown);
    expect(thrown.data).toEqual({ name: 'a' });
    for (const data of ['text', null]) {
      const changed = Object.assign(new BadRequest('invalid', record), { data });
      expect(shownError(changed, viewer)).toBe(changed);
      expect(changed.data).toBe(data);
    }
  });

  it('is its message alone where its data can not be looked through, with what was thrown as a cause that others may change', () => {
    const thrown = Object.defineProperty(new Error('broken'), 'data', {
      get(): never {
        throw new Error('not now');
      },
    });
    const shown = shownError(thrown, viewer, rules);
    expect(shown).toBeInstanceOf(FrameworkError);
    expect(Object.getOwnPropertyDescriptor(shown, 'cause')).toEqual({
      value: thrown,
      writable: true,
      configurable: true,
      enumerable: false,
    });
  });
});

describe('what is remembered of an error', () => {
  it('is the records in it, and not its problems', () => {
    const data = { user: { pin: 1 } };
    const errors = [{ ...problem }];
    rememberInError({ data, errors }, rules);
    expect(originOf(data.user)?.rules).toHaveLength(1);
    expect(originOf(errors[0] as object)).toBeUndefined();
    const records = [{ pin: 1 }];
    rememberInError({ data: undefined, errors: records }, rules);
    expect(originOf(records[0] as object)?.rules).toHaveLength(1);
  });
});
