// Runs conversations that were recorded of a MongoDB 8.2 server, and compares the answers.
//   node test/recorded/run.mjs [--area core/operator/update] [--case N] [--show 20] [--sample 25] [--areas] [--write]
// --areas shows how much is the same beside what is asked for in each area.
// DOCDB_URL names another server. A case that same.json holds, and that is not the same any more, fails; --write notes what is the same now, and in differences.txt
// what is not, and why: what is refused says so itself, for anything else reasons.json has the reason.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { decode, recordedCases } from './read.mjs';
import { areaTable, COLUMNS } from './areas.mjs';
import { judge } from './judge.mjs';
import { numberOf } from './compare.mjs';
import { AskedServer } from './server.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const KNOWN = join(here, 'same.json');
const DIFFERENCES = join(here, 'differences.txt');
const JOBS = 6;
const { values: options } = parseArgs({
  options: {
    area: { type: 'string', default: '' },
    case: { type: 'string' },
    show: { type: 'string', default: '0' },
    sample: { type: 'string', default: '1' },
    areas: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

const all = recordedCases();
if (!all) {
  appendFileSync('.test-notes', 'left out: recorded answers of a MongoDB server are not beside this checkout\n');
  console.log('The recorded answers are not beside this checkout');
  process.exit(0);
}

/** One bit for each case, by its number. */
const bits = existsSync(KNOWN) ? Buffer.from(JSON.parse(readFileSync(KNOWN, 'utf8')).join(''), 'base64') : Buffer.alloc(0);
const wasSame = (n) => (((bits[n >> 3] ?? 0) >> (n & 7)) & 1) === 1;

const server = new AskedServer();
await server.start();

function keepsWritersOut(text) {
  return text.includes('"fsync"') && text.includes('"lock"');
}

async function runCase({ n, text }, attempt) {
  const database = `rec_${process.pid}_${attempt}_${n}`;
  const { ops, expects } = decode(JSON.parse(text.replaceAll('{{db}}', database).replaceAll('{{coll}}', `c_${n}`)));
  const answers = [];
  const used = new Set([database]);
  for (const [name, command] of ops) {
    used.add(name);
    answers.push(await server.ask(name, command));
  }
  let locked = keepsWritersOut(text);
  while (locked) locked = (await server.ask('admin', { fsyncUnlock: 1 })).error === undefined;
  let verdict;
  for (const expectation of expects) verdict ??= judge(expectation, answers[numberOf(expectation.op)]);
  for (const name of used) if (!['admin', 'config', 'local'].includes(name)) await server.ask(name, { dropDatabase: 1 });
  return verdict;
}

const chosen = all.filter(
  ({ n, area }) =>
    area.startsWith(options.area) && (options.case === undefined || String(n) === options.case) && n % Number(options.sample) === 0,
);
const verdicts = new Map();
/** Cases that change the whole server, or a collection of a database that is not theirs, would change the answers of others. */
const writesElsewhere = (text) => /"\$(?:out|merge)":\{[^}]*"db":"(?!\{\{db\}\}")/.test(text);
const changesServer = ({ text }) => text.includes('"setParameter"') || keepsWritersOut(text) || writesElsewhere(text);
const together = chosen.filter((entry) => !changesServer(entry));
let next = 0;
async function work() {
  while (next < together.length) {
    const entry = together[next++];
    verdicts.set(entry, await runCase(entry, 1));
  }
}
await Promise.all(Array.from({ length: JOBS }, work));
for (const entry of chosen.filter(changesServer)) verdicts.set(entry, await runCase(entry, 1));
for (const [entry, verdict] of verdicts) {
  if (verdict?.[0] !== 'no answer') continue;
  await server.restart();
  verdicts.set(entry, await runCase(entry, 2));
}
await server.stop();

const areas = new Map();
let shown = 0;
const worse = [];
for (const [{ n, area }, verdict] of verdicts) {
  const key = area.split('/').slice(0, 3).join('/');
  const row = areas.get(key) ?? {};
  areas.set(key, row);
  const kind = verdict?.[0] ?? 'same';
  row[kind] = (row[kind] ?? 0) + 1;
  if (verdict && wasSame(n)) worse.push([n, area, ...verdict]);
  if (verdict && shown++ < Number(options.show)) console.log(n, area, verdict[0], verdict[1].slice(0, 400));
}
const line = (name, row) => console.log(name.padEnd(44) + COLUMNS.map((column) => String(row[column] ?? 0).padStart(14)).join(''));
console.log('area'.padEnd(44) + COLUMNS.map((column) => column.padStart(14)).join(''));
const total = {};
for (const [name, row] of [...areas].sort()) {
  line(name, row);
  for (const column of COLUMNS) total[column] = (total[column] ?? 0) + (row[column] ?? 0);
}
line('all', total);
if (options.areas)
  for (const text of ['', ...areaTable([...verdicts].map(([{ area }, verdict]) => [area, verdict?.[0] ?? 'same']))]) console.log(text);

if (options.write) {
  const noted = Buffer.alloc(Math.max(bits.length, ...all.map(({ n }) => (n >> 3) + 1)));
  bits.copy(noted);
  for (const [{ n }, verdict] of verdicts) {
    if (verdict) noted[n >> 3] &= ~(1 << (n & 7));
    else noted[n >> 3] |= 1 << (n & 7);
  }
  writeFileSync(KNOWN, `${JSON.stringify(noted.toString('base64').match(/.{1,120}/g), undefined, 2)}\n`);
}
const unexplained = options.write && chosen.length === all.length ? writeDifferences() : [];
for (const n of unexplained) console.log('no reason in reasons.json:', n);
for (const [n, area, kind, text] of worse.slice(0, 50)) console.log('worse:', n, area, kind, text.slice(0, 300));
console.log(`${total.same ?? 0} of ${verdicts.size} the same, ${worse.length} worse than before`);
process.exitCode = (worse.length > 0 && !options.write) || unexplained.length > 0 ? 1 : 0;

/** Writes what is not the same, and why. @returns the cases of which nobody has said it */
function writeDifferences() {
  const reasons = new Map();
  for (const [reason, cases] of Object.entries(JSON.parse(readFileSync(join(here, 'reasons.json'), 'utf8'))))
    for (const n of cases) reasons.set(n, reason);
  const missing = [];
  const lines = [];
  for (const [{ n, area }, verdict] of [...verdicts].sort(([a], [b]) => a.n - b.n)) {
    if (!verdict) continue;
    const [kind, text] = verdict;
    const tells = kind === 'refused' || kind === 'other error';
    if (!tells && !reasons.has(n)) missing.push(n);
    const said = text
      .replace(/rec_\d+_\d+_\d+/g, 'db')
      .replace(/\s+/g, ' ')
      .slice(0, 200);
    lines.push([n, area, kind, reasons.get(n) ?? said].join('\t'));
  }
  writeFileSync(DIFFERENCES, `${lines.join('\n')}\n`);
  return missing;
}
