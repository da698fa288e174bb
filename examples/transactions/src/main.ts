// PORT and DOCDB_URL (a replica set, with the name of a database) change what stands here.
import type { AddressInfo } from 'node:net';
import { DocDbServer } from '@framework/docdb-embedded';
import { shutdownOn } from '@framework/transport-express';
import { MongoClient } from 'mongodb';
import { createApp } from './app.ts';

const { DOCDB_URL, PORT = '3030' } = process.env;
const database = DOCDB_URL === undefined ? await DocDbServer.start() : undefined;
const client = await new MongoClient(DOCDB_URL ?? database?.uri ?? '').connect();
const app = createApp(client);
const server = await app.listen(Number(PORT), 'localhost');
shutdownOn(app, ['SIGINT', 'SIGTERM', 'disconnect'], {
  finish: async () => {
    await client.close();
    await database?.stop();
  },
});

const [ann, bob] = await Promise.all(['Ann', 'Bob'].map((owner) => app.service('accounts').create({ owner, balance: 100 })));
const url = `http://localhost:${String((server.address() as AddressInfo).port)}`;
const post = `curl ${url}/transfers -H 'Content-Type: application/json' -d`;
console.log(`
The bank is ready at ${url}

  Ann gives Bob 30:
    ${post} '{"from":"${String(ann?._id)}","to":"${String(bob?._id)}","amount":30}'

  She has not so much: nothing of it happens:
    ${post} '{"from":"${String(ann?._id)}","to":"${String(bob?._id)}","amount":500}'

  What they have now:
    curl ${url}/accounts
`);
