import { CommandError } from '../command-error.ts';
import { nearestName } from '../arguments/nearest-name.ts';
import { databaseNameOf } from '../project/database-name.ts';
import type { DatabaseChoice, LoginChoice, RealTimeChoice } from '../project-options.ts';

const DATABASES: readonly string[] = ['memory', 'embedded'];
const LOGINS: Readonly<Record<string, LoginChoice>> = { none: 'none', no: 'none', local: 'local', oauth: 'oauth' };
const REAL_TIMES: Readonly<Record<string, RealTimeChoice>> = {
  no: 'none',
  none: 'none',
  false: 'none',
  yes: 'sse',
  true: 'sse',
  sse: 'sse',
  socketio: 'socketio',
  'socket.io': 'socketio',
};

/** `mongodb://hosts/database?options`; hosts may be several, the database has no dots. Nothing in it ends a text or a line. */
const MONGODB_URL = /^(mongodb(?:\+srv)?:\/\/[^\s/?#'"`\\$]+)(?:\/([^\s/?#'"`\\$.]*))?(\?[^\s#'"`\\$]*)?$/;

/**
 * @param text `memory`, `embedded` or the URL of a MongoDB server
 * @param name of the project: its database, where the URL names none
 * @throws CommandError for anything else
 */
export function databaseChoice(text: string, name: string): DatabaseChoice {
  if (text === 'memory' || text === 'embedded') return { kind: text };
  const [, server, database = '', options = ''] = MONGODB_URL.exec(text) ?? [];
  if (server !== undefined && text.length <= 2000)
    return { kind: 'mongodb', url: `${server}/${database || databaseNameOf(name)}${options}` };
  if (/^mongodb/i.test(text)) {
    // It may have a password in it, and is not repeated.
    throw new CommandError(
      'That is no URL of a MongoDB server: mongodb://host:27017/name. The name has no dots; spaces, quotes, # and $ are written as %20, %27, %23, %24',
    );
  }
  throw notThere('database', text, [...DATABASES, 'mongodb://…']);
}

/** @throws CommandError for anything but `none`, `local` and `oauth` */
export function loginChoice(text: string): LoginChoice {
  const choice = Object.hasOwn(LOGINS, text) ? LOGINS[text] : undefined;
  if (choice === undefined) throw notThere('login', text, ['none', 'local', 'oauth']);
  return choice;
}

/** @throws CommandError for anything but `none`, `sse`, `socketio`, `yes` and `no` */
export function realTimeChoice(text: string): RealTimeChoice {
  const choice = Object.hasOwn(REAL_TIMES, text) ? REAL_TIMES[text] : undefined;
  if (choice === undefined) throw notThere('real-time', text, ['none', 'sse', 'socketio']);
  return choice;
}

function notThere(flag: string, text: string, choices: readonly string[]): CommandError {
  const nearest = nearestName(text, choices);
  const hint = nearest === undefined ? `It is ${choices.join(', ')}` : `Did you mean ${nearest}?`;
  return new CommandError(`--${flag} can not be ${JSON.stringify(text.slice(0, 100))}. ${hint}`);
}
