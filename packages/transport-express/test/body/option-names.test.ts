import { describe, expect, it } from '@jest/globals';
import { json, text, urlencoded } from '../../src/index.ts';

/** As callers without types may give them. */
const given = (options: object): never => options as never;

describe('options of body parsers', () => {
  it.each([
    ['json()', () => json(given({ limt: '1kb' })), 'limit'],
    ['urlencoded()', () => urlencoded(given({ extend: true })), 'extended'],
    ['urlencoded()', () => urlencoded(given({ parameterLimt: 5 })), 'parameterLimit'],
    ['text()', () => text(given({ limits: '1kb' })), 'limit'],
  ])('that are misspelt are refused by %s (%#)', (of, make, meant) => {
    expect(make).toThrow(new RegExp(`^${of.replace('()', '\\(\\)')} has no option '.*'\\. Did you mean '${meant}'\\?$`));
  });

  it('of other versions of Express are passed on', () => {
    for (const make of [json, text, urlencoded]) expect(() => make(given({ somethingNew: true }))).not.toThrow();
  });
});
