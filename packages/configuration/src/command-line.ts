import type { Environment } from './files.ts';

/** What may be given as an argument of the command too, as for node-config: `node app.js --NODE_ENV=production`. */
const NAMES: readonly string[] = ['NODE_CONFIG_DIR', 'NODE_CONFIG_ENV', 'NODE_ENV', 'NODE_APP_INSTANCE'];

/** @returns the value of an argument `--NAME=value` of this process; `undefined` without such, or with nothing behind the sign */
export function argumentOf(name: string): string | undefined {
  const start = `--${name}=`;
  return (
    process.argv
      .slice(2)
      .find((argument) => argument.startsWith(start))
      ?.slice(start.length) || undefined
  );
}

/** @returns how an error names an argument */
export const shownArgument = (name: string): string => `the argument --${name}`;

/** The environment variables of this process, with the arguments that stand for some of them. */
export function ownEnvironment(): Environment {
  const given = NAMES.flatMap((name) => {
    const value = argumentOf(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return given.length === 0 ? process.env : { ...process.env, ...Object.fromEntries(given) };
}
