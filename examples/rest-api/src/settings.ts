import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What the environment decides. */
export interface Settings {
  /** Port of the HTTP server. */
  readonly port: number;
  /** Folder of the embedded database and of the signing secret. */
  readonly dataDir: string;
  /** URL of a MongoDB server; without it the embedded database is used. */
  readonly databaseUrl: string | undefined;
  /** Secret that access tokens are signed with. */
  readonly secret: string;
}

/** Reads the settings from the environment: `PORT`, `DATA_DIR`, `DOCDB_URL`, `AUTH_SECRET`. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const port = Number(env.PORT ?? 3030);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`PORT must be a number from 0 to 65535, not '${String(env.PORT)}'`);
  const dataDir = resolve(env.DATA_DIR ?? 'data');
  return { port, dataDir, databaseUrl: env.DOCDB_URL === '' ? undefined : env.DOCDB_URL, secret: env.AUTH_SECRET ?? keptSecret(dataDir) };
}

/** Tokens stay valid over a restart: the secret is made once and kept beside the data. */
function keptSecret(dataDir: string): string {
  const path = join(dataDir, 'secret');
  if (existsSync(path)) return readFileSync(path, 'utf8');
  mkdirSync(dataDir, { recursive: true });
  const secret = randomBytes(48).toString('base64');
  writeFileSync(path, secret, { mode: 0o600 });
  return secret;
}
