import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { VERSIONS as projectVersions } from '../../../packages/create-framework/src/project/versions.ts';
import { PACKAGE_MOVES } from '../../../packages/migrate/src/packages/package-moves.ts';
import { VERSIONS as migratedVersions } from '../../../packages/migrate/src/packages/versions.ts';

const root = join(import.meta.dirname, '../../..');
const text = (file: string): string => readFileSync(join(root, file), 'utf8');

const released = new Map(
  readdirSync(join(root, 'packages')).map((name) => {
    const { name: full, version } = JSON.parse(text(`packages/${name}/package.json`)) as { name: string; version: string };
    return [full, version] as const;
  }),
);

describe('what the generator and the codemod know of other packages', () => {
  it.each([
    ['create-framework', projectVersions],
    ['migrate', migratedVersions],
  ])('the versions in %s are those of the packages (`node scripts/sync-version.mjs` writes them)', (_name, versions) => {
    expect(Object.keys(versions).length).toBeGreaterThan(5);
    expect(versions).toEqual(Object.fromEntries(Object.keys(versions).map((name) => [name, released.get(name)])));
  });

  it('every name that the codemod writes is exported', () => {
    const missing: string[] = [];
    let seen = 0;
    for (const { to, same, renamed, standard } of Object.values(PACKAGE_MOVES)) {
      const wanted = [
        ...[...same].map((name) => ({ name, from: to })),
        ...Object.values(renamed).map(({ name, from = to }) => ({ name, from })),
        ...(standard === undefined ? [] : [{ name: standard, from: to }]),
      ];
      for (const { name, from } of wanted.filter((each) => each.from.startsWith('@framework/'))) {
        seen += 1;
        const api = text(`docs/api/${from.replace('@framework/', '')}.md`);
        const exported = new RegExp(`^export .*\\b${name}\\b|^export \\{[^}]*\\b${name}\\b`, 'm').test(api);
        if (!exported) missing.push(`${from}: ${name}`);
      }
    }
    expect(seen).toBeGreaterThan(100);
    expect(missing).toEqual([]);
  });
});
