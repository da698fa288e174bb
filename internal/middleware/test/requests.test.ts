// Packages that read or change requests: multer, express-validator, hpp, method-override, express-rate-limit.
import { expect, it } from '@jest/globals';
import type { HookContext } from '@framework/core';
import { BadRequest } from '@framework/errors';
import rateLimit from 'express-rate-limit';
import { body, validationResult } from 'express-validator';
import hpp from 'hpp';
import methodOverride from 'method-override';
import multer from 'multer';
import { notes, send, serve, use, type AnyMiddleware } from './harness.ts';

const files = {
  async create(data: object, params: { file?: { originalname: string; size: number } }) {
    return { id: 1, ...data, name: params.file?.originalname, size: params.file?.size };
  },
};

it('multer gives a service the file of an upload, and its limits answer 413', async () => {
  const upload = multer({ limits: { fileSize: 1000 } });
  const { url } = await serve(
    () => undefined,
    (app) => {
      const take: AnyMiddleware = (req, _res, next) => {
        req.framework = { ...req.framework, file: req.file };
        next();
      };
      (app.use as AnyMiddleware)('files', upload.single('file'), take, files);
    },
  );
  const form = (size: number): FormData => {
    const data = new FormData();
    data.set('title', 'a');
    data.set('file', new Blob(['x'.repeat(size)]), 'a.txt');
    return data;
  };
  await expect(send(`${url}/files`, { method: 'POST', body: form(900) })).resolves.toMatchObject({
    status: 201,
    body: { id: 1, title: 'a', name: 'a.txt', size: 900 },
  });
  await expect(send(`${url}/files`, { method: 'POST', body: form(2000) })).resolves.toMatchObject({ status: 413, body: { code: 413 } });
});

it('express-validator checks a body in front of a service', async () => {
  const { url } = await serve(
    () => undefined,
    (app) => {
      const check: AnyMiddleware = (req, _res, next) => {
        const result = validationResult(req);
        next(result.isEmpty() ? undefined : new BadRequest('Invalid', { errors: result.array() }));
      };
      (app.use as AnyMiddleware)('checked', body('text').isString().trim().isLength({ min: 3 }), check, notes);
    },
  );
  await expect(send(`${url}/checked`, { data: { text: '  long enough ' } })).resolves.toMatchObject({
    status: 201,
    body: { text: 'long enough' },
  });
  await expect(send(`${url}/checked`, { data: { text: 'a' } })).resolves.toMatchObject({
    status: 400,
    body: { message: 'Invalid', errors: [{ path: 'text', location: 'body' }] },
  });
});

it('hpp changes a query for services as it does for a route of Express', async () => {
  const { app, url } = await serve((inner) => {
    use(inner, hpp());
    inner.get('/plain', (req, res) => {
      res.json({ ...req.query });
    });
  });
  expect(app).toBeDefined();
  const [plain, service] = [await send(`${url}/plain?a=1&a=2`), await send(`${url}/notes?a=1&a=2`)];
  expect(plain.status).toBe(200);
  expect(service.body[0].query).toEqual(plain.body);
});

it('method-override turns a POST into the method that the header names', async () => {
  const { url } = await serve((app) => use(app, methodOverride('X-HTTP-Method-Override')));
  const headers = { 'X-HTTP-Method-Override': 'PATCH' };
  await expect(send(`${url}/notes/4`, { data: { a: 1 }, headers })).resolves.toMatchObject({
    status: 200,
    body: { id: '4', patched: { a: 1 } },
  });
  await expect(send(`${url}/notes/4`, { data: { a: 1 }, headers: { 'X-HTTP-Method-Override': 'DELETE' } })).resolves.toMatchObject({
    status: 405,
  });
});

it.each([undefined, '/notes'])('express-rate-limit answers 429 itself, and counts what services answer (path: %s)', async (path) => {
  const limiter = rateLimit({ windowMs: 60_000, limit: 2, standardHeaders: 'draft-7', legacyHeaders: false });
  let calls = 0;
  const { url } = await serve(
    (app) => (path === undefined ? use(app, limiter) : use(app, path, limiter)),
    (app) => {
      app.use('notes', notes);
      const count = (_context: HookContext): void => {
        calls += 1;
      };
      app.service('notes').hooks({ before: { all: [count] } });
    },
  );
  for (const left of [1, 0]) {
    const { status, headers } = await send(`${url}/notes/1`);
    expect({ status, limit: headers.get('ratelimit') }).toEqual({ status: 200, limit: expect.stringContaining(`remaining=${left}`) });
  }
  await expect(send(`${url}/notes/1`)).resolves.toMatchObject({ status: 429 });
  expect(calls).toBe(2);
  await expect(send(`${url}/slow/1`)).resolves.toMatchObject({ status: path === undefined ? 429 : 200 });
});
