import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { letGo } from '../../src/operations/let-go.ts';

/** A socket, and what those hear who wait for it. */
function socket(destroyed: boolean, waiting = true) {
  const heard: unknown[] = [];
  const made = Object.assign(new EventEmitter(), { destroyed });
  if (waiting) made.on('error', (error) => heard.push(error));
  return { made, heard };
}

const clientOf = (...sockets: readonly object[]): object => ({
  topology: { s: { servers: new Map([['a', { pool: { checkedOut: new Set(sockets.map((each) => ({ socket: each }))) } }]]) } },
});

describe('connections that are let go', () => {
  it('are those that are taken and whose sockets are closed, where somebody waits', () => {
    const [closed, open, unheard] = [socket(true), socket(false), socket(true, false)];
    const error = new Error('late');
    letGo(clientOf(closed.made, open.made, unheard.made), error);
    expect([closed.heard, open.heard]).toEqual([[error], []]);
  });

  it('are none of a client that keeps them elsewhere', () => {
    const clients = [
      undefined,
      null,
      {},
      { topology: undefined },
      { topology: { s: { servers: [] } } },
      { topology: { s: { servers: new Map([['a', { pool: {} }]]) } } },
      clientOf({ destroyed: true }),
    ];
    for (const client of clients)
      expect(() => {
        letGo(client, new Error('late'));
      }).not.toThrow();
  });
});
