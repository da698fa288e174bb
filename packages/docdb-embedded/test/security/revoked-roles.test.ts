import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Document, MongoClient } from 'mongodb';
import { DocDbServer } from '../../src/index.ts';

let server: DocDbServer;
let root: MongoClient;
const connect = (username: string, authSource: string): Promise<MongoClient> =>
  new MongoClient(server.uri, { auth: { username, password: 'secret' }, authSource }).connect();

beforeAll(async () => {
  server = await DocDbServer.start({ auth: { user: 'root', password: 'secret' } });
  root = await connect('root', 'admin');
  await root
    .db('app')
    .collection('items')
    .insertMany(Array.from({ length: 400 }, (_, at) => ({ at })));
});
afterAll(async () => {
  await root.close();
  await server.stop();
});

/** Takes a while, and finds some at the end. */
const late = {
  $expr: { $and: [{ $lt: [{ $sum: { $map: { input: { $range: [0, 5000] }, in: '$$this' } } }, 1e15] }, { $gt: ['$at', 390] }] },
};

it.each<[string, Document]>([
  ['find', { find: 'items', filter: late, batchSize: 2 }],
  ['aggregate', { aggregate: 'items', pipeline: [{ $match: late }], cursor: { batchSize: 2 } }],
])('leave no cursor to a %s that runs meanwhile', async (name, command) => {
  await root.db('app').command({ createUser: name, pwd: 'secret', roles: ['readWrite'] });
  const client = await connect(name, 'app');
  try {
    const asked = client
      .db('app')
      .command(command)
      .catch((error: unknown) => error);
    const isRunning = async (): Promise<boolean> =>
      ((await root.db('admin').command({ currentOp: 1, ns: 'app.items' })).inprog as Document[]).some(
        ({ command }) => name in (command as Document),
      );
    while (!(await isRunning())) await setTimeout(5);
    await root.db('app').command({ revokeRolesFromUser: name, roles: ['readWrite'] });
    expect(await asked).toMatchObject({ code: 13 });
    const { metrics } = await root.db('admin').command({ serverStatus: 1 });
    expect(Number((metrics as { cursor: { open: { total: unknown } } }).cursor.open.total)).toBe(0);
  } finally {
    await client.close();
  }
});
