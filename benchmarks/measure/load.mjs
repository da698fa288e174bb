import http from 'node:http';
import net from 'node:net';

/** Sends one request and gives status and body. */
export function send(agent, port, { method = 'GET', path, headers = {}, body }) {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const request = http.request(
      { port, method, path, agent, headers: { Accept: 'application/json', ...length, ...headers } },
      (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }));
      },
    );
    request.once('error', reject);
    request.end(body);
  });
}

/**
 * Keeps a number of connections busy. The client does as little as it can (bytes made once, no parser but for status and length), so that
 * it is the server that has work waiting, and all servers are woken as often.
 *
 * @param server made by `startServer`
 * @param request what is sent
 * @param expected the status that every answer must have
 * @returns how many were answered
 */
export async function requestsIn(server, request, expected, { connections = 16, milliseconds = 1000 } = {}) {
  const bytes = bytesOf(request, server.port);
  const end = performance.now() + milliseconds;
  const counts = await Promise.all(
    Array.from({ length: connections }, () =>
      keepBusy(server.port, bytes, expected, end).catch((error) => {
        throw new Error(`${server.name}: ${request.path}: ${error.message}`);
      }),
    ),
  );
  return counts.reduce((sum, own) => sum + own, 0);
}

/** The server's CPU time for each request, in microseconds: it does not depend on how fast the client is. See {@link requestsIn}. */
export async function cpuPerRequest(server, request, expected, options) {
  const before = await server.usage();
  const count = await requestsIn(server, request, expected, options);
  const after = await server.usage();
  return (after.usage.user + after.usage.system - before.usage.user - before.usage.system) / count;
}

function bytesOf({ method = 'GET', path, headers = {}, body = '' }, port) {
  const length = body === '' ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  const all = Object.entries({ Host: `127.0.0.1:${port}`, Connection: 'keep-alive', Accept: 'application/json', ...length, ...headers });
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`, 'latin1');
}

/** One connection: the next request goes out when the answer before it is in. */
function keepBusy(port, bytes, expected, end) {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
    let count = 0;
    let received = '';
    socket.setEncoding('latin1');
    socket.once('error', reject);
    socket.once('connect', () => socket.write(bytes));
    socket.once('close', () => reject(new Error('the server closed the connection')));
    socket.on('data', (chunk) => {
      received += chunk;
      const length = lengthOf(received);
      if (length === undefined || received.length < length) return;
      if (received.length > length || !received.startsWith(`HTTP/1.1 ${expected} `)) {
        reject(new Error(`answered ${received.slice(0, 200)}`));
        socket.destroy();
        return;
      }
      received = '';
      count += 1;
      if (performance.now() < end) {
        socket.write(bytes);
        return;
      }
      socket.removeAllListeners('close');
      socket.end();
      resolve(count);
    });
  });
}

/** Characters of the whole answer, once its headers are in; answers with chunks are measured by their end. */
function lengthOf(text) {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const given = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head));
  if (given) return head + 4 + Number(given[1]);
  const last = text.indexOf('\r\n0\r\n\r\n', head);
  return last < 0 ? undefined : last + 7;
}
