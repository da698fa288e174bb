import { once } from 'node:events';
import { existsSync } from 'node:fs';
import net from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { listening } from '../../src/index.ts';

const servers: net.Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) if (server.listening) await once(server.close(), 'close');
});

/** What a server is told to listen on that does not: which port or path it is does not matter here. */
class Asked extends net.Server {
  asked: readonly unknown[] | undefined;
  override listen(...args: readonly unknown[]): this {
    this.asked = args;
    process.nextTick(() => this.emit('listening'));
    return this;
  }
}

function made(): net.Server {
  const server = net.createServer();
  servers.push(server);
  return server;
}

it.each([
  [3030],
  ['3030'],
  [0],
  ['0'],
  [65_535],
  ['./api.sock'],
  ['/run/api.sock'],
  ['api.sock'],
  ['\\\\.\\pipe\\api'],
  [{ port: 1 }],
  [undefined],
  [() => 1],
])('%p may be listened on', async (where) => {
  const server = new Asked();
  expect(await listening(server, [where, 'localhost'])).toBe(server);
  expect(server.asked).toEqual([where, 'localhost']);
});

it.each([
  ['abc', "'abc'"],
  ['3030abc', "'3030abc'"],
  ['-1', "'-1'"],
  ['', "''"],
  [' ', "' '"],
  ['65536', "'65536'"],
  ['3030.5', "'3030.5'"],
  [Number.NaN, 'NaN'],
  [70_000, '70000'],
])('%p is neither a port nor the path of a socket', async (where, shown) => {
  await expect(listening(made(), [where])).rejects.toEqual(
    new TypeError(`app.listen() takes a port from 0 to 65535, or the path of a socket such as ./api.sock, and not ${shown}`),
  );
  expect(existsSync(String(where) || '-')).toBe(false);
});

it('a server listens, fails with its own error, or says that somebody has closed it, and leaves no listeners', async () => {
  const server = await listening(made(), [0, '127.0.0.1']);
  expect(['error', 'close', 'listening'].map((name) => server.listenerCount(name))).toEqual([0, 0, 0]);
  const { port } = server.address() as net.AddressInfo;
  await expect(listening(made(), [port, '127.0.0.1'])).rejects.toMatchObject({ code: 'EADDRINUSE' });
  const closed = made();
  const starting = listening(closed, [0, '127.0.0.1']);
  closed.close();
  await expect(starting).rejects.toThrow('The server was closed while it was starting');
});
