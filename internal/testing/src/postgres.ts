import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';

/** An empty PostgreSQL that listens on loopback. */
export interface Postgres {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the database in this process: PostgreSQL itself, compiled to WebAssembly. Drivers reach it over its protocol. */
export async function startPostgres(): Promise<Postgres> {
  const database = await PGlite.create();
  const server = new PGLiteSocketServer({ db: database, host: '127.0.0.1', port: 0, maxConnections: 20 });
  await server.start();
  return {
    url: `postgres://postgres:postgres@${server.getServerConn()}/postgres`,
    async stop() {
      await server.stop();
      await database.close();
    },
  };
}
