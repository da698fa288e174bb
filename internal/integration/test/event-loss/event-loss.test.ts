import { Random, Variety } from '@framework-internal/random';
import { afterAll, beforeAll, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { listen, type Client } from './clients.ts';
import { startDatabaseProcess, type DatabaseProcess } from './database-process.ts';
import { expectOneOrder, haveGot, until, wait } from './order.ts';
import { Processes, write, writeLast } from './processes.ts';

/** Rounds of cuts and kills; the long form is a command of its own (CONTRIBUTING.md). */
const ROUNDS = Number(process.env.LOSS_ROUNDS ?? 3);
const CLIENTS = Number(process.env.LOSS_CLIENTS ?? 12);
/** Writes of a round. */
const WRITES = Number(process.env.LOSS_WRITES ?? 40);
const SEED = Number(process.env.LOSS_SEED ?? 20261122);
/** Writes that are waiting for their answers, at most. */
const AT_ONCE = 40;
const NAME = `loss_${process.pid.toString(36)}`;

let database: DatabaseProcess;
let processes: Processes;
const clients: Client[] = [];
beforeAll(async () => {
  database = await startDatabaseProcess();
  processes = await Processes.start(3, { uri: database.uri, name: NAME });
});
afterAll(async () => {
  for (const client of clients) client.stop();
  await processes.stop();
  if (!database.isOurs) await onDatabase((client) => client.db(NAME).dropDatabase());
  await database.stop();
});

async function onDatabase<T>(work: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = await new MongoClient(database.uri).connect();
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** Writes by all processes, of which one, or the database, or both are killed meanwhile, while clients are cut. */
async function round(first: number, random: Random, variety: Variety): Promise<void> {
  const victims = random.pick([['process'], ['database'], ['process', 'database']]);
  const [victim, at] = [random.below(3), random.below(WRITES)];
  const killed: Promise<unknown>[] = [];
  const kill = (): void => {
    for (const each of victims) variety.took(`kill of ${each}`);
    if (victims.includes('process')) processes.kill(victim);
    if (victims.includes('database')) killed.push(database.kill(() => wait(random.below(200))));
  };
  variety.tried(`${first} ${victims.join()} ${victim} ${at}`);
  const writing = new Set<Promise<void>>();
  for (let count = 0; count < WRITES; count++) {
    // What becomes of a write without an answer is for the database to say.
    const written = write(random.pick(processes.ports), first + count).then((what) => {
      variety.took(what);
      writing.delete(written);
    });
    writing.add(written);
    if (count === at) kill();
    if (random.oneIn(4)) {
      random.pick(clients).cut();
      variety.took('cut');
    }
    if (random.oneIn(3)) await wait(random.below(10));
    while (writing.size >= AT_ONCE) await Promise.race(writing);
  }
  await Promise.all([...writing, ...killed]);
  if (victims.includes('process')) await processes.startAgain(victim);
}

it('no client misses an event without being told, gets one twice, or in another order, while processes and the database are killed and connections cut', async () => {
  const random = new Random(SEED);
  const variety = new Variety();
  clients.push(...listen(CLIENTS, { random, ports: processes.ports }));
  await until(() => clients.every(({ opened }) => opened > 0));
  for (let count = 0; count < ROUNDS; count++) await round(count * WRITES, random, variety);
  await haveGot(clients, await writeLast(processes.ports, ROUNDS * WRITES));
  const messages = await onDatabase((client) => client.db(NAME).collection('messages').find().toArray());
  const written = messages.map((message) => message.number as number);
  for (const { got } of clients) if (got.includes('reset')) variety.took('reset');
  console.log(variety.report(`streams and sockets of three processes, ${CLIENTS} clients, ${written.length} events`, SEED));
  variety.expect(ROUNDS, { cut: ROUNDS });
  expectOneOrder(
    clients.map(({ got }) => got),
    written,
  );
});
