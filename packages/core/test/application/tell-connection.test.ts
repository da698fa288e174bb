import { describe, expect, it } from '@jest/globals';
import { framework, tellConnection } from '../../src/index.ts';

describe('a new connection', () => {
  it('is told to each listener, and nobody waits where nobody promises', () => {
    const app = framework();
    const connection = {};
    const told: unknown[] = [];
    expect(tellConnection(app, connection)).toBe(undefined);
    app.once('connection', (given: unknown) => told.push(given));
    app.on('connection', (given: unknown) => told.push(given));
    expect(tellConnection(app, connection)).toBe(undefined);
    expect(tellConnection(app, connection)).toBe(undefined);
    expect(told).toEqual([connection, connection, connection]);
  });

  it('fails by what a listener throws or rejects with', async () => {
    const app = framework();
    const rejecting = (text: string) => (): unknown => Promise.reject(new Error(text));
    app.on('connection', rejecting('rejected'));
    app.on('connection', rejecting('rejected too'));
    await expect(tellConnection(app, {})).rejects.toThrow('rejected');
    app.on('connection', () => {
      throw new Error('thrown');
    });
    expect(() => tellConnection(app, {})).toThrow('thrown');
  });
});
