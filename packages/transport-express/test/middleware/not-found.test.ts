import { describe, expect, it } from '@jest/globals';
import { notFound } from '../../src/index.ts';

describe('notFound', () => {
  it('refuses options that there are not, so that registered without being called it answers with what is wrong', () => {
    expect(() => notFound({ verbos: true } as never)).toThrow("notFound() has no option 'verbos'. Did you mean 'verbose'? It has verbose");
  });
});
