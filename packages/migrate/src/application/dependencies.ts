import { moveOf, stays } from '../packages/package-moves.ts';
import { OTHERS, VERSIONS } from '../packages/versions.ts';

type Versions = Readonly<Record<string, string>>;

/** What an application depends on. */
export interface ManifestVersions {
  readonly dependencies: Versions;
  readonly devDependencies: Versions;
}

/** What its sources import once they are changed. */
export interface UsedPackages {
  /** Of this framework, and what comes with it. */
  readonly now: ReadonlySet<string>;
  /** Of FeathersJS: those of clients, and others that stay. */
  readonly kept: ReadonlySet<string>;
  readonly typescript: boolean;
}

/** Tools of FeathersJS, and packages that are parts of others here. */
const GONE: ReadonlySet<string> = new Set(['@feathersjs/cli', '@feathersjs/adapter-commons', '@feathersjs/transport-commons']);

/** Packages that others of FeathersJS bring along, and that modules of clients and of adapters go on using. */
const BROUGHT: ReadonlySet<string> = new Set(['@feathersjs/feathers', '@feathersjs/adapter-commons']);

/** The dependencies of the changed application: in the order in which they stood, and what is new behind them. */
export function movedDependencies(before: ManifestVersions, { now, kept, typescript }: UsedPackages): ManifestVersions {
  const wanted = new Set(now);
  if (wanted.has('@framework/transport-express')) wanted.add('express');
  if (wanted.has('@framework/transport-socketio')) wanted.add('socket.io');
  const after = { dependencies: new Map<string, string>(), devDependencies: new Map<string, string>() };
  const groups = ['dependencies', 'devDependencies'] as const;
  for (const group of groups) {
    for (const [name, version] of Object.entries(before[group])) {
      const move = moveOf(name);
      // TypeBox of another version has other types.
      if (name === '@sinclair/typebox' && wanted.delete(name)) after[group].set(name, OTHERS[name] ?? version);
      else if (kept.has(name) || (move === undefined && !GONE.has(name)))
        after[group].set(name, group === 'devDependencies' && name === 'typescript' ? atLeast(version) : version);
      if (move !== undefined && wanted.delete(move.to)) after[group].set(move.to, `^${versionOf(move.to)}`);
    }
  }
  for (const name of wanted) {
    if (groups.some((group) => after[group].has(name))) continue;
    after.dependencies.set(name, VERSIONS[name] === undefined ? (OTHERS[name] ?? '*') : `^${versionOf(name)}`);
  }
  // npm finds what a package that goes has brought along, whether it stands here or not.
  for (const name of kept) {
    if ((!stays(name) && !BROUGHT.has(name)) || groups.some((group) => after[group].has(name))) continue;
    after.dependencies.set(name, OTHERS[name] ?? incumbent(before));
  }
  const types = '@types/express';
  if (typescript && now.has('@framework/transport-express') && !groups.some((group) => after[group].has(types))) {
    after.devDependencies.set(types, OTHERS[types] ?? '*');
  }
  return { dependencies: Object.fromEntries(after.dependencies), devDependencies: Object.fromEntries(after.devDependencies) };
}

/** The version of FeathersJS that the application has: its packages have the same. */
function incumbent({ dependencies, devDependencies }: ManifestVersions): string {
  const versions = { ...devDependencies, ...dependencies };
  const [some] = Object.keys(versions).filter((name) => moveOf(name) !== undefined);
  return versions['@feathersjs/feathers'] ?? (some === undefined ? undefined : versions[some]) ?? '^5.0.0';
}

function versionOf(name: string): string {
  const version = VERSIONS[name];
  if (version === undefined) throw new Error(`No version of ${name} is known`);
  return version;
}

/** TypeScript 5.8 was the first to read ES modules from CommonJS. */
function atLeast(version: string): string {
  const [, major = '0', minor = '0'] = /(\d+)(?:\.(\d+))?/.exec(version) ?? [];
  const known = /\d/.test(version);
  return known && (Number(major) < 5 || (Number(major) === 5 && Number(minor) < 8)) ? (OTHERS.typescript ?? version) : version;
}
