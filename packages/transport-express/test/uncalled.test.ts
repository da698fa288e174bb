import { framework } from '@framework/core';
import { describe, expect, it } from '@jest/globals';
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

  it('is refused by app.configure too', () => {
    const app = express(framework());
    expect(() => app.configure(transport.rest as never)).toThrow('Call it: app.configure(rest())');
    expect(() => app.use(transport.rest as never)).toThrow('Call it: app.configure(rest())');
  });
});
