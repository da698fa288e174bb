import type { LogEntry } from '@framework/channels';
import { noteLeftOut } from '@framework-internal/testing';
import { startNetwork, type Network } from '@framework-internal/testing/network';
import { hasRedis, startRedis, type RedisServer } from '@framework-internal/testing/redis';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createClient } from 'redis';
import { redisEventLog, type RedisClient, type RedisEventLog } from '../src/index.ts';

if (!hasRedis) noteLeftOut('left out: another Redis that takes over (no redis-server is installed)');

(hasRedis ? describe : describe.skip)('where another Redis takes over', () => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  async function redis(...settings: string[]): Promise<RedisServer> {
    const withoutFiles = ['--repl-diskless-sync', 'yes', '--repl-diskless-sync-delay', '0', '--repl-diskless-load', 'swapdb'];
    const server = await startRedis(undefined, [...withoutFiles, ...settings]);
    ends.push(() => server.kill());
    return server;
  }

  async function networkTo({ port }: RedisServer): Promise<Network> {
    const network = await startNetwork(port);
    ends.push(() => network.stop());
    return network;
  }

  async function connectTo(port: number): Promise<RedisClient> {
    const client: RedisClient = createClient({ url: `redis://127.0.0.1:${port}` }).on('error', () => undefined);
    await client.connect();
    ends.push(() => client.isOpen && client.destroy());
    return client;
  }

  /** @returns what a log tells: keys of entries, and that it has begun */
  async function toldBy(log: RedisEventLog): Promise<string[]> {
    const told: string[] = [];
    log.read({
      entry: ({ key }) => void told.push(key),
      changed: () => undefined,
      passed: () => undefined,
      lost: () => void told.push('lost'),
    });
    await log.start();
    ends.push(() => log.stop());
    return told;
  }

  const entry = (key: string): LogEntry => ({ key, path: 'notes', event: 'created', text: '{}', targets: [], at: 0 });

  async function until(holds: () => unknown): Promise<void> {
    while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  it('at the same address, and the one before follows it without ending connections, events are stored and told by it', async () => {
    const first = await redis();
    const second = await redis('--replicaof', '127.0.0.1', String(first.port));
    const network = await networkTo(first);
    const [ofFirst, ofSecond] = [await connectTo(first.port), await connectTo(second.port)];
    const logs = [redisEventLog(await connectTo(network.port)), redisEventLog(await connectTo(network.port))] as const;
    const told = [await toldBy(logs[0]), await toldBy(logs[1])];
    await logs[0].append([entry('before')]);
    await until(() => told.every((keys) => keys.includes('before')));
    // It says that it follows while it is loading, which it gives up when it is to follow nobody.
    const stored = await ofFirst.sendCommand(['XLEN', 'events']);
    await until(async () => (await ofSecond.sendCommand(['XLEN', 'events'])) === stored);

    // First for those who read: they come back while nobody has told them of the other one.
    await ofSecond.sendCommand(['REPLICAOF', 'NO', 'ONE']);
    await ofFirst.sendCommand(['REPLICAOF', '127.0.0.1', String(second.port)]);
    const refused = async (): Promise<number> =>
      Number(/READONLY:count=(\d+)/.exec(String(await ofFirst.sendCommand(['INFO', 'errorstats'])))?.[1]);
    await until(async () => (await refused()) >= logs.length);
    network.lead(second.port);
    await Promise.all(logs.map((log, index) => log.append([entry(`after ${index}`)])));
    await until(() => told.every((keys) => keys.filter((key) => key.startsWith('after')).length === 2));
    expect(told.map((keys) => keys.slice(0, 2))).toEqual([
      ['lost', 'before'],
      ['lost', 'before'],
    ]);
    expect(told[0]).toEqual(told[1]);
    expect(told[0]).toHaveLength(4);
  });

  it('that has never had what was stored and not read yet, all are told that something is lost', async () => {
    const server = await redis();
    const owner = await connectTo(server.port);
    const network = await networkTo(server);
    const client = await connectTo(server.port);
    const reading = createClient({ url: `redis://127.0.0.1:${network.port}` }).on('error', () => undefined);
    client.duplicate = () => reading;
    const log = redisEventLog(client);
    const another = redisEventLog(await connectTo(server.port));
    const told = await toldBy(log);
    const others = await toldBy(another);
    await log.append([entry('before')]);
    await until(() => told.length === 2 && others.length === 2);
    await network.cut(async () => {
      await log.append([entry('stored')]);
      const [[newest]] = (await owner.sendCommand(['XREVRANGE', 'events', '+', '-', 'COUNT', '1'])) as [[string]];
      await owner.sendCommand(['XDEL', 'events', newest]);
    });
    await until(() => told.length === 3);
    expect(told).toEqual(['lost', 'before', 'lost']);
    await until(() => others.includes('lost', 2));
    await another.append([entry('after')]);
    await until(() => told.includes('after') && others.includes('after'));
    expect(told).toEqual(['lost', 'before', 'lost', 'after']);
  });
});
