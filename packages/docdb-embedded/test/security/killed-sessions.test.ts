import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Document, MongoClient } from 'mongodb';
import { DocDbServer } from '../../src/index.ts';

let server: DocDbServer;
let root: MongoClient;
let ann: MongoClient;
let bob: MongoClient;
const connect = (username: string, authSource: string): Promise<MongoClient> =>
  new MongoClient(server.uri, { auth: { username, password: 'secret' }, authSource }).connect();

beforeAll(async () => {
  server = await DocDbServer.start({ auth: { user: 'root', password: 'secret' } });
  root = await connect('root', 'admin');
  for (const createUser of ['ann', 'bob']) await root.db('app').command({ createUser, pwd: 'secret', roles: ['readWrite'] });
  [ann, bob] = [await connect('ann', 'app'), await connect('bob', 'app')];
  await root.db('app').collection('items').insertOne({});
});
afterAll(async () => {
  for (const client of [root, ann, bob]) await client.close();
  await server.stop();
});

it.each<[string, Document]>([
  ['killAllSessions', { killAllSessions: [{ user: 'ann', db: 'app' }] }],
  ['killAllSessionsByPattern', { killAllSessionsByPattern: [{ users: [{ user: 'ann', db: 'app' }] }] }],
])('%s ends the sessions of the user that it names', async (_name, command) => {
  const asked = [ann, bob].map((client) => ({ client, session: client.startSession() }));
  const readAll = (): Promise<unknown[]> =>
    Promise.all(
      asked.map(({ client, session }) =>
        client
          .db('app')
          .collection('items')
          .countDocuments({}, { session })
          .catch((error: unknown) => (error as { code?: unknown }).code),
      ),
    );
  for (const { session } of asked) session.startTransaction();
  expect(await readAll()).toEqual([1, 1]);
  await root.db('admin').command(command);
  expect(await readAll()).toEqual([251, 1]);
  for (const { session } of asked) await session.endSession();
});
