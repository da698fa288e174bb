import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');
const text = (file: string): string => readFileSync(join(root, file), 'utf8');

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly [name: string]: unknown;
}

const manifests = readdirSync(join(root, 'packages')).map((name) => ({
  short: name,
  manifest: JSON.parse(text(`packages/${name}/package.json`)) as Manifest,
}));
const workflows = readdirSync(join(root, '.github/workflows')).map((name) => [name, text(`.github/workflows/${name}`)] as const);

describe('S49 the supply chain', () => {
  it.each(manifests.map(({ short, manifest }) => [short, manifest] as const))('%s runs nothing when it is installed', (_name, manifest) => {
    const scripts = Object.keys(manifest.scripts ?? {});
    expect(scripts.filter((name) => /^(pre|post)?(install|prepare|publish)$|^prepublishOnly$/.test(name))).toEqual([]);
  });

  it('no dependency may run a script when it is installed', () => {
    expect(text('pnpm-workspace.yaml')).toContain('onlyBuiltDependencies: []');
  });

  it('each runtime dependency has its reason in decisions/0001', () => {
    const rows = text('decisions/0001-dependencies.md')
      .split('\n')
      .filter((line) => line.startsWith('| '));
    const reasons = new Map<string, Set<string>>();
    for (const row of rows) {
      const [, short = '', names = ''] = row.split('|').map((cell) => cell.trim());
      reasons.set(short, new Set([...(reasons.get(short) ?? []), ...names.split(',').map((name) => name.trim())]));
    }
    const used = manifests.flatMap(({ short, manifest }) =>
      Object.keys(manifest.dependencies ?? {})
        .filter((name) => !name.startsWith('@framework/'))
        .map((name) => [short, name] as const),
    );
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter(([short, name]) => reasons.get(short)?.has(name) !== true)).toEqual([]);
  });

  it('the lock file has a hash for each package, and no addresses', () => {
    const lock = text('pnpm-lock.yaml');
    const packages = lock.slice(lock.indexOf('\npackages:\n'), lock.indexOf('\nsnapshots:\n'));
    const entries = packages.match(/^ {2}\S.*:$/gm) ?? [];
    const hashes = packages.match(/^ {4}resolution: \{integrity: sha512-\S+\}$/gm) ?? [];
    expect(entries.length).toBeGreaterThan(100);
    expect(hashes).toHaveLength(entries.length);
    expect(lock).not.toMatch(/https?:\/\/(?!.*deprecated)[^\s]*\.tgz/);
  });

  it.each(manifests.map(({ short, manifest }) => [short, manifest] as const))('%s says where its sources are', (short, manifest) => {
    expect(manifest).toMatchObject({
      license: 'MIT',
      repository: { type: 'git', directory: `packages/${short}` },
      homepage: expect.stringContaining(`packages/${short}`),
      bugs: { url: expect.stringContaining('issues') },
      keywords: expect.arrayContaining([expect.any(String)]),
    });
  });

  it.each(workflows)('%s names its actions by digest and has no rights that it does not name', (_name, workflow) => {
    const uses = workflow.match(/uses: \S+/g) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    expect(uses.filter((use) => !/@[0-9a-f]{40}$/.test(use))).toEqual([]);
    expect(workflow).toContain('\npermissions: {}\n');
  });
});
