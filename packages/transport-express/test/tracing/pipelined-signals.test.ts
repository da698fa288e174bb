import { once } from 'node:events';
import net from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Params } from '@framework/core';
import { start, type Running } from '../harness.ts';

/** Signals of the calls that have begun, by their ids. */
const begun = new Map<string, AbortSignal>();
const go = new Map<string, () => void>();

let running: Running;
beforeAll(async () => {
  running = await start((app) => {
    app.use('held', {
      async get(id: string, params: Params) {
        const { signal } = params as Params & { readonly signal: AbortSignal };
        begun.set(id, signal);
        await new Promise<void>((resolve) => {
          go.set(id, resolve);
          signal.addEventListener('abort', () => resolve());
        });
        return { id };
      },
    });
  });
});
beforeEach(() => {
  begun.clear();
  go.clear();
});
afterAll(() => running.stop());

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
};

it('calls of one connection, sent one behind the other, have signals of their own: those that wait are aborted with it', async () => {
  const socket = net.connect(Number(new URL(running.url).port), '127.0.0.1');
  await once(socket, 'connect');
  const answered: string[] = [];
  socket.on('data', (data) => answered.push(String(data)));
  for (const id of ['a', 'b', 'c']) {
    socket.write(`GET /held/${id} HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\n\r\n`);
    await until(() => begun.has(id));
  }
  go.get('a')?.();
  await until(() => answered.join('').includes('{"id":"a"}'));
  // A further call looks at those that are open.
  socket.write('GET /held/d HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\n\r\n');
  await until(() => begun.has('d'));
  socket.destroy();
  await until(() => begun.get('d')?.aborted === true);
  expect(['a', 'b', 'c', 'd'].map((id) => begun.get(id)?.aborted)).toEqual([false, true, true, true]);
  expect(begun.get('b')?.reason).toMatchObject({ message: 'The client has gone away', code: 499, className: 'client-closed-request' });
});
