import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Params } from '@framework/core';
import { UnsupportedMediaType } from '@framework/errors';
import multer from 'multer';
import { send, start, type Running } from './harness.ts';

let running: Running;
let url: string;
let open = 0;
beforeAll(async () => {
  const upload = multer({
    limits: { fileSize: 10_000, files: 2, fields: 3, fieldSize: 100, parts: 5 },
    fileFilter: (_req, file, accept) => {
      if (file.mimetype === 'image/png') accept(null, true);
      else accept(new UnsupportedMediaType('Only PNG images are taken'));
    },
  });
  running = await start((app) => {
    app.use(
      'images',
      (req, res, next) => {
        open += 1;
        res.once('close', () => (open -= 1));
        next();
      },
      upload.array('image'),
      (req, _res, next) => {
        req.framework = { ...req.framework, files: req.files };
        next();
      },
      {
        async create(data: object, params: Params) {
          const { files } = params as { files?: Express.Multer.File[] };
          return { data, files: (files ?? []).map(({ originalname, size, path }) => ({ originalname, size, path })) };
        },
      },
    );
    app.use('plain', { create: async (data: object) => data });
  });
  url = running.url;
});
afterAll(() => running.stop());

const BOUNDARY = 'xxxxxxxx';

function part(name: string, content: string, file?: string, type = 'image/png'): string {
  const disposition = `form-data; name="${name}"${file === undefined ? '' : `; filename="${file}"`}`;
  return `--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\n${file === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n${content}\r\n`;
}

function post(path: string, body: string, end = `--${BOUNDARY}--\r\n`): ReturnType<typeof send> {
  return send(url, path, { method: 'POST', headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }, body: body + end });
}

describe('S43 uploads', () => {
  it('reach a service by middleware in front of it', async () => {
    const answer = await post('/images', part('title', 'a cat') + part('image', 'meow', 'cat.png'));
    expect(answer).toMatchObject({ status: 201, body: { data: { title: 'a cat' }, files: [{ originalname: 'cat.png', size: 4 }] } });
  });

  it('are 415 without it', async () => {
    expect((await post('/plain', part('image', 'meow', 'cat.png'))).status).toBe(415);
  });

  it.each([
    ['a file that is too large', part('image', 'x'.repeat(10_001), 'a.png'), 413],
    ['a field that is too large', part('title', 'x'.repeat(101)), 413],
    ['too many files', ['a', 'b', 'c'].map((name) => part('image', 'x', `${name}.png`)).join(''), 400],
    ['too many fields', ['a', 'b', 'c', 'd'].map((name) => part(name, 'x')).join(''), 400],
    ['a file in a field that takes none', part('other', 'x', 'a.png'), 400],
    ['a file of another type', part('image', 'x', 'a.html', 'text/html'), 415],
  ])('%s is refused', async (_what, body, status) => {
    const answer = await post('/images', body);
    expect([answer.status, answer.body?.code]).toEqual([status, status]);
  });

  it.each([
    ['cut off', part('image', 'x', 'a.png'), ''],
    ['without parts', 'nothing', ''],
    ['with a header that is none', `--${BOUNDARY}\r\nno header\r\n\r\nx\r\n`, undefined],
  ])('a malformed body, %s, is never a fault of the server', async (_what, body, end) => {
    expect((await post('/images', body, end)).status).toBeLessThan(500);
    const headers = { 'content-type': 'multipart/form-data' };
    expect((await send(url, '/images', { method: 'POST', headers, body })).status).toBe(400);
  });

  it('never take a path from the client', async () => {
    for (const name of ['../../etc/passwd', '..\\\\..\\\\x', '/etc/passwd', 'a\0b']) {
      const { status, body } = await post('/images', part('image', 'x', name));
      if (name.includes('\0')) {
        expect([name, status]).toEqual([name, 400]);
        continue;
      }
      const [file] = body.files as { originalname: string; path?: string }[];
      expect([name, status, file?.path]).toEqual([name, 201, undefined]);
      expect(file?.originalname).toMatch(/^[^/\\]+$/);
    }
  });

  it('that are aborted leave nothing behind', async () => {
    const { port } = new URL(url);
    for (let round = 0; round < 50; round++) {
      await new Promise<void>((resolve) => {
        const request = http.request({
          port,
          path: '/images',
          method: 'POST',
          agent: false,
          headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
        });
        request.on('error', () => resolve());
        request.write(part('image', 'x'.repeat(5000), 'a.png').slice(0, -2));
        setTimeout(() => request.destroy(new Error('gone')), 5);
      });
    }
    for (let wait = 0; wait < 500 && open > 0; wait++) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(open).toBe(0);
    expect((await post('/images', part('image', 'meow', 'cat.png'))).status).toBe(201);
  });
});
