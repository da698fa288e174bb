import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { send, start, type Running } from './harness.ts';

/** Calls with the connection that they had. */
let seen: unknown[];
let running: Running;
beforeEach(async () => {
  seen = [];
  running = await start((app) => {
    app.use('echo', { find: async ({ connection }: any) => (seen.push(connection), []) });
  });
});
afterEach(() => running.stop());

const connection = { provider: 'sse' };
const status = async (id: string): Promise<number> => (await send(running.url, '/echo', { headers: { 'connection-id': id } })).status;

describe('the header Connection-Id', () => {
  it('is nothing to an application whose connections have no ids', async () => {
    expect([await status('a'), await status('a b'), seen]).toEqual([200, 200, [undefined, undefined]]);
  });

  it('names a connection of a transport that has some, and no other thing', async () => {
    running.app.set('connections', (id: string) => new Map([['a', connection]]).get(id));
    expect([await status('a'), await status('b'), await status('a b'), await status(''), seen]).toEqual([200, 410, 400, 400, [connection]]);
  });
});
