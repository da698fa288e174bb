import http from 'node:http';

/** An answer. */
export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- parsed JSON of any shape
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
