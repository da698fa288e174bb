/** The kinds of the flags by their names. */
export interface FlagKinds {
  readonly database: 'text';
  readonly login: 'text';
  readonly 'real-time': 'text';
  readonly js: 'switch';
  readonly ts: 'switch';
  readonly install: 'switch';
  readonly git: 'switch';
  readonly yes: 'switch';
  readonly 'dry-run': 'switch';
  readonly help: 'switch';
  readonly version: 'switch';
}

/** The flags of the command. A switch may be turned round: `--no-install`. */
export const FLAGS: FlagKinds = {
  database: 'text',
  login: 'text',
  'real-time': 'text',
  js: 'switch',
  ts: 'switch',
  install: 'switch',
  git: 'switch',
  yes: 'switch',
  'dry-run': 'switch',
  help: 'switch',
  version: 'switch',
};

/** Name of a flag. */
export type FlagName = keyof FlagKinds;

/** What was said of each flag. */
export type FlagValues = { readonly [N in FlagName]?: FlagKinds[N] extends 'switch' ? boolean : string };

/** Flags of one letter. */
export const SHORT: Readonly<Record<string, FlagName>> = { y: 'yes', h: 'help', v: 'version' };

/** Those that `service` takes. */
export const SERVICE_FLAGS: readonly FlagName[] = ['dry-run', 'help'];

/** Whether there is a flag of this name. */
export function isFlag(name: string): name is FlagName {
  return Object.hasOwn(FLAGS, name);
}
