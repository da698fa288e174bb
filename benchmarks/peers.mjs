// Ours beside fastify doing the same work: CPU time of the server for each request, pair by pair. The entity tag is paid by both or by
// neither; fastify sends the headers that ours sends, and once as it comes, with fewer.
import { checkAnswers, checkSameHeaders } from './measure/answers.mjs';
import { pairs } from './measure/pairs.mjs';
import { measureInRounds } from './measure/rounds.mjs';
import { startServer } from './measure/server-process.mjs';
import { table, withInterval } from './measure/table.mjs';
import { WORK } from './work.mjs';

const SERVERS = ['fastify', 'fastify-headers', 'fastify-headers-tag', 'ours-no-tag', 'ours'];
/** What is compared: its title, ours, theirs, and whether both give the same headers to the last character. */
export const COMPARED = [
  { title: 'no ETag', ours: 'ours-no-tag', theirs: 'fastify-headers', same: true },
  { title: 'ETag', ours: 'ours', theirs: 'fastify-headers-tag', same: true },
  { title: 'no ETag, fastify with its own headers alone', ours: 'ours-no-tag', theirs: 'fastify', same: false },
];

/** @returns figures for `targets.mjs` (by work and comparison), and a table */
export async function measurePeers(execPath) {
  const servers = await Promise.all(SERVERS.map((name) => startServer(name, { execPath })));
  const headers = await checkAnswers(servers, WORK);
  for (const { ours, theirs, same } of COMPARED) if (same) checkSameHeaders(headers, ours, theirs);
  const figures = {};
  for (const work of WORK) {
    const jobs = servers.map((server) => ({ ...work, server, times: [], requests: 2500, warmUp: 8000 }));
    await measureInRounds(jobs, 17);
    const times = Object.fromEntries(jobs.map((job) => [job.server.name, job.times]));
    figures[work.title] = Object.fromEntries(COMPARED.map(({ title, ours, theirs }) => [title, pairs(times[ours], times[theirs])]));
    figures[work.title]['the tag alone, ours'] = pairs(times.ours, times['ours-no-tag']);
  }
  for (const server of servers) server.stop();
  const columns = [...COMPARED.map(({ title }) => title), 'the tag alone, ours'];
  const rows = WORK.map(({ title }) => [title, ...columns.map((column) => withInterval(figures[title][column]))]);
  return { figures, lines: table(['CPU time of a request, x fastify', ...columns], rows) };
}
