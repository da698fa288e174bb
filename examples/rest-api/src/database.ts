import { join, resolve } from 'node:path';
import { DocDbServer } from '@framework/docdb-embedded';
import { MongoClient, type Db } from 'mongodb';
import type { Configured } from './settings.ts';

/** An open database. */
export interface Database {
  readonly db: Db;
  readonly client: MongoClient;
  /** Closes the connection, and the embedded database when it was started here. */
  close(): Promise<void>;
}

/** Connects to the database of the settings; starts the embedded one, in a process of its own, when no URL is set. */
export async function openDatabase(app: Pick<Configured, 'get'>): Promise<Database> {
  const url = app.get('databaseUrl');
  const server = url === undefined ? await DocDbServer.spawn({ path: join(resolve(app.get('dataDir')), 'db') }) : undefined;
  const client = new MongoClient(url ?? server?.uri ?? '', { serverSelectionTimeoutMS: 10_000 });
  await client.connect();
  return {
    client,
    db: client.db('rest-api'),
    async close() {
      await client.close();
      await server?.stop();
    },
  };
}
