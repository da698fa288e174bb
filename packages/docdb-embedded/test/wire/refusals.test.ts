import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

describe('a client that asks for what is off', () => {
  it('is told that TLS is, and does not wait for an answer', async () => {
    const error = await new Promise<NodeJS.ErrnoException>((resolve) => {
      connect({ port: harness.server.port, host: '127.0.0.1', rejectUnauthorized: false }).once('error', resolve);
    });
    expect(error.code).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
  });

  it('is told that passwords are', async () => {
    const url = harness.server.uri.replace('mongodb://', 'mongodb://ann:secret@');
    const error = await new MongoClient(url).connect().catch((reason: unknown) => reason as { code: unknown; message: string });
    expect(error).toMatchObject({ code: 18, message: expect.stringContaining('leave user and password out of the URL') });
  });
});
