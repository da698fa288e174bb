import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { noteLeftOut } from '@framework-internal/testing';
import { freePort } from '@framework-internal/testing/free-port';
import { hasRedis, startRedis, type RedisServer } from '@framework-internal/testing/redis';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createClient, createClientPool, createCluster, createSentinel } from 'redis';
import { redisEventLog, type RedisClient } from '../src/index.ts';
import { explained } from '../src/refusal.ts';

if (!hasRedis) noteLeftOut('left out: starts of a log that Redis refuses (no redis-server is installed)');

(hasRedis ? describe : describe.skip)('a log whose start Redis refuses', () => {
  let redis: RedisServer | undefined;
  let clients: RedisClient[] = [];
  afterEach(async () => {
    for (const client of clients) if (client.isOpen) client.destroy();
    clients = [];
    await redis?.kill();
    redis = undefined;
  });

  async function connectTo(server: RedisServer, user = ''): Promise<RedisClient> {
    const client: RedisClient = createClient({ url: server.url.replace('//', `//${user}`) }).on('error', () => undefined);
    clients.push(client);
    await client.connect();
    return client;
  }

  it('names the command that its user lacks, each of those that it needs at any time, and needs no other', async () => {
    redis = await startRedis();
    const owner = await connectTo(redis);
    const needed = ['xadd', 'xread', 'xrange', 'xrevrange', 'get', 'set'];
    for (const lacking of needed) {
      await owner.sendCommand(['ACL', 'SETUSER', lacking, 'on', '>secret', '~*', '+@all', `-${lacking}`]);
      const start = redisEventLog(await connectTo(redis, `${lacking}:secret@`), { key: 'shop' }).start();
      await expect(start).rejects.toThrow(new RegExp(`^NOPERM .*'${lacking}'.* XADD, .* 'shop' and 'shop:epoch', and SELECT`));
    }
    const other = createClient({ url: `${redis.url.replace('//', '//xread:secret@')}/1` }).on('error', () => undefined);
    await owner.sendCommand(['ACL', 'SETUSER', 'xread', '-select']);
    await expect(redisEventLog(other).start()).rejects.toThrow(/^NOPERM .*'select'.* SELECT for another database/);
    const rules = ['~shop', '~shop:epoch', ...needed.map((command) => `+${command}`)];
    await owner.sendCommand(['ACL', 'SETUSER', 'least', 'on', '>secret', ...rules]);
    const log = redisEventLog(await connectTo(redis, 'least:secret@'), { key: 'shop' });
    await log.start();
    expect(log.latest[0]).toBeGreaterThan(0);
    await log.stop();
  });

  it('leaves no connection of its own behind', async () => {
    redis = await startRedis();
    const owner = await connectTo(redis);
    await owner.sendCommand(['ACL', 'SETUSER', 'blind', 'on', '>secret', '~*', '+@all', '-xread']);
    const client = await connectTo(redis, 'blind:secret@');
    const own: RedisClient[] = [];
    const duplicate = client.duplicate.bind(client);
    client.duplicate = () => {
      const made = duplicate();
      own.push(made);
      return made;
    };
    await expect(redisEventLog(client).start()).rejects.toThrow(/^NOPERM/);
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter(({ isOpen }) => isOpen)).toEqual([]);
    expect(client.isOpen).toBe(true);
  });

  it('waits where Redis only can not do it yet', async () => {
    redis = await startRedis(undefined, ['--replicaof', '127.0.0.1', String(await freePort())]);
    const client = await connectTo(redis);
    const owner = await connectTo(redis);
    const asked: string[] = [];
    const answered = new Promise<void>((resolve) => {
      // It asks over connections of its own too: the server may be another one by then.
      const watch = (watched: RedisClient): RedisClient => {
        const { sendCommand, duplicate } = watched;
        watched.sendCommand = (command) =>
          sendCommand.call(watched, command).catch((error: unknown) => {
            asked.push(String(error));
            if (asked.length > 1) resolve();
            throw error;
          });
        watched.duplicate = () => watch(duplicate.call(watched));
        return watched;
      };
      watch(client);
    });
    const log = redisEventLog(client);
    const started = log.start();
    await Promise.race([answered, started]);
    await owner.sendCommand(['REPLICAOF', 'NO', 'ONE']);
    await started;
    expect(asked).toContainEqual(expect.stringContaining('READONLY'));
    expect(log.latest[0]).toBeGreaterThan(0);
    await log.stop();
  });
});

it('a log does not wait for a server that it can not come to trust', async () => {
  // Without a certificate it agrees with nobody.
  const server = createServer({}).on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  let tries = 0;
  server.on('connection', () => {
    tries += 1;
    // What is tried again and again would never end.
    if (tries > 4) server.close();
  });
  const client = createClient({ url: `rediss://127.0.0.1:${port}` }).on('error', () => undefined);
  try {
    const start = redisEventLog(client).start();
    const ends = await Promise.race([start.catch((error: unknown) => error), once(server, 'close')]);
    expect(ends).toMatchObject({
      message: expect.stringMatching(/^Redis can not be reached over TLS \(.*'ca'.* redis:\/\//s),
      cause: { code: expect.stringContaining('HANDSHAKE') },
    });
  } finally {
    if (client.isOpen) client.destroy();
    server.close();
  }
});

it('what Redis refuses is explained where the answer alone does not say how to mend it', () => {
  const moved = new Error('MOVED 9102 127.0.0.1:7001');
  expect(explained(moved, 'events')).toMatchObject({ message: expect.stringMatching(/^MOVED 9102 .* cluster/), cause: moved });
  const others = [new Error('WRONGPASS invalid username-password pair'), new Error('read ECONNRESET'), undefined];
  expect(others.map((error) => explained(error, 'events'))).toEqual(others);
});

it('a log refuses what is no client of one server', () => {
  const root = { url: 'redis://127.0.0.1:6379' };
  const bad = [
    undefined,
    root,
    root.url,
    createClientPool(root),
    createCluster({ rootNodes: [root] }),
    createSentinel({ name: 'main', sentinelRootNodes: [{ host: '127.0.0.1', port: 26_379 }] }),
  ];
  for (const client of bad) expect(() => redisEventLog(client as never)).toThrow(/^redisEventLog\(\) needs a client .*createClient/);
});
