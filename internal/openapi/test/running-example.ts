import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDatabase } from '@framework-internal/testing/database';
import { listen } from '@framework-internal/testing/http';
import { addServices, createApp } from '../../../examples/rest-api/src/app.ts';

/** The example with an empty database. */
export interface RunningExample {
  readonly app: ReturnType<typeof createApp>;
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the application of the example, without its cities. */
export async function startExample(): Promise<RunningExample> {
  const dataDir = mkdtempSync(join(tmpdir(), 'openapi-'));
  const database = await startDatabase();
  process.env.DATA_DIR = dataDir;
  const app = createApp();
  delete process.env.DATA_DIR;
  await addServices(app, database.db, async (db) => db.collection('cities'));
  const { url, stop } = await listen(app);
  return {
    app,
    url,
    async stop() {
      await stop();
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
