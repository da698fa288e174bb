import http from 'node:http';

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
 * Keeps a number of connections busy, and gives the server's CPU time for each request, in microseconds: it does not depend on how
 * fast the client is.
 *
 * @param server made by `startServer`
 * @param request what is sent
 * @param expected the status that every answer must have
 */
export async function cpuPerRequest(server, request, expected, { connections = 16, milliseconds = 1000 } = {}) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const before = await server.usage();
  const end = performance.now() + milliseconds;
  let count = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) {
        const { status } = await send(agent, server.port, request);
        if (status !== expected) throw new Error(`${server.name}: ${request.path} answered ${status}`);
        count += 1;
      }
    }),
  );
  const after = await server.usage();
  agent.destroy();
  return (after.usage.user + after.usage.system - before.usage.user - before.usage.system) / count;
}
