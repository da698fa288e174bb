import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Random, Variety } from '@framework-internal/random';
import { startDatabase, type TestDatabase } from '@framework-internal/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

/** Rounds of cuts and kills; the long form is a command of its own (CONTRIBUTING.md). */
const ROUNDS = Number(process.env.LOSS_ROUNDS ?? 3);
const CLIENTS = Number(process.env.LOSS_CLIENTS ?? 12);
const SEED = Number(process.env.LOSS_SEED ?? 20261122);
const WRITES = 40;

let database: TestDatabase;
const ports: number[] = [];
const servers: (ChildProcess | undefined)[] = [];
const clients: Client[] = [];
beforeAll(async () => {
  database = await startDatabase();
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
  await database.close();
});

/** Below the ports that the system gives to outgoing connections: clients that ask for a killed process would meet themselves there. */
async function freePort(): Promise<number> {
  for (let port = 20_000 + (process.pid % 5000); ; port++) {
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await new Promise<boolean>((resolve) =>
      server.once('listening', () => resolve(true)).once('error', () => resolve(false)),
    );
    if (!isFree || ports.includes(port)) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

async function startServer(index: number): Promise<void> {
  const env = { ...process.env, DATABASE_URL: database.uri, DATABASE: database.db.databaseName, PORT: String(ports[index]) };
  const server = fork(fileURLToPath(new URL('./fixtures/event-server.mjs', import.meta.url)), { env, execArgv: [] });
  servers[index] = server;
  await new Promise<void>((resolve, reject) => {
    server.once('message', () => resolve());
    server.once('exit', () => reject(new Error('the process ended')));
  });
}

/** A client that reads a stream of any process, and comes back to any when it ends. */
class Client {
  /** Numbers in the order in which they came; `reset` where it was told that it has to read again. */
  readonly got: (number | 'reset')[] = [];
  opened = 0;
  readonly #random: Random;
  #id: string | undefined;
  #response: IncomingMessage | undefined;
  #stopped = false;

  constructor(random: Random) {
    this.#random = random;
    this.#open();
  }

  cut(): void {
    this.#response?.destroy();
  }

  stop(): void {
    this.#stopped = true;
    this.cut();
  }

  #open(): void {
    if (this.#stopped) return;
    const again = (): void => void setTimeout(() => this.#open(), 10);
    const request = get({
      port: this.#random.pick(ports),
      path: '/events',
      agent: false,
      headers: this.#id === undefined ? {} : { 'last-event-id': this.#id },
    });
    request.once('error', again);
    request.once('response', (response) => {
      request.off('error', again).on('error', () => undefined);
      this.#response = response;
      let rest = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        const blocks = (rest + chunk).split('\n\n');
        rest = blocks.pop() as string;
        blocks.forEach((block) => this.#take(block));
      });
      response.on('error', () => undefined).once('close', again);
    });
  }

  #take(block: string): void {
    const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s).slice(0, 2)));
    if (fields.event === 'connection') this.opened += 1;
    if (fields.event === 'reset') this.got.push('reset');
    if (fields.event === 'messages created') this.got.push(JSON.parse(fields.data).number);
    this.#id = fields.id ?? this.#id;
  }
}

async function until(holds: () => unknown): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

it('no client misses an event without being told, gets one twice, or in another order, while processes are killed and connections cut', async () => {
  const random = new Random(SEED);
  const variety = new Variety();
  clients.push(...Array.from({ length: CLIENTS }, () => new Client(random)));
  await until(() => clients.every(({ opened }) => opened > 0));
  let number = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const victim = random.below(3);
    const at = random.below(WRITES);
    variety.tried(`${round} ${victim} ${at}`);
    const writes: Promise<unknown>[] = [];
    for (let count = 0; count < WRITES; count++) {
      const body = JSON.stringify({ number: number++ });
      // What becomes of a write whose process is killed is for the database to say.
      const write = fetch(`http://127.0.0.1:${random.pick(ports)}/messages`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      }).catch(() => variety.took('write without an answer'));
      writes.push(write);
      if (count === at) {
        servers[victim]?.removeAllListeners('exit').kill('SIGKILL');
        variety.took('kill');
      }
      if (random.oneIn(4)) {
        random.pick(clients).cut();
        variety.took('cut');
      }
      if (random.oneIn(3)) await new Promise((resolve) => setTimeout(resolve, random.below(10)));
    }
    await Promise.all(writes);
    await startServer(victim);
  }
  const written = (await database.db.collection('messages').find().toArray()).map((message) => message.number as number);
  // One more by each process: whoever has it has all that was in front of it.
  const last = [0, 1, 2].map((index) => number + index);
  for (const index of [0, 1, 2]) {
    const body = JSON.stringify({ number: last[index] });
    await fetch(`http://127.0.0.1:${ports[index]}/messages`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  }
  await until(() => clients.every(({ got }) => got.includes(last[2] as number)));
  const told = clients.filter(({ got }) => got.includes('reset'));
  for (const _client of told) variety.took('reset');
  console.log(variety.report(`streams of three processes, ${CLIENTS} clients, ${written.length} events`, SEED));
  variety.expect(ROUNDS, { kill: ROUNDS, cut: ROUNDS });
  const whole = clients.filter((client) => !told.includes(client)).map(({ got }) => got);
  const [order = []] = whole;
  expect(whole.length).toBeGreaterThan(0);
  expect([...order].sort((a, b) => Number(a) - Number(b))).toEqual([...written, ...last].sort((a, b) => a - b));
  for (const got of whole) expect(got).toEqual(order);
  for (const { got } of told) {
    // Up to where it was told, and from there on, what it got is a piece of the one order.
    for (const piece of got.join().split(',reset,')) {
      const numbers = piece
        .split(',')
        .filter((text) => /^\d+$/.test(text))
        .map(Number);
      const from = order.indexOf(numbers[0] as number);
      expect(numbers).toEqual(order.slice(from, from + numbers.length));
    }
  }
});
