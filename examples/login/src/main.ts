import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DocDbServer } from '@framework/docdb-embedded';
import { MongoClient } from 'mongodb';
import { makeApp } from './app.ts';
import { startProvider } from './provider.ts';

const port = Number(process.env.PORT ?? 3030);
const origin = `http://localhost:${port}`;
const folder = mkdtempSync(join(tmpdir(), 'login-'));
const database = await DocDbServer.start({ path: folder });
const client = await new MongoClient(database.uri).connect();
const provider = await startProvider(port + 1, origin);
const app = makeApp(client.db('login'), origin, provider);
await app.listen(port, 'localhost');
console.log(`The shop is at ${origin}, its provider at ${provider.issuer}`);

process.once('SIGINT', () => void stop());
process.once('SIGTERM', () => void stop());

async function stop(): Promise<void> {
  await app.close();
  provider.stop();
  await client.close();
  await database.stop();
  rmSync(folder, { recursive: true });
}
