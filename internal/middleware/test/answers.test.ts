// Packages that watch or change answers: compression, response-time, helmet, connect-timeout, swagger-ui-express, http-proxy-middleware.
import { expect, it } from '@jest/globals';
import compression from 'compression';
import timeout from 'connect-timeout';
import helmet from 'helmet';
import { createProxyMiddleware } from 'http-proxy-middleware';
import responseTime from 'response-time';
import swaggerUi from 'swagger-ui-express';
import { send, serve, use } from './harness.ts';

it('helmet sets its headers on answers and errors', async () => {
  const { url } = await serve((app) => use(app, helmet()));
  for (const [path, status] of [
    ['/notes/1', 200],
    ['/slow/fails', 500],
    ['/nothing', 404],
  ] as const) {
    const answer = await send(url + path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(answer.headers.get('strict-transport-security')).toContain('max-age');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  }
});

it('compression compresses answers, and leaves out what a client does not take', async () => {
  const { url } = await serve((app) => use(app, compression({ threshold: 0 })));
  const packed = await send(`${url}/notes/1`, { headers: { 'accept-encoding': 'gzip' } });
  expect(packed.headers.get('content-encoding')).toBe('gzip');
  expect(packed.headers.get('vary')).toContain('Accept-Encoding');
  expect(packed.body).toMatchObject({ id: '1' });
  const plain = await send(`${url}/notes/1`, { headers: { 'accept-encoding': 'identity' } });
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(plain.text).toBe(packed.text);
});

it('response-time measures services', async () => {
  const { url } = await serve((app) => use(app, responseTime()));
  const { headers } = await send(`${url}/slow/1`);
  expect(Number.parseFloat(headers.get('x-response-time') ?? '')).toBeGreaterThan(100);
});

it.each([
  ['in front', false],
  ['behind a layer with a path, which Express’s router takes', true],
])('connect-timeout %s: the application’s own error handler answers, and the late answer changes nothing', async (_where, withPath) => {
  const { url } = await serve((app) => {
    use(app, timeout('50ms'));
    if (withPath) use(app, '/slow', (_req: unknown, _res: unknown, next: () => void) => next());
  });
  const late = await send(`${url}/slow/1`);
  expect(late.status).toBeGreaterThanOrEqual(500);
  expect(late.body).toMatchObject({ name: expect.any(String), data: { correlationId: expect.any(String) } });
  await expect(send(`${url}/notes/1`)).resolves.toMatchObject({ status: 200 });
});

it('swagger-ui-express shows a document beside services', async () => {
  const document = { openapi: '3.0.0', info: { title: 'Notes', version: '1' }, paths: {} };
  const { url } = await serve((app) => use(app, '/docs', ...(swaggerUi.serve as never[]), swaggerUi.setup(document) as never));
  const page = await send(`${url}/docs/`, { headers: { accept: 'text/html' } });
  expect({ status: page.status, ui: page.text.includes('swagger-ui') }).toEqual({ status: 200, ui: true });
  const script = await send(`${url}/docs/swagger-ui-init.js`);
  expect(script.text).toContain('Notes');
  await expect(send(`${url}/notes/1`)).resolves.toMatchObject({ status: 200 });
});

it('http-proxy-middleware hands requests on to services of another application', async () => {
  const behind = await serve(() => undefined);
  const { url } = await serve((app) => use(app, '/remote', createProxyMiddleware({ target: behind.url, changeOrigin: true })));
  await expect(send(`${url}/remote/notes/7`)).resolves.toMatchObject({ status: 200, body: { id: '7' } });
  await expect(send(`${url}/remote/notes`, { data: { text: 'a' } })).resolves.toMatchObject({ status: 201, body: { id: 1, text: 'a' } });
  await expect(send(`${url}/remote/nothing`)).resolves.toMatchObject({ status: 404 });
  await expect(send(`${url}/notes/1`)).resolves.toMatchObject({ status: 200 });
});
