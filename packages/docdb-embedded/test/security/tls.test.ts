import { createPrivateKey } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect as connectTcp, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient, type MongoClientOptions, type ServerHeartbeatFailedEvent } from 'mongodb';
import { DocDbServer } from '../../src/index.ts';
import { makeCertificate, type Certificate } from './certificates.ts';

let folder: string;
let server: DocDbServer;
/** Of the server, which is its own authority, and of a client that it has signed for. */
let own: Certificate;
let ofClient: Certificate;
const file = (name: string): string => join(folder, name);

/** @returns what keeps a client from a server, as it is told of it first: it would try again until its time is over */
async function refusalOf(uri: string, options: MongoClientOptions): Promise<Error> {
  const client = new MongoClient(uri, options);
  const failed = once(client, 'serverHeartbeatFailed') as Promise<[ServerHeartbeatFailedEvent]>;
  const connected = client.connect();
  connected.catch(() => undefined);
  const refused = await Promise.race([failed, connected]);
  await client.close();
  if (refused === client) throw new Error('The server has let the client in');
  const [{ failure }] = await failed;
  return failure;
}

describe('a server with a certificate', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'docdb-tls-'));
    own = await makeCertificate('test');
    ofClient = await makeCertificate('client', own);
    writeFileSync(file('ca.pem'), own.cert);
    writeFileSync(file('ca.key'), own.key);
    server = await DocDbServer.start({ tls: { certFile: file('ca.pem'), keyFile: file('ca.key') }, auth: { user: 'ann', password: 'pw' } });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  it('talks with clients that trust it', async () => {
    const client = await new MongoClient(server.uri, { tlsCAFile: file('ca.pem'), auth: { username: 'ann', password: 'pw' } }).connect();
    await client
      .db('app')
      .collection('notes')
      .insertMany(Array.from({ length: 2000 }, (_, n) => ({ n, text: 'x'.repeat(500) })));
    expect(await client.db('app').collection('notes').find().toArray()).toHaveLength(2000);
    await client.close();
  });

  it('talks with one whose greeting comes byte by byte', async () => {
    const greeting = await new Promise<Buffer>((resolve) => {
      const other = createTcpServer((socket) => {
        socket.once('data', (bytes) => {
          resolve(bytes);
          socket.destroy();
          other.close();
        });
      }).listen(0, '127.0.0.1', () => {
        connectTls((other.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
      });
    });
    const socket = connectTcp(server.port, '127.0.0.1').setNoDelay();
    // Who takes the first byte for a greeting of the wire protocol waits for the rest of that, and ends the connection.
    const first = new Promise<Buffer | undefined>((resolve) => {
      socket.once('data', resolve).once('close', () => {
        resolve(undefined);
      });
    });
    for (const byte of greeting.subarray(0, 6)) {
      await new Promise((resolve) => socket.write(Buffer.of(byte), resolve));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    socket.write(greeting.subarray(6));
    // The record of a handshake.
    expect((await first)?.[0]).toBe(0x16);
    socket.destroy();
  });

  it('counts what clients have sent once, also when they are gone', async () => {
    const auth = { username: 'ann', password: 'pw' };
    const watcher = await new MongoClient(server.uri, { tlsCAFile: file('ca.pem'), auth }).connect();
    const received = async (): Promise<number> => Number((await watcher.db('admin').command({ serverStatus: 1 })).network.bytesIn);
    const before = await received();
    const client = await new MongoClient(server.uri, { tlsCAFile: file('ca.pem'), auth }).connect();
    await client
      .db('app')
      .collection('counted')
      .insertOne({ text: 'x'.repeat(1_000_000) });
    const meanwhile = await received();
    expect(meanwhile - before).toBeGreaterThan(1_000_000);
    expect(meanwhile - before).toBeLessThan(1_500_000);
    await client.close();
    expect(await received()).toBeGreaterThan(meanwhile);
    await watcher.close();
  });

  it('tells plain clients why it does not talk with them', async () => {
    expect((await refusalOf(server.uri.replace('&tls=true', ''), {})).message).toContain('connect with tls=true');
  });

  it('ends plain connections with something else', async () => {
    const ended = (bytes: Buffer): Promise<boolean> =>
      new Promise((resolve) => {
        const socket = connectTcp(server.port, '127.0.0.1', () => socket.write(bytes));
        socket
          .on('error', () => undefined)
          .once('close', () => {
            resolve(true);
          });
      });
    expect(await Promise.all([Buffer.from('GET / HTTP/1.1\r\n\r\n'), Buffer.alloc(70_000, 1)].map(ended))).toEqual([true, true]);
  });

  it('keeps no more of a plain connection than a greeting has', async () => {
    const socket = connectTcp(server.port, '127.0.0.1').on('error', () => undefined);
    const long = Buffer.alloc(1000);
    long.writeInt32LE(48_000_000, 0);
    let sent = 0;
    for (; sent < 5_000_000 && !socket.destroyed; sent += long.length) {
      await new Promise((resolve) => socket.write(sent === 0 ? long : Buffer.alloc(long.length), resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
    socket.destroy();
    expect(sent).toBeLessThan(5_000_000);
  });

  it('asks for certificates of clients when it has an authority for them', async () => {
    const strict = await DocDbServer.start({ tls: { certFile: file('ca.pem'), keyFile: file('ca.key'), caFile: file('ca.pem') } });
    const tls = { tlsCAFile: file('ca.pem') };
    const known = await new MongoClient(strict.uri, { ...tls, cert: ofClient.cert, key: ofClient.key }).connect();
    expect(await known.db('admin').command({ ping: 1 })).toMatchObject({ ok: 1 });
    await known.close();
    expect(await refusalOf(strict.uri, tls)).toBeInstanceOf(Error);
    const stranger = await makeCertificate('x');
    expect(await refusalOf(strict.uri, { ...tls, cert: stranger.cert, key: stranger.key })).toBeInstanceOf(Error);
    await strict.stop();
  });

  it('does not start with what is no certificate', async () => {
    await expect(DocDbServer.start({ tls: { certFile: file('none'), keyFile: file('ca.key') } })).rejects.toThrow(
      'tls.certFile can not be read',
    );
    await expect(DocDbServer.start({ tls: { certFile: file('ca.key'), keyFile: file('ca.key') } })).rejects.toThrow(
      'tls.certFile has no certificate (PEM): name one with that of the server',
    );
  });

  it.each<[string, () => string | Buffer, string]>([
    ...(['pkcs8', 'sec1'] as const).map((type): [string, () => string | Buffer, string] => [
      `has a passphrase, in the form ${type}`,
      () => createPrivateKey(own.key).export({ type, format: 'pem', cipher: 'aes-256-cbc', passphrase: 'abc' }),
      'has a passphrase: write one without by `openssl pkey -in key.pem -out plain.pem`',
    ]),
    ['is that of another certificate', () => ofClient.key, 'is not that of the first certificate in the file of tls.certFile'],
    ['is a certificate', () => own.cert, 'can not be used, it has to be a private key (PEM)'],
    ['is empty', () => '', 'can not be used, it has to be a private key (PEM)'],
  ])('does not start with a key that %s, and says so', async (_what, key, message) => {
    writeFileSync(file('other.key'), key());
    const tls = { certFile: file('ca.pem'), keyFile: file('other.key') };
    await expect(DocDbServer.start({ tls })).rejects.toThrow(`The key of tls.keyFile ${message}`);
  });

  it('starts with one file that has the certificate and its key', async () => {
    writeFileSync(file('both.pem'), `${own.cert}\n${own.key}`);
    const tls = { certFile: file('both.pem'), keyFile: file('both.pem') };
    const both = await DocDbServer.start({ tls });
    const client = await new MongoClient(both.uri, { tlsCAFile: file('ca.pem') }).connect();
    expect(await client.db('admin').command({ ping: 1 })).toMatchObject({ ok: 1 });
    await client.close();
    await both.stop();
  });

  it.each(['certFile', 'keyFile', 'caFile'])(
    'does not start with a text in the place of the path of %s, and does not show it',
    async (name) => {
      const tls = { certFile: file('ca.pem'), keyFile: file('ca.key'), [name]: name === 'keyFile' ? own.key : own.cert };
      for (const start of [DocDbServer.start({ tls }), DocDbServer.spawn({ tls })]) {
        const error = await start.then(
          () => new Error('it has started'),
          (reason: unknown) => reason as Error,
        );
        expect(error.message).toContain(`tls.${name} takes the path of a file`);
        expect(error.message).not.toContain('BEGIN');
      }
    },
  );

  it.each([
    ['is empty', '', 'has no certificate'],
    ['has a key and no certificate', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n', 'has no certificate'],
    ['is cut off', '-----BEGIN CERTIFICATE-----\nMIIB', 'has no certificate'],
    ['has what is none', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', 'can not be used'],
  ])('does not start with an authority for clients whose file %s', async (_what, text, message) => {
    writeFileSync(file('authority.pem'), text);
    const tls = { certFile: file('ca.pem'), keyFile: file('ca.key'), caFile: file('authority.pem') };
    await expect(DocDbServer.start({ tls })).rejects.toThrow(message);
  });
});
