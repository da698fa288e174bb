import type { PackageManager } from '../project-options.ts';

/** What is typed with a package manager. */
export interface ManagerCommands {
  /** Installs, as a person does. */
  readonly install: string;
  /** Installs exactly what the lock file says. */
  readonly installLocked: string;
  /** Takes out what only development needs. */
  readonly prune: string;
  /** Runs a script of the package, with its name behind it. */
  readonly run: string;
  readonly start: string;
  /** What stands in front of flags for a script. */
  readonly dashes: string;
  /** Runs this generator, with its flags behind it. */
  readonly create: string;
  /** Files that installing needs. */
  readonly manifests: string;
}

const COMMANDS: Readonly<Record<PackageManager['name'], ManagerCommands>> = {
  npm: {
    install: 'npm install',
    installLocked: 'npm ci',
    prune: 'npm prune --omit=dev',
    run: 'npm run',
    start: 'npm start',
    dashes: '-- ',
    create: 'npm create framework@«version» «folder» --',
    manifests: 'package.json package-lock.json',
  },
  pnpm: {
    install: 'pnpm install',
    installLocked: 'pnpm install --frozen-lockfile',
    prune: 'pnpm prune --prod',
    run: 'pnpm run',
    start: 'pnpm start',
    dashes: '',
    create: 'pnpm create framework@«version» «folder»',
    manifests: 'package.json pnpm-lock.yaml',
  },
  yarn: {
    install: 'yarn install',
    installLocked: 'yarn install --frozen-lockfile',
    prune: 'yarn install --production --frozen-lockfile',
    run: 'yarn run',
    start: 'yarn start',
    dashes: '',
    create: 'yarn create framework «folder»',
    manifests: 'package.json yarn.lock',
  },
  bun: {
    install: 'bun install',
    installLocked: 'bun install --frozen-lockfile',
    prune: 'rm -rf node_modules && bun install --production --frozen-lockfile',
    run: 'bun run',
    start: 'bun run start',
    dashes: '',
    create: 'bun create framework@«version» «folder»',
    manifests: 'package.json bun.lock',
  },
};

/** The commands of a package manager. */
export function commandsOf({ name, version }: PackageManager): ManagerCommands {
  if (name !== 'yarn' || !hasPlugAndPlay({ name, version })) return COMMANDS[name];
  return {
    ...COMMANDS.yarn,
    installLocked: 'yarn install --immutable',
    prune: 'yarn workspaces focus --production',
    manifests: 'package.json yarn.lock .yarnrc.yml',
  };
}

/** Whether it would install into no `node_modules`, where Node.js alone finds nothing. */
export const hasPlugAndPlay = ({ name, version }: PackageManager): boolean => name === 'yarn' && !/^[01]\.|^$/.test(version);

/**
 * Which package manager runs this: they all tell of themselves in one variable.
 *
 * @param agent such as `pnpm/10.34.8 npm/? node/v24.1.0 linux x64`
 */
export function packageManagerOf(agent: string | undefined): PackageManager {
  const [, name = '', version = ''] = /^([a-z]+)\/(\d+\.\d+\.\d+)/.exec(agent ?? '') ?? [];
  return name === 'pnpm' || name === 'yarn' || name === 'bun' ? { name, version } : { name: 'npm', version: name === 'npm' ? version : '' };
}
