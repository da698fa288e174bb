// PORT and DOCDB_URL change what stands here.
import type { AddressInfo } from 'node:net';
import { DocDbServer } from '@framework/docdb-embedded';
import { shutdownOn } from '@framework/transport-express';
import { MongoClient } from 'mongodb';
import { createApp } from './app.ts';
import { addSample } from './sample.ts';

const { DOCDB_URL, PORT = '3030' } = process.env;
const database = DOCDB_URL === undefined ? await DocDbServer.start() : undefined;
const client = await new MongoClient(DOCDB_URL ?? database?.uri ?? '').connect();
const db = client.db('aggregation');
if ((await db.collection('customers').countDocuments()) === 0) await addSample(db);
const app = createApp(db);
const server = await app.listen(Number(PORT), 'localhost');
shutdownOn(app, ['SIGINT', 'SIGTERM', 'disconnect'], {
  finish: async () => {
    await client.close();
    await database?.stop();
  },
});

const url = `http://localhost:${String((server.address() as AddressInfo).port)}`;
console.log(`
The reports are ready at ${url}

  The months with their sums, the last one first:
    curl -g '${url}/months?$sort[_id]=-1&$limit=3'

  Who has spent more than 1,600, the largest first:
    curl -g '${url}/buyers?spent[$gt]=1600&$sort[spent]=-1'

  Norwegians alone, of each the name and the sum:
    curl -g '${url}/buyers?country=NO&$select[]=name&$select[]=spent'
`);
