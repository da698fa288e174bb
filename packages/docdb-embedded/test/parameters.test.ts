import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Long, type Document } from 'mongodb';
import { start, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

const admin = (command: Document): Promise<Document> => harness.client.db('admin').command(command);
const logged = async (): Promise<Document[]> =>
  ((await admin({ getLog: 'global' })).log as string[]).map((line) => JSON.parse(line) as Document);
const lines = async (message: string): Promise<Document[]> => (await logged()).filter(({ msg }) => msg === message);

describe('parameters', () => {
  it('say what they were, and are changed all or none', async () => {
    expect(await admin({ setParameter: 1, logLevel: 2, quiet: 'yes' })).toMatchObject({ was: 0 });
    expect(await admin({ setParameter: 1, logLevel: true })).toMatchObject({ was: 2 });
    expect(await admin({ setParameter: 1, quiet: 0, logLevel: 0.7 })).toMatchObject({ was: true });
    await expect(admin({ setParameter: 1, logLevel: 3, quiet: true, nope: 1 })).rejects.toMatchObject({ code: 72 });
    await expect(admin({ setParameter: 1, logLevel: 'much' })).rejects.toMatchObject({ code: 2 });
    await expect(admin({ setParameter: 1, logLevel: 6 })).rejects.toMatchObject({ code: 2 });
    expect(await admin({ getParameter: 1, logLevel: 1, quiet: 1 })).toMatchObject({ logLevel: 0, quiet: false });
  });

  it('are refused when there is none, when they stay as they are, and beside another database', async () => {
    await expect(admin({ setParameter: 1 })).rejects.toMatchObject({ code: 72 });
    await expect(admin({ setParameter: 1, comment: 'a' })).rejects.toMatchObject({ code: 72 });
    await expect(admin({ setParameter: 1, enableTestCommands: false })).rejects.toMatchObject({ code: 20 });
    await expect(admin({ setParameter: 1, toString: 1 })).rejects.toMatchObject({ code: 72 });
    await expect(harness.db.command({ setParameter: 1, quiet: true })).rejects.toMatchObject({ code: 13 });
    const details = { showDetails: true, allParameters: true };
    const all = await admin({ getParameter: details });
    expect(all.quiet).toMatchObject({ settableAtRuntime: true });
    expect(all.enableTestCommands).toMatchObject({ settableAtRuntime: false });
  });

  it('have a level for each part of the server, and one for all that has two names', async () => {
    const levels = async (): Promise<Document> =>
      (await admin({ getParameter: 1, logComponentVerbosity: 1 })).logComponentVerbosity as Document;
    expect(await levels()).toMatchObject({ verbosity: 0, command: { verbosity: -1 }, network: { verbosity: -1, asio: { verbosity: -1 } } });
    const before = (await lines('About to run the command')).length;
    const { was } = await admin({
      setParameter: 1,
      logComponentVerbosity: { command: 1, network: { verbosity: 3, asio: { verbosity: 2 } } },
    });
    expect(was).toMatchObject({ command: { verbosity: -1 } });
    await harness.db.command({ ping: 1 });
    expect((await lines('About to run the command')).length).toBeGreaterThan(before);
    await expect(admin({ setParameter: 1, logComponentVerbosity: { command: 0, none: { verbosity: 1 } } })).rejects.toMatchObject({
      code: 2,
    });
    await expect(admin({ setParameter: 1, logComponentVerbosity: { command: { verbosity: 6 } } })).rejects.toMatchObject({ code: 2 });
    expect(await levels()).toMatchObject({ command: { verbosity: 1 }, network: { verbosity: 3, asio: { verbosity: 2 } } });
    await admin({ setParameter: 1, logComponentVerbosity: { verbosity: 2, command: { verbosity: 0 } } });
    expect(await admin({ getParameter: 1, logLevel: 1 })).toMatchObject({ logLevel: 2 });
    const silent = (await lines('About to run the command')).length;
    await harness.db.command({ ping: 1 });
    expect(await lines('About to run the command')).toHaveLength(silent);
    await admin({ setParameter: 1, logLevel: 0 });
    await admin({ setParameter: 1, logComponentVerbosity: { command: -1, network: { verbosity: -1, asio: -1 } } });
    expect(await levels()).toMatchObject({ verbosity: 0, command: { verbosity: -1 }, network: { asio: { verbosity: -1 } } });
  });

  it('decide what the log has, of which the newest lines are kept', async () => {
    const earlier = (await lines('About to run the command')).length;
    await admin({ setParameter: 1, logLevel: 1 });
    await harness.db.collection('items').insertOne({ long: Long.fromString('9007199254740993'), text: 'x'.repeat(5000) });
    await admin({ setParameter: 1, logLevel: 0 });
    await harness.db.command({ ping: 1 });
    // The driver asks how the server is doing whenever it likes.
    const commands = (await lines('About to run the command'))
      .slice(earlier)
      .map(({ attr }) => attr as Document)
      .filter(({ commandArgs }) => !String(commandArgs).startsWith('{"hello"'));
    expect(commands.map(({ db, commandArgs }) => `${String(db)} ${String(commandArgs).slice(0, 10)}`)).toEqual([
      'test {"insert":',
      'admin {"setParam',
    ]);
    expect(commands[0]?.commandArgs).toHaveLength(1001);
    await admin({ setParameter: 1, logLevel: 1 });
    await admin({ saslStart: 1, mechanism: 'PLAIN', payload: 'a secret' }).catch(() => undefined);
    await admin({ hello: 1, speculativeAuthenticate: { payload: 'a secret' } });
    await admin({ setParameter: 1, logLevel: 0 });
    expect(JSON.stringify(await logged())).toContain('saslStart');
    expect(JSON.stringify(await logged())).not.toContain('a secret');
    const isOfDriver = (line: Document): boolean => JSON.stringify(line).includes('nodejs');
    expect((await lines('client metadata')).filter(isOfDriver)).not.toHaveLength(0);
    const clients = async (): Promise<number> => (await lines('client metadata')).filter((line) => !isOfDriver(line)).length;
    expect(await clients()).toBe(0);
    await harness.db.command({ hello: 1, client: { long: Long.fromString('9007199254740993') } });
    expect(await clients()).toBe(1);
    await admin({ setParameter: 1, quiet: true });
    await harness.db.command({ hello: 1, client: { driver: {} } });
    expect(await clients()).toBe(1);
    await admin({ setParameter: 1, logLevel: 1 });
    for (let i = 0; i < 1100; i += 1) await harness.db.command({ ping: 1 });
    await admin({ setParameter: 1, logLevel: 0, quiet: false });
    const { log, totalLinesWritten } = await admin({ getLog: 'global' });
    expect(log).toHaveLength(1024);
    expect(totalLinesWritten).toBeGreaterThan(1100);
    expect((await admin({ getLog: 'startupWarnings' })).log).toHaveLength(1);
  });

  it('decide when documents expire', async () => {
    const items = harness.db.collection('expiring');
    await items.createIndex({ at: 1 }, { expireAfterSeconds: 0 });
    const gone = async (): Promise<void> => {
      while ((await items.countDocuments()) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
    };
    await admin({ setParameter: 1, ttlMonitorSleepSecs: 1 });
    await items.insertOne({ at: new Date(0) });
    await gone();
    await admin({ setParameter: 1, ttlMonitorEnabled: false });
    await items.insertOne({ at: new Date(0) });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await items.countDocuments()).toBe(1);
    await admin({ setParameter: 1, ttlMonitorEnabled: true });
    await gone();
    await admin({ setParameter: 1, ttlMonitorSleepSecs: 30 });
    expect(await items.countDocuments()).toBe(0);
  });
});
