import { LONGEST } from './calls/docdb.mjs';
import { FINDS } from './calls/memory.mjs';
import { table } from './measure/table.mjs';
import { COMPARED } from './peers.mjs';
import { KNOWN, MIDDLEWARE, UNSEEN } from './rest.mjs';
import { CROWDS } from './realtime.mjs';
import { WORK } from './work.mjs';
import { STORED } from './write-to-event.mjs';

const ONE = 'GET one';
const LIST = 'GET 10 with $limit and $sort';
const REGULAR = '2 + 2 synchronous before and after';

const most = (limit) => ({ limit, holds: (value) => value <= limit, sign: 'at most' });
const least = (limit) => ({ limit, holds: (value) => value >= limit, sign: 'at least' });
/** The incumbent's throughput differs between versions of Node.js: there is a number for 20, one for 24, and none for others. */
const leastBy = (on20, on24) => (major) => (major === 20 ? least(on20) : major === 24 ? least(on24) : undefined);

const BESIDE_FASTIFY = COMPARED.flatMap(({ title }) =>
  WORK.map((work) => [`${work.title}, CPU x fastify, ${title}`, ({ peers }) => peers?.[work.title][title], most(1.05)]),
);
const P99 = COMPARED.filter(({ same }) => same).map(({ title }) => [
  `GET one, p99 at 70 % of capacity, x fastify, ${title}`,
  ({ latency }) => latency?.[title],
  most(1),
]);

const FAN_OUT = CROWDS.flatMap(({ readers }) => [
  [`an event to ${readers} sockets, CPU x a room of Socket.IO`, ({ realtime }) => realtime?.[`1 to ${readers}, Socket.IO`], most(1.1)],
  [`an event to ${readers} sockets, CPU x the incumbent`, ({ realtime }) => realtime?.[`1 to ${readers}, incumbent`], most(0.4)],
  [`an event to ${readers} streams, CPU x written by hand`, ({ realtime }) => realtime?.[`1 to ${readers}, streams`], most(1.2)],
]);

/** What is to be reached: how it is worked out of the figures of one version of Node.js, and its limit. */
const TARGETS = [
  ...BESIDE_FASTIFY,
  ...P99,
  ['GET one, x raw', ({ rest }) => rest?.(ONE, 'ours'), most(1.5)],
  ['GET 10 with `$limit` and `$sort`, x raw', ({ rest }) => rest?.(LIST, 'ours'), most(1.4)],
  ['POST, x raw', ({ rest }) => rest?.('POST', 'ours'), most(1.5)],
  ['GET one, authenticated, token known, x raw', ({ rest }) => rest?.(KNOWN, 'ours'), most(2)],
  ['GET one, authenticated, token not seen before, x raw', ({ rest }) => rest?.(UNSEEN, 'ours'), most(4)],
  ['GET one, CPU of the incumbent, x ours', ({ rest }) => rest?.(ONE, 'incumbent', 'ours'), leastBy(6, 3)],
  ['GET one, authenticated, token known, CPU of the incumbent, x ours', ({ rest }) => rest?.(KNOWN, 'incumbent', 'ours'), leastBy(15, 5)],
  ['… token not seen before', ({ rest }) => rest?.(UNSEEN, 'incumbent', 'ours'), () => undefined],
  [
    'GET one behind ordinary middleware, CPU of Express 5, x ours',
    ({ rest }) => rest?.(MIDDLEWARE, 'express-5', 'ours'),
    leastBy(1.8, 1.2),
  ],
  ['p99 of an authenticated GET beside 8 logins, x without them', ({ logins }) => logins?.ours, most(3)],
  ['start, x Express 5 alone', ({ start }) => start?.ours, most(1.2)],
  ['`service.get` in process, no hooks, x a bare asynchronous call', ({ calls }) => calls?.inProcess['no hooks'].ratios.ours, most(6)],
  ['… 4 around hooks, x the same chain by hand', ({ calls }) => calls?.inProcess['4 around hooks'].byHand, most(1.3)],
  ['… 2 + 2 synchronous hooks, x a bare asynchronous call', ({ calls }) => calls?.inProcess[REGULAR].ratios.ours, most(8)],
  ['bytes for such a call, no hooks', ({ calls }) => calls?.inProcess['no hooks'].bytes.ours, most(1200)],
  ['… 4 around hooks', ({ calls }) => calls?.inProcess['4 around hooks'].bytes.ours, most(3500)],
  ['… 2 + 2 synchronous hooks', ({ calls }) => calls?.inProcess[REGULAR].bytes.ours, most(1500)],
  ["query check, x the incumbent's filterQuery", ({ calls }) => calls?.queries.check, most(0.6)],
  ["validate and convert a query, x the incumbent's validateQuery", ({ calls }) => calls?.queries.validate, most(0.5)],
  ['commands to the database for a call with one record', ({ calls }) => calls && mostCommands(calls.adapter), most(1)],
  ...FAN_OUT,
  ['call over a socket, CPU x Socket.IO', ({ realtime }) => realtime?.['call, Socket.IO'], most(1.3)],
  ['an event that was missed, CPU x recovery of Socket.IO', ({ realtime }) => realtime?.['resume, Socket.IO'], most(1.1)],
  ['idle socket, bytes x Socket.IO', ({ realtime }) => realtime?.['idle, Socket.IO'], most(1.15)],
  ['from a write to its event in another process, stored together, p99, ms', ({ writeToEvent }) => writeToEvent?.[STORED], most(50)],
  ['`get` of a record in memory, x a Map and one copy', ({ memory }) => memory?.gets.flat.get, most(1.5)],
  ...Object.keys(FINDS).map((title) => [
    `find in memory, 10,000 records, ${title}: @feathersjs/memory, x ours`,
    ({ memory }) => memory?.finds[title],
    least(3),
  ]),
  [`docdb-embedded, ${LONGEST}, ms`, ({ docdb }) => docdb?.[LONGEST], most(100)],
];

/** Targets of the whole. */
const ONCE = [
  ['production install, MB', (install) => install?.megabytes, most(20)],
  ['production install, packages', (install) => install?.packages, most(95)],
];

function mostCommands(figures) {
  return Math.max(...Object.values(figures).map(({ commands }) => commands));
}

/**
 * A target is met, or missed, when the whole interval says so. What is counted and not timed has no interval.
 *
 * @param figure a number, or what `pairs.mjs` gives; `disturbed` where the measurement itself was in the way
 */
function verdictOf(figure, { holds }) {
  if (figure.disturbed) return 'not decided';
  const { low, high } = typeof figure === 'number' ? { low: figure, high: figure } : figure;
  if (holds(low) && holds(high)) return 'met';
  return holds(low) || holds(high) ? 'not decided' : 'missed';
}

function show(figure) {
  const text = (value) => value.toFixed(value >= 20 ? 0 : 2);
  return typeof figure === 'number' ? text(figure) : `${text(figure.value)} (${text(figure.low)} to ${text(figure.high)})`;
}

/**
 * @param figures what was measured, by major version of Node.js
 * @param install the size of a production install, when it was measured
 * @returns lines of a table, and how often each verdict was given; what was not measured for any version is left out
 */
export function compareWithTargets(figures, install) {
  const majors = Object.keys(figures);
  const counts = { met: 0, 'not decided': 0, missed: 0 };
  const cell = (figure, target) => {
    if (figure === undefined) return 'not measured';
    if (target === undefined) return show(figure);
    const verdict = verdictOf(figure, target);
    counts[verdict] += 1;
    return `${verdict === 'met' ? verdict : `**${verdict}**`}: ${show(figure)}`;
  };
  const limitOf = (target) => {
    const given = typeof target === 'function' ? [20, 24].map(target) : [target];
    if (given.includes(undefined)) return '';
    return `${given[0].sign} ${given.map(({ limit }) => limit).join(' (Node.js 24: ')}${given.length > 1 ? ')' : ''}`;
  };
  const measured = TARGETS.filter(([, figureOf]) => majors.some((major) => figureOf(figures[major]) !== undefined));
  const rows = measured.map(([title, figureOf, target]) => [
    title,
    limitOf(target),
    ...majors.map((major) => cell(figureOf(figures[major]), typeof target === 'function' ? target(Number(major)) : target)),
  ]);
  for (const [title, figureOf, target] of install ? ONCE : [])
    rows.push([title, limitOf(target), cell(figureOf(install), target), ...majors.slice(1).map(() => '')]);
  const head = ['What', 'target', ...majors.map((major) => `Node.js ${major}`)];
  return { lines: table(head, rows), counts };
}
