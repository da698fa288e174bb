import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { framework } from '@framework/core';
import express from '@framework/transport-express';
import { afterEach, expect, it } from '@jest/globals';
import { io } from 'socket.io-client';
import { socketio } from '../src/index.ts';
import { connect, RECONNECTING, start, stopAll, until, type AnyApplication } from './harness.ts';

const NO_ROOM = 'The server has no room for more sockets: try again later';

afterEach(stopAll);

/** Begins a session by one request of polling, and never says anything in it. */
async function begin(url: string, headers: Record<string, string> = {}): Promise<number> {
  return (await answerTo(url, headers)).status;
}

async function answerTo(url: string, headers: Record<string, string> = {}): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(`${url}/socket.io/?EIO=4&transport=polling`, { headers });
  return { status: response.status, text: await response.text() };
}

function count(app: AnyApplication): number {
  return app.io.engine.clientsCount;
}

it('S35 sockets of who says nothing are no more than there may be, also when many come at once', async () => {
  const asked: ((error: null, allowed: boolean) => void)[] = [];
  // All have found room before the first of them takes it.
  const allowRequest = (_req: unknown, answer: (error: null, allowed: boolean) => void): void => {
    asked.push(answer);
    if (asked.length === 40) for (const each of asked) each(null, true);
  };
  const { app, url } = await start(() => undefined, { maxSockets: 5, allowRequest: allowRequest as never });
  await Promise.allSettled(Array.from({ length: 40 }, () => begin(url)));
  expect(count(app)).toBe(5);
  expect(await begin(url)).toBe(403);
});

it('who is refused for want of room is told why, and comes in by itself when there is some; the application is told', async () => {
  const told: string[] = [];
  const logger = (error: unknown): void => void told.push((error as Error).message);
  const { app, url } = await start(() => undefined, { maxSockets: 1, logger });
  const first = await connect(url);
  expect(await answerTo(url)).toEqual({ status: 403, text: expect.stringContaining(NO_ROOM) });
  const waiting = io(url, { ...RECONNECTING, transports: ['websocket'], forceNew: true });
  await new Promise((resolve) => waiting.once('connect_error', resolve));
  first.disconnect();
  await until(() => waiting.connected);
  expect([count(app), [...new Set(told)]]).toEqual([1, [NO_ROOM]]);
  waiting.disconnect();
});

it('the log is told once in a while that there is no room, and not of each who is refused', async () => {
  const told: Error[] = [];
  const { url } = await start(() => undefined, { maxSockets: 1, logger: (error) => told.push(error as Error) });
  await connect(url);
  for (let tries = 0; tries < 20; tries++) expect(await answerTo(url)).toMatchObject({ status: 403 });
  const reason = 'There are as many sockets as there may be (1), and one more was refused';
  expect(told).toEqual([expect.objectContaining({ message: NO_ROOM, cause: expect.objectContaining({ cause: new Error(reason) }) })]);
});

it('S24 the share of one network address is bound too, as the setting trust proxy tells addresses', async () => {
  const told: unknown[] = [];
  const { app, url } = await start((made) => void made.set('trust proxy', 1), { maxPerAddress: 2, logger: (error) => told.push(error) });
  const from = (address: string): Promise<number> => begin(url, { 'x-forwarded-for': address });
  expect([await from('203.0.113.1'), await from('203.0.113.1'), await from('198.51.100.1, 203.0.113.1')]).toEqual([200, 200, 403]);
  expect([await from('2001:db8::1'), await from('2001:db8::2'), await from('2001:db8::3'), await from('2001:db8:0:1::3')]).toEqual([
    200, 200, 403, 200,
  ]);
  expect([count(app), told]).toEqual([5, []]);
});

/** Begins sessions at a server that listens on a path, behind a proxy on the same machine. */
async function behindProxy(trusted: boolean, addresses: readonly string[]): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sockets-'));
  const app = express(framework()) as unknown as AnyApplication;
  app.configure(socketio({ maxPerAddress: 1 }));
  if (trusted) app.set('trust proxy', 1);
  const socketPath = join(folder, 'server');
  await app.listen(socketPath);
  const statuses: number[] = [];
  for (const address of addresses) {
    const headers = { 'x-forwarded-for': address };
    const status = new Promise<number>((resolve, reject) => {
      request({ socketPath, path: '/socket.io/?EIO=4&transport=polling', headers }, (response) => {
        response.resume();
        resolve(Number(response.statusCode));
      })
        .on('error', reject)
        .end();
    });
    statuses.push(await status);
  }
  await app.close({ timeout: 1000 });
  rmSync(folder, { recursive: true });
  return statuses;
}

it('S24 who comes through a proxy on a socket of the file system has the address that the proxy says, where it is believed', async () => {
  expect(await behindProxy(true, ['203.0.113.1', '203.0.113.2', '203.0.113.1'])).toEqual([200, 200, 403]);
});

it('who has no address has none in common with others', async () => {
  expect(await behindProxy(false, ['203.0.113.1', '203.0.113.1'])).toEqual([200, 200]);
});
