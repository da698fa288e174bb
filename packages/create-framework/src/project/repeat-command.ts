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

/** Options of an address that are secrets, or hold some: `tlsCertificateKeyFilePassword`, `authMechanismProperties=AWS_SESSION_TOKEN:…`. */
const SECRET_OPTION = /passw|token|secret/i;

/** Whoever repeats it puts the user, the password and other secrets in again. */
function withoutCredentials(url: string): string {
  const [full = '', options = ''] = url.split('?', 2);
  const address = full.replace(/\/\/.*@/, '//');
  const open = options.split('&').filter((option) => option !== '' && !SECRET_OPTION.test(option));
  return open.length > 0 ? `${address}?${open.join('&')}` : address;
}

/** As shells take it. */
const quoted = (text: string): string => (/^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`);
