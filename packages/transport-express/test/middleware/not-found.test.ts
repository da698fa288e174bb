import { framework } from '@framework/core';
import { describe, expect, it, jest } from '@jest/globals';
import { inspect } from 'node:util';
import express, { errorHandler, notFound, rest, type Application } from '../../src/index.ts';
import { listen, send } from '../harness.ts';

describe('notFound', () => {
  it('refuses options that there are not, so that registered without being called it answers with what is wrong', () => {
    expect(() => notFound({ verbos: true } as never)).toThrow("notFound() has no option 'verbos'. Did you mean 'verbose'? It has verbose");
    expect(() => notFound({ verbose: 'false' } as never)).toThrow("The option 'verbose' of notFound() is true or false");
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

  it.each([false, true])(
    'S33 tells its caller the whole URL, and logs none of the query, which may hold a token; verbose: %s',
    async (verbose) => {
      const logged: unknown[] = [];
      const app = express(framework()) as Application;
      app.configure(rest()).use(notFound({ verbose }));
      app.use(errorHandler({ logger: { error: () => undefined, info: (error) => logged.push(error) } }));
      const { url, stop } = await listen(app);
      const path = '/reports/7?access_token=eyJ.secret&page=2';
      const message = verbose ? 'Page not found: ' : 'Page not found';
      const answer = await send(url, path);
      expect(answer).toMatchObject({ status: 404, body: { message: verbose ? `${message}${path}` : message, data: { url: path } } });
      expect((await send(url, '/reports/7')).status).toBe(404);
      await stop();
      const told = { name: 'NotFound', code: 404, message: verbose ? `${message}/reports/7` : message, data: { url: '/reports/7' } };
      expect(logged).toEqual([expect.objectContaining(told), expect.objectContaining(told)]);
      expect(inspect(logged, { depth: 9, showHidden: true })).not.toContain('secret');
    },
  );
});
