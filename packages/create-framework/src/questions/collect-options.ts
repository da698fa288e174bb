import type { FlagValues } from '../arguments/flags.ts';
import { CommandError } from '../command-error.ts';
import { packageNameOf } from '../package-manager/package-name.ts';
import type { PackageManager, ProjectOptions } from '../project-options.ts';
import type { Ask } from './ask.ts';
import { databaseChoice, loginChoice, realTimeChoice } from './choices.ts';

/** What is done where nobody says otherwise. */
const STANDARD = { folder: 'my-api', database: 'embedded', login: 'local', realTime: 'none' };

/**
 * Asks for what the flags do not say: at most four questions.
 *
 * @param folder the folder that was named, if any
 * @param ask undefined where nobody is to be asked: the defaults are taken
 * @throws CommandError for what can not be
 */
export async function collectOptions(
  folder: string | undefined,
  flags: FlagValues,
  packageManager: PackageManager,
  ask: Ask | undefined,
): Promise<ProjectOptions> {
  if (flags.js === true && flags.ts === true) throw new CommandError('--js and --ts say different things');
  const answer = async (
    given: string | undefined,
    question: string,
    standard: string,
    check: (text: string) => unknown,
  ): Promise<string> => {
    const known = given ?? (ask ? await ask(question, standard, check) : standard);
    check(known);
    return known;
  };
  // What is given is looked at before anything is asked.
  if (folder !== undefined) packageNameOf(folder);
  if (flags.database !== undefined) databaseChoice(flags.database, 'app');
  if (flags.login !== undefined) loginChoice(flags.login);
  if (flags['real-time'] !== undefined) realTimeChoice(flags['real-time']);
  const named = await answer(folder, 'Folder', STANDARD.folder, packageNameOf);
  const name = packageNameOf(named);
  const asDatabase = (text: string): unknown => databaseChoice(text, name);
  const database = await answer(flags.database, 'Database: memory, embedded, or mongodb://…', STANDARD.database, asDatabase);
  const login = await answer(flags.login, 'Login: none, local (password), or oauth (password and GitHub)', STANDARD.login, loginChoice);
  const realTime = await answer(flags['real-time'], 'Real-time events: none, sse, or socketio', STANDARD.realTime, realTimeChoice);
  return {
    name,
    folder: named,
    language: flags.js === true || flags.ts === false ? 'js' : 'ts',
    database: databaseChoice(database, name),
    login: loginChoice(login),
    realTime: realTimeChoice(realTime),
    packageManager,
  };
}
