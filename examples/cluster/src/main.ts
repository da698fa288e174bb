// One process for each core; all of them share one port and one database. PORT, WORKERS and DOCDB_URL change that.
import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { DocDbServer } from '@framework/docdb-embedded';
import { shutdownOn } from '@framework/transport-express';
import { MongoClient } from 'mongodb';
import { createApp } from './app.ts';
import { startWorkers } from './workers.ts';

if (cluster.isPrimary) {
  const own = process.env.DOCDB_URL === undefined ? await DocDbServer.spawn() : undefined;
  const url = own?.uri ?? process.env.DOCDB_URL ?? '';
  startWorkers(Number(process.env.WORKERS ?? availableParallelism()), { DOCDB_URL: url }, () => void own?.stop());
} else {
  const client = await new MongoClient(process.env.DOCDB_URL ?? '').connect();
  const app = createApp(client.db('cluster'));
  await app.listen(Number(process.env.PORT ?? 3030));
  // A signal of the terminal reaches every process, and that of the primary comes too: the first one counts. Until here, it ends the process at once.
  shutdownOn(app, ['SIGINT', 'SIGTERM'], { finish: () => client.close() });
}
