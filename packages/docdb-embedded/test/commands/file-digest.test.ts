import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Binary, GridFSBucket, type Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(() => harness.db.dropDatabase());

const digest = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');
const ask = (id: unknown, fields: Document = {}): Promise<Document> => harness.db.command({ filemd5: id, ...fields });
const piece = (n: unknown, data: unknown): Document => ({ files_id: 'a', n, data });

describe('the digest of a file', () => {
  it.each([[undefined], ['images']])('is that of its pieces in their order, in the bucket %s', async (bucketName) => {
    const bytes = Buffer.from(Array.from({ length: 10_000 }, (_, at) => at % 251));
    const bucket = new GridFSBucket(harness.db, { chunkSizeBytes: 1000, ...(bucketName === undefined ? {} : { bucketName }) });
    const upload = bucket.openUploadStream('file');
    upload.end(bytes);
    await once(upload, 'finish');
    expect(await ask(upload.id, { root: bucketName })).toMatchObject({ numChunks: 10, md5: digest(bytes) });
  });

  it('is that of nothing where there is no such file', async () => {
    const empty = { numChunks: 0, md5: digest(Buffer.alloc(0)) };
    expect(await ask('none')).toMatchObject(empty);
    await harness.db.collection('fs.chunks').insertOne(piece(0, Buffer.from('a')));
    expect(await ask('none')).toMatchObject(empty);
  });

  it('leaves out the length that old binary data has before it', async () => {
    const old = new Binary(Buffer.from('a'), 2);
    await harness.db.collection('fs.chunks').insertMany([piece(1, Buffer.from('b')), piece(0, old)]);
    expect(await ask('a')).toMatchObject({ numChunks: 2, md5: digest(Buffer.from('ab')) });
  });

  it.each<[string, Document, number]>([
    ['a piece that is missing', piece(2, Buffer.from('c')), 10040],
    ['a piece without a number', piece('1', Buffer.from('c')), 10040],
    ['a piece of text', piece(1, 'c'), 50985],
  ])('is refused for %s', async (_what, wrong, code) => {
    await harness.db.collection('fs.chunks').insertMany([piece(0, Buffer.from('a')), wrong]);
    await expect(ask('a')).rejects.toMatchObject({ code });
  });

  it.each([[{ partialOk: true }], [{ md5state: Buffer.alloc(88) }]])('is not of a part of a file (%j)', async (fields) => {
    await expect(ask('a', fields)).rejects.toMatchObject({ code: 72 });
  });
});
