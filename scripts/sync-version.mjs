// Writes versions into sources that name them; runs with `pnpm version-packages`: that of @framework/core into itself, and those of all packages into the
// generator and the codemod, which put them into applications. Those two are released too when what they name has moved.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { publishedPackages } from './packages.mjs';
import { root } from './pnpm.mjs';

const text = (file) => readFileSync(`${root}/${file}`, 'utf8');
const write = (file, content) => writeFileSync(`${root}/${file}`, content);
const versions = new Map(publishedPackages().map(({ name, manifest }) => [name, manifest.version]));

const core = 'packages/core/src/version.ts';
write(core, text(core).replace(/'[^']*';$/m, `'${versions.get('@framework/core')}';`));

for (const [folder, file] of [
  ['create-framework', 'src/project/versions.ts'],
  ['migrate', 'src/packages/versions.ts'],
]) {
  const path = `packages/${folder}/${file}`;
  const before = text(path);
  const named = (all, name, own) => (versions.has(name) && name !== folder ? `'${name}': '${versions.get(name)}'` : `'${name}': '${own}'`);
  let after = before.replace(/'((?:@framework\/)?[\w-]+)': '(\d[^']*)'/g, named);
  const manifest = `packages/${folder}/package.json`;
  if (after !== before && JSON.parse(text(manifest)).version === releasedVersion(manifest)) {
    const [major, minor, patch] = JSON.parse(text(manifest)).version.split('.').map(Number);
    write(manifest, text(manifest).replace(/"version": "[^"]*"/, `"version": "${major}.${minor}.${patch + 1}"`));
  }
  after = after.replace(
    /'create-framework': '[^']*'/,
    `'create-framework': '${JSON.parse(text('packages/create-framework/package.json')).version}'`,
  );
  write(path, after);
}

/** The version before this release. */
function releasedVersion(manifest) {
  return JSON.parse(execFileSync('git', ['show', `HEAD:${manifest}`], { cwd: root, encoding: 'utf8' })).version;
}
