import { framework } from '@framework/core';
import { describe, expect, it, jest } from '@jest/globals';
import express, { notFound, rest } from '../../src/index.ts';

describe('notFound', () => {
  it('refuses options that there are not, so that registered without being called it answers with what is wrong', () => {
    expect(() => notFound({ verbos: true } as never)).toThrow("notFound() has no option 'verbos'. Did you mean 'verbose'? It has verbose");
  });

  it('warns where it stands in front of all services, which nobody would reach', () => {
    const warnings = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    try {
      express(framework()).use(notFound()).use('/other', notFound()).configure(rest());
      express(framework()).configure(rest()).use(notFound());
      express(framework()).use('/old', notFound()).configure(rest());
      expect(warnings.mock.calls).toEqual([
        [
          'app.use(notFound()) stands in front of app.configure(rest()), so that every request of a service is 404: move it behind all services',
          { code: 'NOT_FOUND_BEFORE_REST' },
        ],
      ]);
    } finally {
      warnings.mockRestore();
    }
  });
});
