// REST: Node's own server, other frameworks, the incumbent and us do the same work with the same answers. The figure is the server's CPU
// time for each request, x Node's own server, pair by pair.
import { logIn, unseenTokens } from './measure/access-tokens.mjs';
import { checkAnswers } from './measure/answers.mjs';
import { send } from './measure/load.mjs';
import { median, pairs } from './measure/pairs.mjs';
import { measureInRounds } from './measure/rounds.mjs';
import { startServer } from './measure/server-process.mjs';
import { table, withInterval } from './measure/table.mjs';
import { GET_ONE, WORK } from './work.mjs';

const SERVERS = ['raw', 'fastify', 'hono', 'koa', 'express-4', 'express-5', 'incumbent-koa', 'incumbent', 'ours'];
const BEHIND_MIDDLEWARE = ['express-5-middleware', 'incumbent-middleware', 'ours-middleware'];
const AUTHENTICATED = ['incumbent-authenticated', 'ours-authenticated'];
export const MIDDLEWARE = 'GET one, behind helmet, a log and a session';
export const KNOWN = 'GET one, authenticated, token known';
export const UNSEEN = 'GET one, authenticated, token not seen before';
const TITLES = [...WORK.map(({ title }) => title), MIDDLEWARE, KNOWN, UNSEEN];
/** What takes many times as long as raw is measured with fewer requests. */
const PACES = [
  { of: /^incumbent-authenticated/, requests: 300, warmUp: 1200 },
  { of: /^(?:express|incumbent)(?!-koa)/, requests: 1000, warmUp: 4000 },
  { of: /^/, requests: 2500, warmUp: 4000 },
];

function job(work, server, title = work.title) {
  const name = server.name.replace(/-(?:middleware|authenticated)$/, '');
  const { requests, warmUp } = PACES.find(({ of }) => of.test(server.name));
  return { ...work, title, server, name, times: [], requests, warmUp };
}

/** A GET with the same token each time, and one with another each time. */
async function authenticatedJobs(server) {
  const refused = await send(undefined, server.port, { path: '/closed/1' });
  if (refused.status !== 401) throw new Error(`${server.name}: answers ${refused.status} without a token`);
  const token = await logIn(server);
  const next = unseenTokens(token);
  const withToken = (accessToken) => ({ path: '/closed/1', headers: { Authorization: `Bearer ${accessToken}` } });
  return [
    job({ request: withToken(token), status: 200 }, server, KNOWN),
    job({ request: () => withToken(next()), status: 200 }, server, UNSEEN),
  ];
}

/** @returns groups of jobs with one title; each has Node's own server in it, so that what is compared runs close in time */
async function groupsOf(plain, behind, authenticated) {
  const [raw] = plain;
  const closed = await Promise.all(authenticated.map(authenticatedJobs));
  return [
    ...WORK.map((work) => plain.map((server) => job(work, server))),
    [raw, ...behind].map((server) => job(GET_ONE, server, MIDDLEWARE)),
    [job(GET_ONE, raw, KNOWN), ...closed.map(([known]) => known)],
    [job(GET_ONE, raw, UNSEEN), ...closed.map(([, unseen]) => unseen)],
  ];
}

/** What each server sends beside the body: it is part of what it is paid for. */
function headerTable(headers) {
  const names = (server, title) => Object.keys(headers.get(server)[title]).sort().join(', ');
  const titles = ['GET one', 'POST', 'an error'];
  const rows = [...headers.keys()].map((server) => [server, ...titles.map((title) => names(server, title))]);
  return table(['Headers beside those of all', ...titles], rows);
}

/** @returns figures for `targets.mjs` (by title, a function of two servers), and tables */
export async function measureRest(execPath) {
  const start = (names) => Promise.all(names.map((name) => startServer(name, { execPath })));
  const [plain, behind, authenticated] = [await start(SERVERS), await start(BEHIND_MIDDLEWARE), await start(AUTHENTICATED)];
  const headers = await checkAnswers(plain, WORK);
  await checkAnswers([plain[0], ...behind], WORK);
  const groups = await groupsOf(plain, behind, authenticated);
  for (const jobs of groups) await measureInRounds(jobs, 6);
  for (const server of [...plain, ...behind, ...authenticated]) server.stop();

  const times = Object.fromEntries(groups.map((jobs) => [jobs[0].title, Object.fromEntries(jobs.map((own) => [own.name, own.times]))]));
  const ratio = (title, name, base = 'raw') => pairs(times[title][name], times[title][base]);
  const rows = SERVERS.map((name) => [name, ...TITLES.map((title) => (times[title][name] ? withInterval(ratio(title, name), 1) : ''))]);
  const head = [`REST, x raw (${median(times['GET one'].raw).toFixed(0)} us for GET one)`, ...TITLES];
  return { figures: ratio, lines: [...table(head, rows), ...headerTable(headers)] };
}
