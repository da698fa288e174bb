import { fork } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import WebSocket from 'ws';

/** Requests that are answered before the signals; the long form is a command of its own (CONTRIBUTING.md). */
const REQUESTS = Number(process.env.SHUTDOWN_REQUESTS ?? 1000);
const CONNECTIONS = 64;
/** Milliseconds that the server has, at least: more where a machine takes longer for what comes before. */
const TIMEOUT = 4000;

interface Counts {
  readonly answered: string[];
  /** Not answered over a connection that was used before, as the server has closed it. */
  readonly reset: string[];
  refused: number;
  readonly lost: unknown[];
}

/** One kept-alive connection that sends a request as soon as the last one is answered. */
async function client(name: number, port: number, counts: Counts): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  for (let n = 0; ; n++) {
    const id = `${name}-${n}`;
    const outcome = await new Promise<unknown>((resolve) => {
      const request = http.get({ port, host: '127.0.0.1', path: `/items/${id}`, agent }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
        response.on('error', resolve);
      });
      request.on('error', (error) => resolve(request.reusedSocket && (error as { code?: string }).code === 'ECONNRESET' ? 'reset' : error));
    });
    if (outcome === 200) counts.answered.push(id);
    else if (outcome === 'reset') counts.reset.push(id);
    else if ((outcome as { code?: string }).code === 'ECONNREFUSED') {
      counts.refused += 1;
      break;
    } else counts.lost.push(outcome);
  }
  agent.destroy();
}

it('S44 SIGINT and SIGTERM under load lose no accepted request, end WebSockets and an endless stream, and tear down once', async () => {
  const child = fork(fileURLToPath(new URL('./fixtures/signal-server.mjs', import.meta.url)), { execArgv: [] });
  const exit = once(child, 'exit');
  const teardowns: (readonly string[])[] = [];
  child.on('message', ({ accepted }: { accepted?: readonly string[] }) => {
    if (accepted) teardowns.push(accepted);
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const codes: Promise<number>[] = [];
  for (let n = 0; n < 2; n++) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
    codes.push(once(socket, 'close').then(([code]) => code as number));
    await once(socket, 'open');
  }
  const [stream] = (await once(http.get({ port, host: '127.0.0.1', path: '/endless', agent: false }), 'response')) as [
    http.IncomingMessage,
  ];
  const cut = new Promise((resolve) => stream.once('close', resolve));
  stream.on('error', () => undefined).resume();

  const counts: Counts = { answered: [], reset: [], refused: 0, lost: [] };
  const began = performance.now();
  const clients = Array.from({ length: CONNECTIONS }, (_, name) => client(name, port, counts));
  while (counts.answered.length < REQUESTS) await new Promise((resolve) => setTimeout(resolve, 1));
  child.send({ timeout: Math.max(TIMEOUT, 4 * (performance.now() - began)) });
  await once(child, 'message');
  child.kill('SIGINT');
  const atSignal = counts.answered.length;
  setTimeout(() => child.kill('SIGTERM'), 20);
  setTimeout(() => child.kill('SIGINT'), 40);
  await Promise.all(clients);
  await cut;
  expect(await exit).toEqual([0, null]);
  expect(await Promise.all(codes)).toEqual([1001, 1001]);
  expect({ lost: counts.lost, refused: counts.refused, teardowns: teardowns.length }).toEqual({
    lost: [],
    refused: CONNECTIONS,
    teardowns: 1,
  });
  // A client that a busy machine kept from its next request for long finds its connection closed: then the server has not seen that request.
  expect([...(teardowns[0] ?? [])].sort()).toEqual(counts.answered.sort());
  // Every connection had its last answer after the signal.
  expect(counts.answered.length - atSignal).toBeGreaterThan(0);
});
