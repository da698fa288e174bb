// Writes versions into sources that name them; runs with `pnpm version-packages`: that of @framework/core into itself, and those of all packages into the
// generator and the codemod, which put them into applications (`follow-releases.mjs` has those two released with what they name).
import { readFileSync, writeFileSync } from 'node:fs';
import { publishedPackages } from './packages.mjs';
import { root } from './pnpm.mjs';

const text = (file) => readFileSync(`${root}/${file}`, 'utf8');
const write = (file, content) => writeFileSync(`${root}/${file}`, content);
const versions = new Map(publishedPackages().map(({ name, manifest }) => [name, manifest.version]));

const core = 'packages/core/src/version.ts';
write(core, text(core).replace(/'[^']*';$/m, `'${versions.get('@framework/core')}';`));

for (const path of ['packages/create-framework/src/project/versions.ts', 'packages/migrate/src/packages/versions.ts']) {
  const named = (all, name) => (versions.has(name) ? `'${name}': '${versions.get(name)}'` : all);
  write(path, text(path).replace(/'((?:@framework\/)?[\w-]+)': '(\d[^']*)'/g, named));
}
