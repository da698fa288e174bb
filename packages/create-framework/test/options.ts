import type { DatabaseChoice, LoginChoice, ProjectOptions, RealTimeChoice } from '../src/index.ts';

/** Options of a project, with those that differ. */
export function options(different: Partial<ProjectOptions> = {}): ProjectOptions {
  return {
    name: 'my-api',
    folder: 'my-api',
    language: 'ts',
    database: { kind: 'memory' },
    login: 'none',
    realTime: 'none',
    packageManager: { name: 'npm', version: '11.0.0' },
    ...different,
  };
}

const DATABASES: readonly DatabaseChoice[] = [
  { kind: 'memory' },
  { kind: 'embedded' },
  { kind: 'mongodb', url: 'mongodb://ann:s3cret@db.example.com:27017/my-api' },
];
const LOGINS: readonly LoginChoice[] = ['none', 'local', 'oauth'];
const REAL_TIMES: readonly RealTimeChoice[] = ['none', 'sse', 'socketio'];

/** Every project that there can be. */
export const everyProject: readonly ProjectOptions[] = (['ts', 'js'] as const).flatMap((language) =>
  DATABASES.flatMap((database) =>
    LOGINS.flatMap((login) => REAL_TIMES.map((realTime) => options({ language, database, login, realTime }))),
  ),
);
