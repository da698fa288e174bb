import { framework } from '@framework/core';
import { describe, expect, it, jest } from '@jest/globals';
import express, * as transport from '../src/index.ts';

describe('what makes middleware and was not called', () => {
  it.each(['compression', 'cors', 'errorHandler', 'json', 'notFound', 'raw', 'serveStatic', 'text', 'urlencoded'] as const)(
    'is refused, with what to write: %s',
    (name) => {
      const app = express(framework());
      const maker = transport[name] as never;
      expect(() => app.use(maker)).toThrow(`Call it: app.use(${name}())`);
      expect(() => app.use('/path', maker)).toThrow(TypeError);
      expect(() => app.use([maker])).toThrow(TypeError);
    },
  );

  it.each([
    ['authenticate', "Call it: app.use(authenticate('jwt'))"],
    ['parseAuthentication', "Call it: app.use(parseAuthentication({ service: 'authentication' }))"],
  ] as const)('is refused with what it needs: %s', (name, message) => {
    const app = express(framework());
    expect(() => app.use(transport[name] as never)).toThrow(message);
    expect(() => app.use('notes', transport[name] as never, { find: async () => [] } as never)).toThrow(message);
  });

  it('is told among hooks, where it lets nobody in', async () => {
    const app = express(framework());
    app.use('notes', { find: async () => [], create: async () => ({}) } as never);
    for (const [hooks, message] of [
      [{ before: { find: [transport.authenticate] } }, "hooks take authenticate('jwt') of @framework/authentication"],
      [{ around: { create: [transport.idempotent] } }, 'list it called, as idempotent()'],
    ] as const) {
      app.service('notes').hooks(hooks as never);
      const [method] = Object.keys(Object.values(hooks)[0] as object) as ['find' | 'create'];
      await expect(app.service('notes')[method]({} as never)).rejects.toThrow(message);
    }
  });

  it('is refused by app.configure too', () => {
    const app = express(framework());
    expect(() => app.configure(transport.rest as never)).toThrow('Call it: app.configure(rest())');
    expect(() => app.use(transport.rest as never)).toThrow('Call it: app.configure(rest())');
  });

  it('by others is told by app.configure, as that of the core does it', () => {
    const app = express(framework());
    const emitWarning = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    app.configure(function plugin() {
      return () => undefined;
    });
    app.configure((self) => self);
    expect(emitWarning.mock.calls).toEqual([
      ["configure() got 'plugin', which gives another function: is it to be called first, configure(plugin())?"],
    ]);
    emitWarning.mockRestore();
    for (const given of [undefined, null, {}])
      expect(() => app.configure(given as never)).toThrow('configure() needs a function of the application, as rest() gives one');
  });
});
