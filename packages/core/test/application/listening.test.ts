import { once } from 'node:events';
import { existsSync } from 'node:fs';
import net from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
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

describe('what keeps a server from listening is told with how to mend it, and with the code of the system', () => {
  it('for a port that is taken', async () => {
    const first = await listening(made(), [0, '127.0.0.1']);
    const { port } = first.address() as net.AddressInfo;
    await expect(listening(made(), [port, '127.0.0.1'])).rejects.toMatchObject({
      message: `The port ${String(port)} is in use. End what listens there or take another port (0 for any that is free)`,
      code: 'EADDRINUSE',
      syscall: 'listen',
      port,
      address: '127.0.0.1',
      cause: { code: 'EADDRINUSE' },
    });
  });

  it.each([
    [
      { code: 'EADDRINUSE', address: './api.sock', port: -1 },
      "The socket './api.sock' is in use. End what listens there, remove the file if nothing does, or take another path",
    ],
    [
      { code: 'EACCES', address: '::', port: 80 },
      'The port 80 is not for the user of this process to listen on. Give the right to do so, or take another port (0 for any that is free)',
    ],
    [
      { code: 'EADDRNOTAVAIL', address: '10.9.9.9', port: 80 },
      "This machine has no address '10.9.9.9'. Listen on one that it has, or on all of them by leaving it out",
    ],
  ])('as %j', async (told, message) => {
    const server = made();
    server.listen = (): typeof server => {
      process.nextTick(() => server.emit('error', Object.assign(new Error('listen'), told)));
      return server;
    };
    await expect(listening(server, [0])).rejects.toMatchObject({ message, ...told });
  });

  it('and is as it is where it is something else', async () => {
    const [server, error] = [made(), new Error('other')];
    server.listen = (): typeof server => {
      process.nextTick(() => server.emit('error', error));
      return server;
    };
    await expect(listening(server, [0])).rejects.toBe(error);
  });
});
