import { fork } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import WebSocket from 'ws';

/** Requests that are answered before the signals; the long form is a command of its own (CONTRIBUTING.md). */
const REQUESTS = Number(process.env.SHUTDOWN_REQUESTS ?? 1000);
const CONNECTIONS = 64;
/** Milliseconds that the server has. */
const TIMEOUT = 4000;

interface Counts {
  answered: number;
  refused: number;
  readonly lost: unknown[];
}

/** One kept-alive connection that sends a request as soon as the last one is answered. */
async function client(port: number, counts: Counts): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  for (let n = 0; ; n++) {
    const outcome = await new Promise<unknown>((resolve) => {
      http
        .get({ port, host: '127.0.0.1', path: `/items/${n}`, agent }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode));
          response.on('error', resolve);
        })
        .on('error', resolve);
    });
    if (outcome === 200) counts.answered += 1;
    else if ((outcome as { code?: string }).code === 'ECONNREFUSED') {
      counts.refused += 1;
      break;
    } else counts.lost.push(outcome);
  }
  agent.destroy();
}

it('S44 SIGINT and SIGTERM under load lose no accepted request, end WebSockets and an endless stream, and tear down once', async () => {
  const child = fork(fileURLToPath(new URL('./fixtures/signal-server.mjs', import.meta.url)), {
    env: { ...process.env, TIMEOUT: String(TIMEOUT) },
    execArgv: [],
  });
  const exit = once(child, 'exit');
  let teardowns = 0;
  const port = await new Promise<number>((resolve) => {
    child.on('message', (message: { port?: number; teardown?: true }) => {
      if (message.teardown) teardowns += 1;
      else resolve(message.port!);
    });
  });
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

  const counts: Counts = { answered: 0, refused: 0, lost: [] };
  const clients = Array.from({ length: CONNECTIONS }, () => client(port, counts));
  while (counts.answered < REQUESTS) await new Promise((resolve) => setTimeout(resolve, 1));
  child.kill('SIGINT');
  const atSignal = counts.answered;
  setTimeout(() => child.kill('SIGTERM'), 20);
  setTimeout(() => child.kill('SIGINT'), 40);
  await Promise.all(clients);
  await cut;
  expect(await exit).toEqual([0, null]);
  expect(await Promise.all(codes)).toEqual([1001, 1001]);
  expect({ lost: counts.lost, refused: counts.refused, teardowns }).toEqual({ lost: [], refused: CONNECTIONS, teardowns: 1 });
  // Every connection had its last answer after the signal.
  expect(counts.answered - atSignal).toBeGreaterThan(0);
});
