import { CommandError } from '../command-error.ts';
import { FLAGS, type FlagName, type FlagValues } from './flags.ts';

/** Those that mean the same to npm, or nothing there. `--version` and `--help` never come this far. */
const TAKEN: readonly FlagName[] = ['database', 'login', 'real-time', 'js', 'ts', 'install', 'git', 'yes', 'dry-run'];

/**
 * Flags that npm has taken for its own. What is not behind `--` in `npm create framework my-api --login=none` never comes to this command; npm tells
 * of it in the environment.
 *
 * @param env variables of the environment
 * @param given flags that did come
 * @throws CommandError where npm has kept the flag and lost its value
 */
export function npmFlags(env: NodeJS.ProcessEnv, given: FlagValues): FlagValues {
  if (env.npm_config_user_agent?.startsWith('npm/') !== true) return {};
  // npm 11 takes `--js` for `--json`.
  if (env.npm_config_json === 'true' && given.js === undefined && given.ts === undefined) throw kept('js', '--js');
  const found: Record<string, string | boolean> = {};
  for (const name of TAKEN) {
    const value = env[`npm_config_${name.replaceAll('-', '_')}`];
    if (value === undefined || given[name] !== undefined) continue;
    if (FLAGS[name] === 'switch') {
      // What is something else is a setting of npm's own, such as where its git is.
      if (/^(?:true|false|)$/.test(value)) found[name] = value === 'true';
    } else if (value === 'true' || value === '') throw kept(name, `--${name}=…`);
    else found[name] = value;
  }
  return found;
}

const kept = (name: FlagName, flag: string): CommandError =>
  new CommandError(`npm has kept --${name} for itself. Write it behind --: npm create framework my-api -- ${flag}`);
