import { table } from './measure/table.mjs';

const one = 'GET one';
const list = 'GET 10 with $limit and $sort';
const locked = 'GET one, authenticated';
const behind = 'GET one, behind helmet, a log and a session';
const regular = '2 + 2 synchronous before and after';

const most = (limit) => ({ limit, met: (value) => value <= limit, sign: 'at most' });
const least = (limit) => ({ limit, met: (value) => value >= limit, sign: 'at least' });
/** The incumbent's throughput differs between versions of Node.js: there is a number for 20, one for 24, and none for others. */
const leastBy = (on20, on24) => (major) => (major === 20 ? least(on20) : major === 24 ? least(on24) : undefined);

/** What is to be reached: how it is worked out of the figures of one version of Node.js, and its limit. */
const TARGETS = [
  ['`service.get` in process, no hooks, x a bare asynchronous call', ({ calls }) => calls.inProcess['no hooks'].ratios.ours, most(6)],
  ['… 4 around hooks, x the same chain by hand', ({ calls }) => chainRatio(calls.inProcess['4 around hooks']), most(1.3)],
  ['… 2 + 2 synchronous hooks, x a bare asynchronous call', ({ calls }) => calls.inProcess[regular].ratios.ours, most(8)],
  ['bytes for such a call, no hooks', ({ calls }) => calls.inProcess['no hooks'].bytes.ours, most(1200)],
  ['… 4 around hooks', ({ calls }) => calls.inProcess['4 around hooks'].bytes.ours, most(3500)],
  ['… 2 + 2 synchronous hooks', ({ calls }) => calls.inProcess[regular].bytes.ours, most(1500)],
  ['GET one, x raw', ({ rest }) => rest[one].ours, most(1.5)],
  ["GET one, x the incumbent's throughput", ({ rest }) => rest[one].incumbent / rest[one].ours, leastBy(6, 3)],
  ['GET 10 with `$limit` and `$sort`, x raw', ({ rest }) => rest[list].ours, most(1.4)],
  ['POST, x raw', ({ rest }) => rest.POST.ours, most(1.5)],
  ['GET one, authenticated, x raw', ({ rest }) => rest[locked].ours, most(2)],
  ["GET one, authenticated, x the incumbent's throughput", ({ rest }) => rest[locked].incumbent / rest[locked].ours, leastBy(15, 5)],
  [
    "GET one behind ordinary middleware, x Express 5's throughput",
    ({ rest }) => rest[behind]['express-5'] / rest[behind].ours,
    leastBy(1.8, 1.2),
  ],
  ["query check, x the incumbent's filterQuery", ({ calls }) => calls.queries.check.ratios.ours, most(0.6)],
  ["validate and convert a query, x the incumbent's validateQuery", ({ calls }) => calls.queries.validate.ratios.ours, most(0.5)],
  ['commands to the database for a call with one record', ({ calls }) => Math.max(...single(calls.adapter)), most(1)],
  ['p99 of an authenticated GET beside 8 logins, x without them', ({ logins }) => logins.ours, most(3)],
  ['start, x Express 5 alone', ({ start }) => start.ours.start, most(1.2)],
];

/** Targets of the whole. */
const ONCE = [
  ['production install, MB', ({ install }) => install?.megabytes, most(20)],
  ['production install, packages', ({ install }) => install?.packages, most(95)],
];

function chainRatio({ ratios }) {
  return ratios.ours / ratios['by hand'];
}

/** `remove` is measured with the insert before it. */
function single(figures) {
  return Object.entries(figures).map(([name, { commands }]) => (name === 'remove' ? commands - 1 : commands));
}

/**
 * @param figures what was measured, by major version of Node.js
 * @returns lines of a table, and how many targets were missed
 */
export function compareWithTargets(figures, install) {
  const majors = Object.keys(figures);
  let missed = 0;
  const cell = (value, target) => {
    if (value === undefined) return 'not measured';
    if (target === undefined) return `${value.toFixed(2)} (no target)`;
    const { met, limit, sign } = target;
    if (!met(value)) missed += 1;
    return `${met(value) ? '' : '**missed** '}${value.toFixed(value > 20 ? 0 : 2)} (${sign} ${limit})`;
  };
  const rows = TARGETS.map(([title, valueOf, target]) => [
    title,
    ...majors.map((major) => cell(valueOf(figures[major]), typeof target === 'function' ? target(Number(major)) : target)),
  ]);
  for (const [title, valueOf, target] of ONCE) rows.push([title, cell(valueOf({ install }), target), ...majors.slice(1).map(() => '')]);
  return { lines: table(['Target', ...majors.map((major) => `Node.js ${major}`)], rows), missed };
}
