// Writes the changesets that follow from others; runs with `pnpm version-packages`, before versions are made.
//
// A package whose new version leaves the range that others have for it (a minor one before 1.0.0, else a major one) is followed by those with versions that leave their
// ranges too. Changesets give them patches, which `npm update` takes while the package itself stays: there would be two copies of it, which applications refuse
// (decisions 0030). The generator and the codemod name versions in what they write, and are released with what they name.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishedPackages } from './packages.mjs';
import { root } from './pnpm.mjs';

const KINDS = ['patch', 'minor', 'major'];
const folder = join(root, '.changeset');
const packages = new Map(publishedPackages().map(({ name, manifest, folder: home }) => [name, { manifest, home }]));

/** While there are versions before a release, the changesets that were in one of them. */
const pre = existsSync(join(folder, 'pre.json')) ? JSON.parse(readFileSync(join(folder, 'pre.json'), 'utf8')) : undefined;
const isPre = pre?.mode === 'pre';

/** Name of each package that is released, and by which kind of version at least. */
const planned = new Map();
/** Those that a changeset names which was in no version yet. */
const moved = new Set();
for (const file of readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md')) {
  const [, head = ''] = /^---\r?\n([\s\S]*?)\r?\n?---/.exec(readFileSync(join(folder, file), 'utf8')) ?? [];
  for (const [, name, kind] of head.matchAll(/^\s*["']?([^"':\s]+)["']?\s*:\s*["']?(major|minor|patch)["']?\s*$/gm)) {
    plan(name, kind);
    if (!isPre || !pre.changesets.includes(file.slice(0, -'.md'.length))) moved.add(name);
  }
}

/** What follows: by the package that is followed. */
const following = new Map();
for (let isNew = true; isNew;) {
  isNew = false;
  for (const [name] of packages) {
    if (planned.get(name) === undefined || KINDS.indexOf(planned.get(name)) < KINDS.indexOf(leaving(name))) continue;
    for (const [dependent, { manifest }] of packages) {
      if (!(name in (manifest.dependencies ?? {})) || !plan(dependent, leaving(dependent))) continue;
      note(name, dependent, leaving(dependent));
      isNew = true;
    }
  }
}
for (const [name, followers] of following) {
  write(
    `follows-${name.replace('@framework/', '')}`,
    followers,
    `Follows \`${name}\`, whose new version leaves the range of before: update both together.`,
  );
}

for (const followers of following.values()) for (const name of followers.keys()) moved.add(name);
// The first version before a release is in no range of before: what depends on it moves too.
const naming = ['create-framework', '@framework/migrate'].filter(
  (name) => !moved.has(name) && (isPre ? moved.size > 0 : [...moved].some((other) => names(name, other))),
);
if (naming.length > 0)
  write('follows-names', new Map(naming.map((name) => [name, 'patch'])), 'Names the present versions of the packages.');

/** @returns whether that is more than what was planned */
function plan(name, kind) {
  if (KINDS.indexOf(kind) <= KINDS.indexOf(planned.get(name))) return false;
  planned.set(name, kind);
  return true;
}

/** The kind of version that leaves a range such as ^0.1.0 or ^1.0.0. */
function leaving(name) {
  return packages.get(name).manifest.version.startsWith('0.') ? 'minor' : 'major';
}

function note(name, follower, kind) {
  following.set(name, (following.get(name) ?? new Map()).set(follower, kind));
}

/** @returns whether a package puts the version of another one into what it writes */
function names(name, other) {
  const file = { 'create-framework': 'src/project/versions.ts', '@framework/migrate': 'src/packages/versions.ts' }[name];
  return name !== other && readFileSync(join(packages.get(name).home, file), 'utf8').includes(`'${other}':`);
}

function write(title, kinds, text) {
  let file = `${title}.md`;
  for (let number = 2; existsSync(join(folder, file)); number += 1) file = `${title}-${number}.md`;
  const lines = [...kinds].map(([name, kind]) => `'${name}': ${kind}\n`).join('');
  writeFileSync(join(folder, file), `---\n${lines}---\n\n${text}\n`);
}
