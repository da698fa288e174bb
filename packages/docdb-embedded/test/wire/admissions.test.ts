import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Long, type Document } from 'mongodb';
import { DocDbServer } from '../../src/index.ts';
import { WireClient } from '../wire-client.ts';

let server: DocDbServer;
/** It is there before anything is limited. */
let early: WireClient;
beforeEach(async () => {
  server = await DocDbServer.start();
  early = await WireClient.connect(server);
});
afterEach(async () => {
  early.close();
  await server.stop();
});

const NAME = 'ingressConnectionEstablishment';
const limit = (settings: Document): Promise<Document> =>
  early.ask('admin', { setParameter: 1, ...Object.fromEntries(Object.entries(settings).map(([key, value]) => [`${NAME}${key}`, value])) });
const ping = (client: WireClient): Promise<Document> => client.ask('admin', { ping: 1 });
const connections = async (): Promise<Document> => (await early.ask('admin', { serverStatus: 1 })).connections as Document;

describe('connections that begin too fast', () => {
  it('are let in when nothing is limited', async () => {
    expect(await limit({ RatePerSec: 1, BurstCapacitySecs: 0.001 })).toMatchObject({ ok: 1 });
    const clients = await Promise.all(Array.from({ length: 5 }, () => WireClient.connect(server)));
    expect(await Promise.all(clients.map(ping))).toEqual(clients.map(() => ({ ok: 1 })));
    for (const client of clients) client.close();
  });

  it('wait for their turn, and are sent away when too many wait', async () => {
    await limit({ RateLimiterEnabled: true, RatePerSec: 1, BurstCapacitySecs: 0.001, MaxQueueDepth: 1 });
    const [first, second] = await Promise.all([WireClient.connect(server), WireClient.connect(server)]);
    const answer = ping(first);
    await second.ended();
    const one = Long.fromNumber(1);
    expect(await connections()).toMatchObject({ rejected: 1, queuedForEstablishment: one, establishmentRateLimit: { rejected: one } });
    expect(await answer).toEqual({ ok: 1 });
    expect(await connections()).toMatchObject({ queuedForEstablishment: Long.ZERO });
    first.close();
  });

  it('have what was saved up while nobody came', async () => {
    await limit({ RateLimiterEnabled: true, RatePerSec: 1, BurstCapacitySecs: 3 });
    const clients = await Promise.all(Array.from({ length: 4 }, () => WireClient.connect(server)));
    await clients.pop()?.ended();
    expect(await Promise.all(clients.map(ping))).toEqual([{ ok: 1 }, { ok: 1 }, { ok: 1 }]);
    for (const client of clients) client.close();
  });

  it.each([
    [{ RatePerSec: 0 }, 2],
    [{ BurstCapacitySecs: 0 }, 2],
    [{ BurstCapacitySecs: 'much' }, 2],
    [{ MaxQueueDepth: -1 }, 2],
    [{ RateLimiterBypass: {} }, 72],
  ])('can not be limited by %j', async (settings, code) => {
    expect(await limit(settings)).toMatchObject({ ok: 0, code });
  });

  it('are not limited at first', async () => {
    const names = ['RateLimiterEnabled', 'RatePerSec', 'BurstCapacitySecs', 'MaxQueueDepth'].map((name) => `${NAME}${name}`);
    const shown = await early.ask('admin', { getParameter: 1, ...Object.fromEntries(names.map((name) => [name, 1])) });
    expect(names.map((name) => shown[name] as unknown)).toEqual([false, 2 ** 31 - 1, Number.MAX_VALUE, 0]);
  });
});
