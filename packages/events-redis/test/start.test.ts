import type { LogEntry } from '@framework/channels';
import { noteLeftOut } from '@framework-internal/testing';
import { hasRedis, startRedis, type RedisServer } from '@framework-internal/testing/redis';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from 'redis';
import { redisEventLog, type RedisClient, type RedisEventLog } from '../src/index.ts';

if (!hasRedis) noteLeftOut('left out: the start of a log in Redis (no redis-server is installed)');

(hasRedis ? describe : describe.skip)('a log in Redis that starts', () => {
  let redis: RedisServer;
  let other: RedisClient;
  let clients: RedisClient[] = [];
  beforeAll(async () => {
    redis = await startRedis();
    other = connectTo();
    await other.connect();
  });
  afterAll(async () => {
    for (const client of clients) if (client.isOpen) client.destroy();
    clients = [];
    await redis.kill();
  });

  function connectTo(): RedisClient {
    const client: RedisClient = createClient({ url: redis.url }).on('error', () => undefined);
    clients.push(client);
    return client;
  }

  /** A log whose process is so slow that something happens before it reads the first time. */
  function slowLog(key: string, happens: () => Promise<unknown>): RedisEventLog {
    const client = connectTo();
    const duplicate = client.duplicate.bind(client);
    client.duplicate = () => {
      const reading = duplicate();
      const send = reading.sendCommand.bind(reading);
      let isFirst = true;
      reading.sendCommand = async (command) => {
        const isReading = command[0] === 'XREAD';
        if (isReading && isFirst) {
          isFirst = false;
          await happens();
        }
        return send(command);
      };
      return reading;
    };
    return redisEventLog(client, { key, keep: 100 });
  }

  it('does so also where the stream keeps less than others write meanwhile', async () => {
    const log = slowLog('trimmed', async () => {
      const writes = Array.from({ length: 1000 }, () => other.sendCommand(['XADD', 'trimmed', '*', 'by', 'others']));
      await Promise.all(writes);
      await other.sendCommand(['XTRIM', 'trimmed', 'MAXLEN', '100']);
    });
    await log.start();
    expect(log.latest[0]).toBeGreaterThan(0);
    await log.stop();
  });

  it('does so also where Redis forgets the stream meanwhile', async () => {
    const log = slowLog('forgotten', () => other.sendCommand(['DEL', 'forgotten']));
    await log.start();
    const told: string[] = [];
    log.read({
      entry: ({ key }) => void told.push(key),
      changed: () => undefined,
      passed: () => undefined,
      lost: () => undefined,
    });
    await log.append([{ key: 'k', path: 'notes', event: 'created', text: '{}', targets: [], at: 0 }]);
    while (told.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(told).toEqual(['k']);
    await log.stop();
  });

  it('has taken what was made before, when its application listened already, and of a program that never starts it', async () => {
    const entry = (key: string): LogEntry => ({ key, path: 'notes', event: 'created', text: '{}', targets: [], at: 0 });
    const early = redisEventLog(connectTo(), { key: 'early' });
    const told: string[] = [];
    early.read({
      entry: ({ key }) => void told.push(key),
      changed: () => undefined,
      passed: () => undefined,
      lost: () => undefined,
    });
    const made = [early.append([entry('a')]), early.append([entry('b')])];
    await early.start();
    await Promise.all(made);
    await redisEventLog(connectTo(), { key: 'early' }).append([entry('c')]);
    while (told.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(told).toEqual(['a', 'b', 'c']);
    await early.stop();
  });

  it('takes nothing where its client could not be connected, or was closed', async () => {
    const client = connectTo();
    const connect = client.connect.bind(client);
    client.connect = () => Promise.reject(new Error('nobody is there'));
    const log = redisEventLog(client, { key: 'away' });
    await expect(log.append([])).resolves.toBeUndefined();
    const entry: LogEntry = { key: 'k', path: 'notes', event: 'created', text: '{}', targets: [], at: 0 };
    await expect(log.append([entry])).rejects.toThrow('nobody is there');
    client.connect = connect;
    await log.append([entry]);
    client.destroy();
    await expect(log.append([{ ...entry, key: 'l' }])).rejects.toThrow('closed');
  });

  it('ends at once when it is stopped', async () => {
    const log: RedisEventLog = slowLog('stopped', async () => {
      await log.stop();
      await new Promise(() => undefined);
    });
    await expect(log.start()).rejects.toThrow('The log was stopped');
  });

  it('stores nothing more behind its end that could not be stored before', async () => {
    const gone = await startRedis();
    // What it is asked without a connection fails at once.
    const client: RedisClient = createClient({ url: gone.url, disableOfflineQueue: true }).on('error', () => undefined);
    clients.push(client);
    let asked = 0;
    let isOver = false;
    const send = client.sendCommand.bind(client);
    client.sendCommand = (command) => {
      asked += 1;
      return send(command);
    };
    const log = redisEventLog(client, { key: 'gone' });
    await log.start();
    await gone.kill();
    const askedOften = async (times: number): Promise<string> => {
      const before = asked;
      while (!isOver && asked < before + times) await new Promise((resolve) => setTimeout(resolve, 5));
      return 'is asked on';
    };
    const outcome = log.append([{ key: 'k', path: 'notes', event: 'created', text: '{}', targets: [], at: 0 }]).then(
      () => 'is stored',
      () => 'is given up',
    );
    await askedOften(2);
    await log.stop();
    const ends = await Promise.race([outcome, askedOften(3)]);
    isOver = true;
    expect(ends).toBe('is given up');
  });
});
