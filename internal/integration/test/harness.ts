import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Params } from '@framework/core';
import type { Application } from '@framework/transport-express';

/** A running application. */
export interface Running {
  readonly app: Application;
  readonly url: string;
  stop(): Promise<void>;
}

/** Listens on a free port. */
export async function listen(app: Application): Promise<Running> {
  const server = await app.listen(0);
  return { app, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => app.close({ timeout: 1000 }) };
}

/** An answer. */
export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  // Parsed JSON of any shape.
  readonly body: any;
}

/** Sends a request as it is written: nothing is encoded, normalized or added. */
export function send(
  url: string,
  path: string,
  options: { method?: string; headers?: http.OutgoingHttpHeaders; body?: string | Buffer } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(url);
  // Node leaves the length out for DELETE.
  const length =
    options.body === undefined || options.headers?.['transfer-encoding'] !== undefined
      ? {}
      : { 'content-length': Buffer.byteLength(options.body) };
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        hostname,
        port,
        path,
        method: options.method ?? 'GET',
        headers: { accept: 'application/json', ...length, ...options.headers },
        agent: false,
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('error', reject);
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => {
          let body: unknown;
          try {
            body = JSON.parse(text);
          } catch {
            body = undefined;
          }
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body });
        });
      },
    );
    request.on('error', reject);
    request.end(options.body);
  });
}

/** Sends a JSON body. */
export function sendJson(
  url: string,
  method: string,
  path: string,
  data: unknown,
  headers: http.OutgoingHttpHeaders = {},
): Promise<Answer> {
  return send(url, path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof data === 'string' ? data : JSON.stringify(data),
  });
}

/** A service that answers with what it was called with. */
export const echo = {
  id: 'id',
  async find(params: Params): Promise<unknown> {
    return { method: 'find', ...shown(params) };
  },
  async get(id: unknown, params: Params): Promise<unknown> {
    return { method: 'get', id, ...shown(params) };
  },
  async create(data: unknown, params: Params): Promise<unknown> {
    return { method: 'create', data, ...shown(params) };
  },
  async update(id: unknown, data: unknown, params: Params): Promise<unknown> {
    return { method: 'update', id, data, ...shown(params) };
  },
  async patch(id: unknown, data: unknown, params: Params): Promise<unknown> {
    return { method: 'patch', id, data, ...shown(params) };
  },
  async remove(id: unknown, params: Params): Promise<unknown> {
    return { method: 'remove', id, ...shown(params) };
  },
  async shout(data: unknown, params: Params): Promise<unknown> {
    return { method: 'shout', data, ...shown(params) };
  },
  async hidden(): Promise<string> {
    return 'reached';
  },
};

/** What came in the parameters, without the headers. */
function shown({ headers: _headers, ...params }: Params): Record<string, unknown> {
  return params as Record<string, unknown>;
}
