import { describe, expect, it } from '@jest/globals';
import { framework } from '@framework/core';
import express, { rest, type Application } from '../src/index.ts';

function application(trust: unknown): Application {
  const app = express(framework());
  app.configure(rest());
  app.set('trust proxy', trust);
  return app;
}

describe('S24 the setting trust proxy', () => {
  it.each(['1', ' 2 ', '10', 'loopback, 1', ['loopback', '1']])(
    'is no text of a number, as environment variables have it, which Express takes for an address: %j',
    async (trust) => {
      await expect(application(trust).listen(0, '127.0.0.1')).rejects.toThrow(
        /^The setting 'trust proxy' holds the text '\d+', which Express takes for an address: the number of proxies is a number, Number\(process\.env/,
      );
      await expect(application(trust).setup()).rejects.toThrow("The setting 'trust proxy' holds the text");
    },
  );

  it.each([NaN, -1, 1.5, Infinity])('is no number that counts nothing, such as that of a variable which is not set: %p', async (trust) => {
    await expect(application(trust).setup()).rejects.toThrow(
      `The setting 'trust proxy' is ${String(trust)}: it has to be the number of proxies in front, from 0 on`,
    );
  });

  it('is looked at in applications that are mounted too', async () => {
    const outer = application(1);
    outer.use('/inner', application('1'));
    await expect(outer.setup()).rejects.toThrow("The setting 'trust proxy' holds the text '1'");
  });

  it.each([undefined, null, true, false, 0, 1, 2, 'loopback', '10.0.0.0/8, ::1', ['loopback', '192.168.0.1'], () => true])(
    'may be all else that Express takes: %p',
    async (trust) => {
      const app = application(trust);
      await expect(app.setup()).resolves.toBe(app);
      await app.close();
    },
  );
});
