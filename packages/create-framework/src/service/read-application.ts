import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../command-error.ts';

/** What of an application decides how its services are written. */
export interface ApplicationStyle {
  readonly language: 'ts' | 'js';
  readonly database: boolean;
  readonly login: boolean;
  readonly realtime: boolean;
  /** Whether its tests can start it: `test/start-app`. */
  readonly testable: boolean;
  /** Whether its tests can listen to events: `listen` of `test/start-app`. */
  readonly listens: boolean;
}

/**
 * Looks at the application in a folder.
 *
 * @throws CommandError for a folder without one, and for one that is laid out otherwise
 */
export function readApplication(folder: string): ApplicationStyle {
  const names = dependencyNames(join(folder, 'package.json'));
  if (!names.has('@framework/core')) {
    throw new CommandError('There is no application here: its package.json would depend on @framework/core. Go to its folder');
  }
  const language = (['ts', 'js'] as const).find((each) => existsSync(join(folder, `src/app.${each}`)));
  if (language === undefined) throw new CommandError('There is no src/app.ts and no src/app.js: services are written beside one');
  const database = names.has('@framework/adapter-docdb');
  if (!database && !names.has('@framework/adapter-memory')) {
    throw new CommandError('The application has no adapter: install @framework/adapter-docdb or @framework/adapter-memory first');
  }
  const start = join(folder, `test/start-app.${language}`);
  const startApp = existsSync(start) ? readFileSync(start, 'utf8') : undefined;
  return {
    language,
    database,
    login: names.has('@framework/authentication'),
    realtime: names.has('@framework/transport-sse') || names.has('@framework/transport-socketio'),
    testable: startApp !== undefined,
    listens: startApp !== undefined && /\bconst listen\b/.test(startApp),
  };
}

function dependencyNames(file: string): Set<string> {
  let manifest: unknown;
  try {
    manifest = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const absent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw new CommandError(
      absent ? 'There is no package.json here: go to the folder of an application' : `${file} is no JSON: correct it there`,
    );
  }
  const groups = ['dependencies', 'devDependencies'].map((key) => (isObject(manifest) ? manifest[key] : undefined));
  return new Set(groups.flatMap((group) => (isObject(group) ? Object.keys(group) : [])));
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
