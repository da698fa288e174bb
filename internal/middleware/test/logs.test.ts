// Packages that log and measure: morgan, pino-http, express-winston, express-prom-bundle.
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, it } from '@jest/globals';
import { requestId } from '@framework/transport-express';
import promBundle from 'express-prom-bundle';
import expressWinston from 'express-winston';
import morgan from 'morgan';
import { pinoHttp } from 'pino-http';
import { Registry } from 'prom-client';
import winston from 'winston';
import { send, serve, use } from './harness.ts';

/** Lines that are written to a stream. */
function lines(): { stream: PassThrough; next(): Promise<string> } {
  const stream = new PassThrough({ encoding: 'utf8' });
  let text = '';
  stream.on('data', (chunk: string) => {
    text += chunk;
    stream.emit('line');
  });
  return {
    stream,
    async next() {
      while (!text.includes('\n')) await once(stream, 'line');
      const [line = '', ...rest] = text.split('\n');
      text = rest.join('\n');
      return line;
    },
  };
}

it.each([
  ['/notes/1?a=1', 'GET /notes/1?a=1 200'],
  ['/slow/fails', 'GET /slow/fails 500'],
  ['/nothing', 'GET /nothing 404'],
])('morgan logs %s with status, length, type and time', async (path, beginning) => {
  const log = lines();
  const format = ':method :url :status :res[content-length] :res[content-type] :response-time ms';
  const { url } = await serve((app) => use(app, morgan(format, { stream: log.stream })));
  const { text } = await send(url + path);
  const line = await log.next();
  expect(line).toMatch(/ \d+\.\d+ ms$/);
  expect(line).toContain(`${beginning} ${Buffer.byteLength(text)} application/json; charset=utf-8 `);
});

it('pino-http logs each answer with its headers and with our id of the request, which error answers have too', async () => {
  const log = lines();
  const { url } = await serve((app) => use(app, pinoHttp({ genReqId: (req) => requestId(req) }, log.stream)));
  await send(`${url}/notes/1`, { headers: { 'x-request-id': 'abc' } });
  expect(JSON.parse(await log.next())).toMatchObject({
    req: { id: 'abc', method: 'GET', url: '/notes/1' },
    res: { statusCode: 200, headers: { 'content-type': 'application/json; charset=utf-8' } },
    msg: 'request completed',
  });
  const { body } = await send(`${url}/slow/fails`);
  expect(JSON.parse(await log.next())).toMatchObject({ req: { id: body.data.correlationId }, res: { statusCode: 500 } });
});

it('express-winston logs requests, and errors in front of the error handler', async () => {
  const [log, errors] = [lines(), lines()];
  const options = ({ stream }: { stream: PassThrough }) => ({
    transports: [new winston.transports.Stream({ stream })],
    format: winston.format.json(),
  });
  const { url } = await serve(
    (app) => use(app, expressWinston.logger({ ...options(log), meta: true, expressFormat: false, colorize: false })),
    (app) => use(app, expressWinston.errorLogger(options(errors))),
  );
  await send(`${url}/notes/1`);
  expect(JSON.parse(await log.next())).toMatchObject({ message: 'HTTP GET /notes/1', meta: { res: { statusCode: 200 } } });
  await send(`${url}/slow/fails`);
  expect(JSON.parse(await log.next())).toMatchObject({ meta: { res: { statusCode: 500 } } });
});

it('express-winston logs a service’s errors with a logger behind the services', async () => {
  const errors = lines();
  const { url } = await serve(
    () => undefined,
    (app) => {
      app.use('early', { find: () => Promise.reject(new Error('no luck')) });
      use(
        app,
        expressWinston.errorLogger({
          transports: [new winston.transports.Stream({ stream: errors.stream })],
          format: winston.format.json(),
        }),
      );
    },
  );
  await expect(send(`${url}/early`)).resolves.toMatchObject({ status: 500 });
  expect(JSON.parse(await errors.next())).toMatchObject({ level: 'error', meta: { error: expect.anything(), req: { url: '/early' } } });
});

it('express-prom-bundle labels requests with the service’s path', async () => {
  const { url } = await serve(
    (app) => {
      const normalizePath = (req: { route?: { path: string }; baseUrl: string }): string =>
        req.route ? `${req.baseUrl}${req.route.path}` : '(none)';
      use(app, promBundle({ includeMethod: true, includePath: true, normalizePath: normalizePath as never, promRegistry: new Registry() }));
    },
    (app) => app.use('users/:userId/messages', { get: async (id: unknown) => ({ id }) }),
  );
  for (const path of ['/users/1/messages/2', '/users/3/messages/4', '/notes', '/slow/fails', '/nothing/5']) await send(url + path);
  const { text } = await send(`${url}/metrics`);
  const counts = [...text.matchAll(/^http_request_duration_seconds_count\{(.*)\} (\d+)$/gm)].map(
    ([, labels, count]) => `${labels} ${count}`,
  );
  expect(counts.sort()).toEqual([
    'status_code="200",method="GET",path="/notes" 1',
    'status_code="200",method="GET",path="/users/:userId/messages/:id" 2',
    'status_code="404",method="GET",path="(none)" 1',
    'status_code="500",method="GET",path="/slow/:id" 1',
  ]);
});
