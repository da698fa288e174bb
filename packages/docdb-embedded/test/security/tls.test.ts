import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { DocDbServer } from '../../src/index.ts';
import { leftOut } from '../harness.ts';

let folder: string;
let server: DocDbServer;
const file = (name: string): string => join(folder, name);
const openssl = (...args: string[]): Buffer => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
const hasOpenssl = ((): boolean => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'pipe' });
    return true;
  } catch {
    leftOut('openssl, which makes certificates, is not installed: nothing was tried with TLS');
    return false;
  }
})();

/** A certificate of its own authority, and one of a client. */
function makeCertificates(): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=test',
    '-days',
    '2',
    '-addext',
    'subjectAltName=IP:127.0.0.1',
  );
  openssl('req', ...key, '-keyout', 'client.key', '-out', 'client.csr', '-subj', '/CN=client');
  openssl('x509', '-req', '-in', 'client.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-out', 'client.pem', '-days', '2');
}

(hasOpenssl ? describe : describe.skip)('a server with a certificate', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'docdb-tls-'));
    makeCertificates();
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

  it('tells plain clients why it does not talk with them', async () => {
    const client = new MongoClient(server.uri.replace('&tls=true', ''), { serverSelectionTimeoutMS: 1000 });
    await expect(client.connect()).rejects.toThrow('connect with tls=true');
  });

  it('ends plain connections with something else', async () => {
    for (const bytes of [Buffer.from('GET / HTTP/1.1\r\n\r\n'), Buffer.alloc(70_000, 1)]) {
      const ended = await new Promise<boolean>((resolve) => {
        const socket = connectTcp(server.port, '127.0.0.1', () => socket.write(bytes));
        socket
          .on('error', () => undefined)
          .once('close', () => {
            resolve(true);
          });
      });
      expect(ended).toBe(true);
    }
  });

  it('asks for certificates of clients when it has an authority for them', async () => {
    const strict = await DocDbServer.start({ tls: { certFile: file('ca.pem'), keyFile: file('ca.key'), caFile: file('ca.pem') } });
    openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'own.key', '-out', 'own.pem', '-subj', '/CN=x', '-days', '2');
    const tls = { tlsCAFile: file('ca.pem'), serverSelectionTimeoutMS: 1000 };
    const known = await new MongoClient(strict.uri, {
      ...tls,
      cert: openssl('x509', '-in', 'client.pem'),
      key: openssl('pkey', '-in', 'client.key'),
    }).connect();
    expect(await known.db('admin').command({ ping: 1 })).toMatchObject({ ok: 1 });
    await known.close();
    await expect(new MongoClient(strict.uri, tls).connect()).rejects.toThrow();
    const stranger = { ...tls, cert: openssl('x509', '-in', 'own.pem'), key: openssl('pkey', '-in', 'own.key') };
    await expect(new MongoClient(strict.uri, stranger).connect()).rejects.toThrow();
    await strict.stop();
  });

  it('does not start with what is no certificate', async () => {
    await expect(DocDbServer.start({ tls: { certFile: file('none'), keyFile: file('ca.key') } })).rejects.toThrow(
      'tls.certFile can not be read',
    );
    await expect(DocDbServer.start({ tls: { certFile: file('ca.key'), keyFile: file('ca.key') } })).rejects.toThrow('can not be used');
  });

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
