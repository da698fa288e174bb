// What others wait for while a statement changes 100,000 of a million documents with two indexes, and how long the folder takes
// to open (WAITS_DOCUMENTS=300000 for fewer, WAITS_ROUNDS=5 for more statements). Beside it stands how late a timer was in a
// process that has nothing to do: that much is the machine's. Needs 2 GB of disk; WAITS_FOLDER keeps the folder for the next time.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DocDbServer } from '@framework/docdb-embedded';
import { MongoClient } from 'mongodb';

const DOCUMENTS = Number(process.env.WAITS_DOCUMENTS ?? 1_000_000);
const ROUNDS = Number(process.env.WAITS_ROUNDS ?? 3);
const MANY = 100_000;
const BATCH = 5000;
const PAUSE = 5;
const path = process.env.WAITS_FOLDER ?? mkdtempSync(join(tmpdir(), 'waits-'));

const record = (n) => ({ _id: n, email: `user${n}@example.com`, group: n % 1000, name: `User number ${n}`, age: n % 90 });
const sorted = (list) => [...list].sort((a, b) => a - b);
const shown = (list) => {
  const all = sorted(list);
  const at = (part) => (all[Math.min(all.length - 1, Math.floor(all.length * part))] ?? 0).toFixed(1);
  return `${at(0.5)} | ${at(0.99)} | ${at(1)} | ${all.length}`;
};

async function connected(work) {
  const server = await DocDbServer.spawn({ path, sync: 'interval' });
  const client = await new MongoClient(server.uri).connect();
  try {
    return await work(client.db('bench').collection('users'), server.uri);
  } finally {
    await client.close();
    await server.stop();
  }
}

/** A process of its own, so that nothing of this one counts: a client that waits, or a timer that is late. */
const OTHER = `
import { MongoClient } from 'mongodb';
const [uri, kind] = process.argv.slice(1);
const client = uri === '' ? undefined : await new MongoClient(uri).connect();
const probe = client?.db('bench').collection('probe');
await probe?.updateOne({ _id: 1 }, { $set: { n: 0 } }, { upsert: true });
const waits = [];
let going = true;
process.once('disconnect', () => process.exit());
process.once('message', () => { going = false; });
process.send('ready');
while (going) {
  const begin = performance.now();
  await new Promise((resolve) => setTimeout(resolve, ${PAUSE}));
  const start = performance.now();
  if (kind === 'timer') waits.push(start - begin - ${PAUSE});
  else {
    if (kind === 'read') await probe.findOne({ _id: 1 });
    else await probe.updateOne({ _id: 1 }, { $inc: { n: 1 } });
    waits.push(performance.now() - start);
  }
}
await client?.close();
process.send(waits, () => process.disconnect());
`;

function other(uri, kind) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', OTHER, uri, kind], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const next = () => new Promise((resolve) => child.once('message', resolve));
  const ready = next();
  return {
    ready,
    async stop() {
      const waits = next();
      child.send('stop');
      return waits;
    },
  };
}

if ((await connected((users) => users.estimatedDocumentCount())) !== DOCUMENTS) {
  const start = performance.now();
  await connected(async (users) => {
    await users.drop();
    await users.createIndexes([{ key: { email: 1 }, unique: true }, { key: { group: 1, age: -1 } }]);
    for (let n = 0; n < DOCUMENTS; n += BATCH)
      await users.insertMany(
        Array.from({ length: Math.min(BATCH, DOCUMENTS - n) }, (_, at) => record(n + at)),
        { ordered: false },
      );
  });
  console.log(`import of ${DOCUMENTS} documents, us for each: ${(((performance.now() - start) * 1000) / DOCUMENTS).toFixed(0)}`);
}

const opened = [];
const worked = [];
for (let round = 0; round < 5; round++) {
  const start = performance.now();
  const cpu = process.cpuUsage();
  const server = await DocDbServer.start({ path, sync: 'interval' });
  opened.push(performance.now() - start);
  const { user, system } = process.cpuUsage(cpu);
  worked.push((user + system) / 1000);
  await server.stop();
}
console.log('\n| ms | median | 99 % | longest | times |\n|---|---|---|---|---|');
console.log(`| open the folder | ${shown(opened)} |`);
console.log(`| open the folder, processor | ${shown(worked)} |`);

await connected(async (users, uri) => {
  const kinds = { read: [], write: [], timer: [] };
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const others = Object.keys(kinds).map((kind) => [kind, other(kind === 'timer' ? '' : uri, kind)]);
    for (const [, { ready }] of others) await ready;
    const start = performance.now();
    await users.updateMany({ _id: { $gte: round * MANY, $lt: (round + 1) * MANY } }, { $inc: { age: 1 } });
    times.push(performance.now() - start);
    for (const [kind, { stop }] of others) for (const wait of await stop()) kinds[kind].push(wait);
  }
  console.log(`| updateMany of ${MANY} | ${shown(times)} |`);
  console.log(`| another reads one meanwhile | ${shown(kinds.read)} |`);
  console.log(`| another changes one meanwhile | ${shown(kinds.write)} |`);
  console.log(`| a timer of an idle process is late | ${shown(kinds.timer)} |`);
});
if (process.env.WAITS_FOLDER === undefined) rmSync(path, { recursive: true });
