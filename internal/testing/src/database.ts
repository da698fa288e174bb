import { randomUUID } from 'node:crypto';
import { MongoClient, type Db, type MongoClientOptions } from 'mongodb';
import { noteLeftOut } from './shared-data.ts';

/** A database for one test file. */
export interface TestDatabase {
  readonly client: MongoClient;
  /** An empty database with a name of its own. */
  readonly db: Db;
  readonly uri: string;
  /** What the tests run on. */
  readonly kind: 'url' | 'mongod' | 'embedded';
  close(): Promise<void>;
}

interface Server {
  readonly uri: string;
  readonly kind: TestDatabase['kind'];
  stop(): Promise<unknown>;
}

/** Milliseconds in which a real server must be ready. */
const REAL_SERVER_TIME = 60_000;

/**
 * The database that this run uses: `DOCDB_URL` when it is set; with `DOCDB=real` a mongod by mongodb-memory-server; else
 * the embedded one. The summary of the run says which.
 */
export async function startDatabase(options: MongoClientOptions = {}): Promise<TestDatabase> {
  const server = await startServer();
  noteLeftOut(`database: ${server.kind}${server.kind === 'embedded' ? ' (set DOCDB_URL or DOCDB=real to use a MongoDB server)' : ''}`);
  const client = await new MongoClient(server.uri, options).connect();
  const db = client.db(`test_${process.pid.toString(36)}_${randomUUID().slice(0, 8)}`);
  return {
    client,
    db,
    uri: server.uri,
    kind: server.kind,
    async close() {
      await db.dropDatabase();
      await client.close();
      await server.stop();
    },
  };
}

async function startServer(): Promise<Server> {
  const { DOCDB, DOCDB_URL } = process.env;
  if (DOCDB_URL && DOCDB !== 'embedded') return { uri: DOCDB_URL, kind: 'url', stop: async () => undefined };
  if (DOCDB === 'real') return startReal();
  return startEmbedded();
}

/** The one of the run, where the package's settings have started one (`sharesDatabase` of jest.preset.js); else one for this file alone. */
async function startEmbedded(): Promise<Server> {
  const { DOCDB_OF_TESTS } = process.env;
  if (DOCDB_OF_TESTS) return { uri: DOCDB_OF_TESTS, kind: 'embedded', stop: async () => undefined };
  const { DocDbServer } = await import('@framework/docdb-embedded');
  const server = await DocDbServer.start();
  return { uri: server.uri, kind: 'embedded', stop: () => server.stop() };
}

async function startReal(): Promise<Server> {
  const { MongoMemoryReplSet } = await import('mongodb-memory-server');
  const timeout = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('No mongod could be started in time. Unset DOCDB, or set DOCDB_URL')), REAL_SERVER_TIME).unref();
  });
  const server = await Promise.race([MongoMemoryReplSet.create({ replSet: { count: 1 } }), timeout]);
  return { uri: server.getUri(), kind: 'mongod', stop: () => server.stop() };
}
