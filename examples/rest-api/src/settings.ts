import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { configuration, type SettingsOf } from '@framework/configuration';
import { Type } from '@framework/schema';

const settingsSchema = Type.Object(
  {
    port: Type.Integer({ minimum: 0, maximum: 65_535, description: 'Port of the HTTP server' }),
    dataDir: Type.String({ minLength: 1, description: 'Folder of the embedded database and of the signing secret' }),
    databaseUrl: Type.Optional(
      Type.String({ pattern: '^mongodb(\\+srv)?://', description: 'A MongoDB server; without it the embedded database is used' }),
    ),
    authentication: Type.Object({
      secret: Type.Optional(Type.String({ minLength: 32, description: 'Signs access tokens; without it one is made and kept' })),
    }),
  },
  { additionalProperties: false },
);

/** The settings of this application, by `app.get`. */
export type Settings = SettingsOf<typeof settingsSchema>;

/** An application with these settings. */
export interface Configured {
  get<N extends keyof Settings>(name: N): Settings[N];
  set<N extends keyof Settings>(name: N, value: Settings[N]): unknown;
}

/** Reads the settings from `config` and from the environment variables that its map names. */
export const settings = configuration({ schema: settingsSchema, directory: join(import.meta.dirname, '../config') });

/**
 * Tokens stay valid over a restart: where no secret is set, one is made and kept beside the data.
 *
 * @throws Error for a folder that can not be used
 */
export function keepSecret(app: Configured): void {
  const authentication = app.get('authentication');
  if (authentication.secret !== undefined) return;
  const folder = resolve(app.get('dataDir'));
  try {
    app.set('authentication', { ...authentication, secret: secretIn(folder) });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(`The folder ${folder} can not be used (${String(code)}): set DATA_DIR to one that this user may write to.`, { cause });
  }
}

function secretIn(folder: string): string {
  const path = join(folder, 'secret');
  if (!existsSync(path)) {
    makeFolder(folder);
    writeFileSync(path, randomBytes(48).toString('base64'), { mode: 0o600 });
  }
  return readFileSync(path, 'utf8');
}

/** One after the other: the option `recursive` of Node.js tries for ever where a file system makes no folders, as `/proc` does. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path);
}
