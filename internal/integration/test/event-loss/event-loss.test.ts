import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Random, Variety } from '@framework-internal/random';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { SocketClient, StreamClient, type Client, type Got } from './clients.ts';
import { startDatabaseProcess, type DatabaseProcess } from './database-process.ts';
import { freePort } from './free-port.ts';

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
const ports: number[] = [];
const servers: (ChildProcess | undefined)[] = [];
const clients: Client[] = [];
beforeAll(async () => {
  database = await startDatabaseProcess();
  for (const index of [0, 1, 2]) {
    ports.push(await freePort());
    await startServer(index);
  }
});
afterAll(async () => {
  for (const client of clients) client.stop();
  await Promise.all(
    servers.map(async (server) => {
      if (!server || server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
    }),
  );
  if (!database.isOurs) await onDatabase((client) => client.db(NAME).dropDatabase());
  await database.stop();
});

async function startServer(index: number): Promise<void> {
  const env = { ...process.env, DATABASE_URL: database.uri, DATABASE: NAME, PORT: String(ports[index]) };
  const server = fork(fileURLToPath(new URL('../fixtures/event-server.mjs', import.meta.url)), { env, execArgv: [] });
  servers[index] = server;
  await new Promise<void>((resolve, reject) => {
    server.once('message', () => resolve());
    server.once('exit', () => reject(new Error('the process ended')));
  });
}

async function onDatabase<T>(work: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = await new MongoClient(database.uri).connect();
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

async function until(holds: () => unknown): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** What becomes of a write without an answer is for the database to say. */
async function write(port: number | undefined, number: number): Promise<boolean> {
  const init = { method: 'POST', body: JSON.stringify({ number }), headers: { 'content-type': 'application/json' } };
  const answer = await fetch(`http://127.0.0.1:${port}/messages`, init).catch(() => undefined);
  return answer?.status === 201;
}

/** Writes by all processes, of which some, or the database, are killed meanwhile, while clients are cut. */
async function round(first: number, random: Random, variety: Variety): Promise<void> {
  const victims = [{ process: true }, { database: true }, { process: true, database: true }][random.below(3)] as object;
  const [victim, at] = [random.below(3), random.below(WRITES)];
  const killed: Promise<unknown>[] = [];
  const kill = (): void => {
    if ('process' in victims) {
      servers[victim]?.removeAllListeners('exit').kill('SIGKILL');
      variety.took('kill');
    }
    if ('database' in victims && database.isOurs) {
      killed.push(database.kill(() => wait(random.below(200))));
      variety.took('kill of the database');
    }
  };
  variety.tried(`${first} ${Object.keys(victims).join()} ${victim} ${at}`);
  const writing = new Set<Promise<void>>();
  for (let count = 0; count < WRITES; count++) {
    const written = write(random.pick(ports), first + count).then((isWritten) => {
      if (!isWritten) variety.took('write that was not acknowledged');
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
  if ('process' in victims) await startServer(victim);
}

it('no client misses an event without being told, gets one twice, or in another order, while processes and the database are killed and connections cut', async () => {
  const random = new Random(SEED);
  const variety = new Variety();
  const kinds = [StreamClient, SocketClient];
  clients.push(...Array.from({ length: CLIENTS }, (_, index) => new (kinds[index % 2] as typeof StreamClient)({ random, ports })));
  await until(() => clients.every(({ opened }) => opened > 0));
  for (let count = 0; count < ROUNDS; count++) await round(count * WRITES, random, variety);
  const messages = await onDatabase((client) => client.db(NAME).collection('messages').find().toArray());
  const written = messages.map((message) => message.number as number);
  // One more by each process: whoever has it has all that was in front of it.
  const last = [0, 1, 2].map((index) => ROUNDS * WRITES + index);
  for (const index of [0, 1, 2]) while (!(await write(ports[index], last[index] as number))) await wait(100);
  await until(() => clients.every(({ got }) => got.includes(last[2] as number, -100)));
  const told = clients.filter(({ got }) => got.includes('reset'));
  for (const _client of told) variety.took('reset');
  console.log(variety.report(`streams and sockets of three processes, ${CLIENTS} clients, ${written.length} events`, SEED));
  variety.expect(ROUNDS, { cut: ROUNDS });
  expect(told.length).toBeLessThan(CLIENTS);
  checkOrder(
    clients.map(({ got }) => got),
    [...written, ...last],
  );
});

/** All that was written came to each client once, in one order; to one that was told, up to there and from there on. */
function checkOrder(all: readonly Got[], written: readonly number[]): void {
  const whole = all.filter((got) => !got.includes('reset'));
  const [order = []] = whole;
  expect([...order].sort((a, b) => Number(a) - Number(b))).toEqual([...written].sort((a, b) => a - b));
  for (const got of whole) expect(got).toEqual(order);
  for (const got of all.filter((each) => each.includes('reset'))) {
    for (const piece of got.join().split(/(?:^|,)reset(?:,|$)/)) {
      const numbers = piece === '' ? [] : piece.split(',').map(Number);
      const from = order.indexOf(numbers[0] as number);
      expect(numbers).toEqual(numbers.length === 0 ? [] : order.slice(from, from + numbers.length));
    }
  }
}
