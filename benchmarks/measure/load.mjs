import http from 'node:http';
import { bytesOf, Connection } from './connection.mjs';

/** Sends one request and gives status, headers and body. */
export function send(agent, port, { method = 'GET', path, headers = {}, body }) {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const request = http.request(
      { port, method, path, agent, headers: { Accept: 'application/json', ...length, ...headers } },
      (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() }),
        );
      },
    );
    request.once('error', reject);
    request.end(body);
  });
}

/**
 * Keeps a number of connections busy: on each, the next request goes out when the answer before it is in. So it is the server that has
 * work waiting, and all servers are woken as often.
 *
 * @param server made by `startServer`
 * @param request what is sent; or a function that makes each request, for those that must differ
 * @param expected the status that every answer must have
 * @param options until `milliseconds` have gone by, or `requests` were answered: the same work however busy the machine is
 * @returns how many were answered
 */
export async function requestsIn(server, request, expected, { connections = 16, milliseconds = Infinity, requests = Infinity } = {}) {
  if (milliseconds === Infinity && requests === Infinity) throw new Error('say for how long, or how many');
  const constant = typeof request === 'function' ? undefined : bytesOf(request, server.port);
  const end = performance.now() + milliseconds;
  let sent = 0;
  let answered = 0;
  const keepBusy = async (connection) => {
    while (sent < requests && performance.now() < end) {
      sent += 1;
      await connection.send(constant ?? bytesOf(request(), server.port));
      answered += 1;
    }
  };
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(server.port, expected)));
  try {
    await Promise.all(open.map(keepBusy));
  } catch (error) {
    throw new Error(`${server.name}: ${request.path ?? ''} ${error.message}`, { cause: error });
  } finally {
    for (const connection of open) connection.close();
  }
  return answered;
}

/** The server's CPU time for each request, in microseconds: it does not depend on how fast the client is. See {@link requestsIn}. */
export async function cpuPerRequest(server, request, expected, options) {
  const before = await server.usage();
  const count = await requestsIn(server, request, expected, options);
  const after = await server.usage();
  return (after.usage.user + after.usage.system - before.usage.user - before.usage.system) / count;
}
