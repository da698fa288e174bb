import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

/** `SpanKind.SERVER` and `SpanStatusCode.ERROR` of OpenTelemetry. */
const [SERVER, ERROR] = [1, 2];

interface Span {
  readonly name: string;
  readonly kind: number;
  readonly id: string;
  readonly trace: string;
  readonly parent?: string;
  readonly status: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

type Results = Readonly<Record<string, { readonly status: number; readonly spans: readonly Span[] }>>;

const WAYS = {
  'ES modules': ['traced.mjs', '--import', './telemetry.cjs', '--experimental-loader=@opentelemetry/instrumentation/hook.mjs'],
  CommonJS: ['traced.cjs', '--require', './telemetry.cjs'],
} as const;

/** What a process with OpenTelemetry's HTTP and Express instrumentation saw of the requests of `traced-requests.cjs`. */
function trace(way: keyof typeof WAYS, express: string): Promise<Results> {
  const [file, ...execArgv] = WAYS[way];
  const cwd = fileURLToPath(new URL('./fixtures/', import.meta.url));
  const child = fork(file, { cwd, execArgv: [...execArgv, '--no-warnings'], env: { ...process.env, EXPRESS: express } });
  return new Promise((resolve, reject) => {
    child.once('message', (results: Results) => resolve(results));
    child.once('exit', (code) => reject(new Error(`The process ended with ${code}`)));
  });
}

it.each([
  ['ES modules', 'express'],
  ['ES modules', 'express4'],
  ['CommonJS', 'express'],
  ['CommonJS', 'express4'],
] as const)('OpenTelemetry, %s, %s: server spans have the route of the service, and calls their own spans', async (way, express) => {
  const results = await trace(way, express);
  const server = (path: string): Span => {
    const spans = results[path]!.spans.filter(({ kind }) => kind === SERVER);
    expect(spans).toHaveLength(1);
    return spans[0]!;
  };
  for (const [path, status, route] of [
    ['/users/7/messages/12?a=1', 200, '/users/:userId/messages/:id'],
    ['/around/1', 200, '/around/:id'],
    ['/failing', 500, '/failing'],
  ] as const) {
    expect(results[path]!.status).toBe(status);
    expect(server(path)).toMatchObject({ name: `GET ${route}`, attributes: { 'http.route': route, 'http.response.status_code': status } });
  }
  expect(results['/nothing']!.status).toBe(404);
  expect(server('/nothing').attributes).not.toHaveProperty(['http.route']);

  const { spans } = results['/users/7/messages/12?a=1']!;
  const call = spans.find(({ name }) => name === 'users/:userId/messages.get')!;
  const inner = spans.find(({ name }) => name === 'inner.find')!;
  expect(call.attributes).toEqual({ 'framework.path': 'users/:userId/messages', 'framework.method': 'get', 'framework.provider': 'rest' });
  expect(inner).toMatchObject({ parent: call.id, attributes: { 'framework.path': 'inner', 'framework.method': 'find' } });
  expect(new Set(spans.map((span) => span.trace)).size).toBe(1);
  const failed = results['/failing']!.spans.find(({ name }) => name === 'failing.find')!;
  expect(failed).toMatchObject({ status: ERROR, attributes: { 'error.type': 'Error' } });

  // Express's own instrumentation goes by the name `express`, which the alias of version 4 has for `require` alone.
  if (way === 'ES modules' && express === 'express4') return;
  const layers = spans.filter(({ attributes }) => attributes['express.type'] === 'middleware');
  expect(layers.length).toBeGreaterThanOrEqual(3);
  expect(layers.some(({ id }) => id === call.parent)).toBe(true);
  expect(server('/plain/x')).toMatchObject({ name: 'GET /plain/:name', attributes: { 'http.route': '/plain/:name' } });
});
