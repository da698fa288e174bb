import { isDeepStrictEqual } from 'node:util';
import { send } from './load.mjs';

/** They tell of the connection and the clock, or are the body's own. */
const OF_ALL = new Set(['connection', 'keep-alive', 'date', 'content-length', 'content-type']);

/**
 * Every server gives the same status and body, or there is nothing to compare.
 *
 * @param servers made by `startServer`
 * @param work `title`, `request` and `status` of each
 * @returns by server and title, what headers its answer has beside those of all
 */
export async function checkAnswers(servers, work) {
  const headers = new Map(servers.map((server) => [server.name, {}]));
  for (const { title, request, status } of work) {
    let first;
    for (const server of servers) {
      const answer = await send(undefined, server.port, request);
      const body = JSON.parse(answer.text);
      first ??= body;
      if (answer.status !== status || !isDeepStrictEqual(body, first)) {
        throw new Error(`${title}: ${server.name} answers ${answer.status} ${answer.text}`);
      }
      headers.get(server.name)[title] = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !OF_ALL.has(name)));
    }
  }
  return headers;
}

/** Both send the same headers with every answer, to the last character of each. */
export function checkSameHeaders(headers, name, other) {
  if (isDeepStrictEqual(headers.get(name), headers.get(other))) return;
  throw new Error(`${name} and ${other} differ: ${JSON.stringify([headers.get(name), headers.get(other)], undefined, 1)}`);
}
