import { expect, it } from '@jest/globals';
import { createAjv, getValidator, Type } from '../../src/index.ts';

it.each(['draft-07', '2019-09', '2020-12'] as const)(
  'goes over its own code in no passes, whose time grows with the square of what is described (%s)',
  (dialect) => {
    expect(createAjv({}, dialect).opts.code.optimize).toBe(0);
    // Whoever wants it otherwise has it.
    expect(createAjv({ code: { optimize: 2 } }, dialect).opts.code.optimize).toBe(2);
  },
);

it('says what is too much for a check, and what to do about it', () => {
  const properties = Array.from({ length: 6_000 }, (_, index) => [`p${String(index)}`, Type.Optional(Type.Integer())] as const);
  expect(() => getValidator(Type.Object(Object.fromEntries(properties)))).toThrow(/6000 properties .* Type\.Unknown\(\)/);
});
