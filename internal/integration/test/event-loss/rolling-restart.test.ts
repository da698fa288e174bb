import { Random, Variety } from '@framework-internal/random';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { listen, type Client } from './clients.ts';
import { expectOneOrder, haveGot, until, wait } from './order.ts';
import { Processes, write, writeLast } from './processes.ts';

const CLIENTS = 12;

let database: TestDatabase;
let processes: Processes;
const clients: Client[] = [];
beforeAll(async () => {
  database = await startDatabase();
  processes = await Processes.start(3, { uri: database.uri, name: database.db.databaseName });
});
afterAll(async () => {
  for (const client of clients) client.stop();
  await processes.stop();
  await database.close();
});

it('three processes that are restarted one after the other under load lose no write and no event, and nobody has to read again', async () => {
  const seed = Number(process.env.RESTART_SEED ?? 20261122);
  const random = new Random(seed);
  const variety = new Variety();
  clients.push(...listen(CLIENTS, { random, ports: processes.ports }));
  await until(() => clients.every(({ opened }) => opened > 0));
  // What a process loads takes longest, and nothing is written or listened to by it meanwhile.
  await Promise.all(processes.ports.map((_, index) => processes.makeReady(index)));
  let [next, isOver] = [0, false];
  const acknowledged: number[] = [];
  const load = async (): Promise<void> => {
    while (!isOver) {
      const number = next++;
      const what = await write(random.pick(processes.ports), number);
      variety.took(what);
      variety.tried(`write ${number}`);
      if (what === 'written') acknowledged.push(number);
      await wait(random.below(20));
    }
  };
  const loads = [load(), load(), load(), load()];
  for (const index of [0, 1, 2]) {
    await until(() => acknowledged.length > 30 * (index + 1));
    await processes.end(index);
    await processes.startAgain(index);
  }
  isOver = true;
  await Promise.all(loads);
  await haveGot(clients, await writeLast(processes.ports, next));
  const messages = await database.db.collection('messages').find().toArray();
  const written = messages.map((message) => message.number as number);
  console.log(variety.report(`writes while processes restart, ${CLIENTS} clients`, seed));
  variety.expect(50, { written: 50, refused: 3 });
  expect(written).toEqual(expect.arrayContaining(acknowledged));
  expect(clients.filter(({ got }) => got.includes('reset'))).toEqual([]);
  expectOneOrder(
    clients.map(({ got }) => got),
    written,
  );
});
