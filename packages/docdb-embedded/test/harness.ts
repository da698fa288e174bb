import { existsSync, appendFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MongoClient, type Db, type Document } from 'mongodb';
import { DocDbServer } from '../src/index.ts';

/** A server with a connected client. */
export interface Harness {
  readonly server: DocDbServer;
  readonly client: MongoClient;
  readonly db: Db;
  stop(): Promise<void>;
}

/** Starts a server in memory, and connects the official driver to it. */
export async function start(): Promise<Harness> {
  const server = await DocDbServer.start({ failPoints: true });
  const client = await new MongoClient(server.uri, { ignoreUndefined: true }).connect();
  return {
    server,
    client,
    db: client.db('test'),
    async stop() {
      await client.close();
      await server.stop();
    },
  };
}

/** Waits until something runs, or waits for something itself, that `$currentOp` shows like this. */
export async function untilRunning(client: MongoClient, filter: Document): Promise<void> {
  const pipeline = [{ $currentOp: {} }, { $match: filter }];
  while ((await client.db('admin').aggregate(pipeline).toArray()).length === 0);
}

const data = join(dirname(fileURLToPath(import.meta.url)), '../../../../shared/data');

/** @returns the path of test data that is not part of the repository, or `undefined` when it is not there */
export function sharedData(name: string): string | undefined {
  const path = join(data, name);
  if (existsSync(path)) return path;
  leftOut(`../shared/data/${name} is not beside this checkout`);
  return undefined;
}

/** Says in the summary of the tests that something could not be tried here. */
export function leftOut(what: string): void {
  appendFileSync(join(process.cwd(), '.test-notes'), `left out: ${what}\n`);
}
