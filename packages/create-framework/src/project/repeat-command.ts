import { commandsOf } from '../package-manager/commands.ts';
import type { ProjectOptions } from '../project-options.ts';
import { VERSIONS } from './versions.ts';

/** The command that makes the same project again. It has no secret in it. */
export function repeatCommand(options: ProjectOptions): string {
  const { packageManager, folder, database, login, realTime, language } = options;
  const where = database.kind !== 'mongodb' ? database.kind : withoutCredentials(database.url);
  const flags = [`--database=${where}`, `--login=${login}`, `--real-time=${realTime}`, language === 'js' ? '--js' : '--ts', '--yes'];
  const create = commandsOf(packageManager).create.replace('«version»', VERSIONS['create-framework'] ?? 'latest');
  return [create.replace('«folder»', () => quoted(folder)), ...flags.map(quoted)].join(' ');
}

/** Whoever repeats it puts the user and the password in again. */
const withoutCredentials = (url: string): string => url.replace(/\/\/[^/]*@/, '//');

/** As shells take it. */
const quoted = (text: string): string => (/^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`);
