import { describe, expect, it, jest } from '@jest/globals';
import { framework, tellDisconnect } from '../../src/index.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the end of a connection', () => {
  it('is told to each listener, and what listeners throw or reject with is reported', async () => {
    const app = framework();
    const connection = {};
    const told: unknown[] = [];
    const errors: unknown[] = [];
    app.on('listenerError', (...args: unknown[]) => errors.push(args));
    app.once('disconnect', () => {
      throw new Error('thrown');
    });
    const rejects = (): unknown => Promise.reject(new Error('rejected'));
    app.on('disconnect', rejects);
    app.on('disconnect', (given: unknown) => told.push(given));
    tellDisconnect(app, connection);
    await settled();
    expect(told).toEqual([connection]);
    const source = { path: '', event: 'disconnect' };
    expect(errors).toEqual([
      [new Error('thrown'), source],
      [new Error('rejected'), source],
    ]);
    tellDisconnect(app, connection);
    await settled();
    expect(told).toHaveLength(2);
    expect(errors).toHaveLength(3);
  });

  it('becomes a warning of the process where nobody listens to errors', () => {
    const app = framework();
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    app.on('disconnect', () => {
      throw new Error('thrown');
    });
    tellDisconnect(app, {});
    app.removeAllListeners('disconnect').on('disconnect', () => {
      throw 'text';
    });
    tellDisconnect(app, {});
    const message = "A listener of 'disconnect' failed";
    expect(warn.mock.calls).toEqual([
      [message, { detail: expect.stringMatching(/^Error: thrown\n +at /) }],
      [message, { detail: 'text' }],
    ]);
    warn.mockRestore();
  });
});
