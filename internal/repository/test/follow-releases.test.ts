import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const repository = join(import.meta.dirname, '../../..');
const CHANGESETS = join(repository, 'node_modules/@changesets/cli/bin.js');
const NAMES = readdirSync(join(repository, 'packages'));

type Manifest = { name: string; version: string; dependencies?: Record<string, string> };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'releases-'));
  for (const file of ['package.json', 'pnpm-workspace.yaml', '.changeset/config.json', 'scripts']) copy(file);
  for (const name of NAMES) copy(`packages/${name}/package.json`);
  for (const file of ['core/src/version.ts', 'create-framework/src/project/versions.ts', 'migrate/src/packages/versions.ts'])
    copy(`packages/${file}`);
  git('init', '--quiet', '--initial-branch=main');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function copy(file: string): void {
  mkdirSync(join(folder, file, '..'), { recursive: true });
  cpSync(join(repository, file), join(folder, file), { recursive: true });
}

function run(command: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout + stderr);
}

function git(...args: string[]): void {
  run('git', ['-c', 'user.name=test', '-c', 'user.email=test@localhost', ...args]);
}

function manifest(name: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'packages', name, 'package.json'), 'utf8')) as Manifest;
}

function versions(): Record<string, string> {
  return Object.fromEntries(NAMES.map(manifest).map(({ name, version }) => [name, version]));
}

function setVersion(version: string): void {
  for (const name of NAMES) writeFileSync(join(folder, 'packages', name, 'package.json'), JSON.stringify({ ...manifest(name), version }));
}

/** What `pnpm version-packages` does, after a change of some packages. @returns the versions that moved */
function release(changes: Record<string, string>, title = 'change'): Record<string, string> {
  const before = versions();
  const lines = Object.entries(changes).map(([name, kind]) => `'${name}': ${kind}\n`);
  writeFileSync(join(folder, `.changeset/${title}.md`), `---\n${lines.join('')}---\n\nA change.\n`);
  git('add', '--all');
  git('commit', '--quiet', '--message=Change');
  versionPackages();
  return Object.fromEntries(Object.entries(versions()).filter(([name, version]) => version !== before[name]));
}

function versionPackages(): void {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
  for (const step of (scripts['version-packages'] ?? '').split(' && ')) {
    const [program = '', ...args] = step.split(' ');
    if (program === 'changeset') run(process.execPath, [CHANGESETS, ...args]);
    else run(program, args);
  }
}

/** The part of a version that a caret range fixes. */
function fixed(version = ''): string {
  const [major = '', minor = ''] = version.split('.');
  return major === '0' ? `0.${minor}` : major;
}

/**
 * What `npm update` takes keeps to the ranges of before. Whatever of a dependency leaves its range has to be followed by what depends on it, or there would be two copies.
 *
 * @returns the packages that `npm update` would give another copy of something
 */
function torn(before: Record<string, string>): string[] {
  const after = versions();
  const stays = (name: string): boolean => fixed(after[name]) === fixed(before[name]);
  return NAMES.map(manifest)
    .filter(({ name, dependencies = {} }) => stays(name) && Object.keys(dependencies).some((other) => other in after && !stays(other)))
    .map(({ name }) => name);
}

describe('a release', () => {
  const OF_CORE = ['adapter-docdb', 'audit', 'authentication-oauth', 'channels', 'events-redis', 'schema', 'transport-sse'];

  it.each([
    ['0.1.0', 'patch', '0.1.1', '0.1.0'],
    ['0.1.0', 'minor', '0.2.0', '0.2.0'],
    ['1.0.0', 'patch', '1.0.1', '1.0.0'],
    ['1.0.0', 'minor', '1.1.0', '1.0.0'],
    ['1.0.0', 'major', '2.0.0', '2.0.0'],
  ])('of the core %s by a %s version gives %s, and what depends on it %s', (before, kind, core, others) => {
    setVersion(before);
    const old = versions();
    const moved = release({ '@framework/core': kind });
    expect(moved['@framework/core']).toBe(core);
    expect(OF_CORE.map((name) => [name, versions()[`@framework/${name}`]])).toEqual(OF_CORE.map((name) => [name, others]));
    expect(torn(old)).toEqual([]);
    // What depends on nothing of it stays.
    expect(moved['@framework/query']).toBeUndefined();
  });

  it('of a package that nothing depends on moves that one, and the generator, which names it', () => {
    expect(release({ '@framework/audit': 'minor' })).toEqual({ '@framework/audit': '0.2.0', 'create-framework': '0.1.1' });
  });

  it('of two together takes the larger kind of each, and says in the changelogs why what follows does', () => {
    const old = versions();
    const moved = release({ '@framework/query': 'minor', '@framework/schema': 'patch' });
    expect(moved).toEqual({
      '@framework/adapter-docdb': '0.2.0',
      '@framework/adapter-memory': '0.2.0',
      '@framework/client': '0.2.0',
      '@framework/query': '0.2.0',
      '@framework/schema': '0.2.0',
      '@framework/migrate': '0.1.1',
      'create-framework': '0.1.1',
    });
    expect(torn(old)).toEqual([]);
    const changelog = (name: string): string => readFileSync(join(folder, `packages/${name}/CHANGELOG.md`), 'utf8');
    expect(changelog('client')).toContain(
      'Follows `@framework/query`, whose new version leaves the range of before: update both together.',
    );
    expect(changelog('create-framework')).toContain('## 0.1.1\n\n### Patch Changes\n\n- Names the present versions of the packages.');
    const named = readFileSync(join(folder, 'packages/create-framework/src/project/versions.ts'), 'utf8');
    expect(named).toContain("'@framework/schema': '0.2.0'");
    expect(named).toContain("'create-framework': '0.1.1'");
  });

  it('may have versions before it, of which each names the present ones', () => {
    const old = versions();
    run(process.execPath, [CHANGESETS, 'pre', 'enter', 'next']);
    expect(release({ '@framework/core': 'minor' })).toMatchObject({
      '@framework/core': '0.2.0-next.0',
      '@framework/schema': '0.2.0-next.0',
      'create-framework': '0.1.1-next.0',
    });
    expect(release({ '@framework/channels': 'patch' }, 'second')).toEqual({
      '@framework/channels': '0.2.0-next.1',
      '@framework/migrate': '0.1.1-next.1',
      'create-framework': '0.1.1-next.1',
    });
    run(process.execPath, [CHANGESETS, 'pre', 'exit']);
    versionPackages();
    expect(versions()).toMatchObject({ '@framework/core': '0.2.0', '@framework/channels': '0.2.0', 'create-framework': '0.1.1' });
    expect(torn(old)).toEqual([]);
    expect(readdirSync(join(folder, '.changeset'))).toEqual(['config.json']);
  });
});
