import type { ProjectOptions } from '../project-options.ts';
import { VERSIONS } from './versions.ts';

/** What is installed besides packages of this repository. Tools are pinned: what was clean stays clean. */
const OTHERS: Readonly<Record<string, string>> = {
  '@eslint/js': '10.0.1',
  '@types/express': '5.0.6',
  '@types/node': '20.19.43',
  eslint: '10.15.0',
  express: '^5.3.0',
  globals: '17.14.0',
  mongodb: '^7.8.0',
  'socket.io': '^4.8.4',
  'socket.io-client': '4.8.4',
  typescript: '6.0.3',
  'typescript-eslint': '8.73.0',
};

/** What a project depends on, and what it is developed with: versions by name. */
export interface Dependencies {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** The packages of a project. */
export function dependenciesOf({ database, login, realTime, language }: ProjectOptions): Dependencies {
  const wanted = ['core', 'errors', 'openapi', 'schema', 'transport-express', 'express'];
  const tools = ['audit', '@eslint/js', '@types/express', '@types/node', 'eslint', 'typescript'];
  tools.push(language === 'ts' ? 'typescript-eslint' : 'globals');
  if (database.kind === 'memory') wanted.push('adapter-memory');
  else wanted.push('adapter-docdb', 'mongodb');
  if (database.kind === 'embedded') wanted.push('docdb-embedded');
  // Its tests need no server.
  if (database.kind === 'mongodb') tools.push('docdb-embedded');
  if (login !== 'none') wanted.push('authentication', 'authentication-local');
  if (login === 'oauth') wanted.push('authentication-oauth');
  if (realTime === 'sse') wanted.push('transport-sse');
  if (realTime === 'socketio') {
    wanted.push('transport-socketio', 'socket.io');
    // Its tests listen to events.
    tools.push('socket.io-client');
  }
  return { dependencies: versionsOf(wanted), devDependencies: versionsOf(tools) };
}

/** All that a project may have. */
export const projectPackages = (): string[] => [...Object.keys(VERSIONS), ...Object.keys(OTHERS)];

function versionsOf(names: readonly string[]): Record<string, string> {
  const entries = names.map((name): [string, string] => {
    const own = VERSIONS[`@framework/${name}`];
    if (own !== undefined) return [`@framework/${name}`, `^${own}`];
    const other = OTHERS[name];
    if (other === undefined) throw new Error(`No version of ${name} is known`);
    return [name, other];
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
