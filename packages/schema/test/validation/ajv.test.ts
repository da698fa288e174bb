import { expect, it } from '@jest/globals';
import { createAjv } from '../../src/index.ts';

it.each(['draft-07', '2019-09', '2020-12'] as const)(
  'goes over its own code in no passes, whose time grows with the square of what is described (%s)',
  (dialect) => {
    expect(createAjv({}, dialect).opts.code.optimize).toBe(0);
    // Whoever wants it otherwise has it.
    expect(createAjv({ code: { optimize: 2 } }, dialect).opts.code.optimize).toBe(2);
  },
);
