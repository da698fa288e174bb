// Checks the types of all packages, which have to be built, in one process. What a package imports of others is taken as it is built: each source is
// checked once, with its own package, and not again with everyone that uses it, and files that several have in common are read once.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
// Below the root, so that `types` of a configuration are found.
const configurations = join(root, 'node_modules/.cache/typecheck');
rmSync(configurations, { recursive: true, force: true });

const projects = ['packages', 'internal', 'examples'].flatMap((parent) =>
  readdirSync(join(root, parent))
    .map((name) => join(parent, name))
    .filter(hasTypecheck)
    .map(projectOf),
);
console.log(`${projects.length} packages whose types are checked`);
// By force: of what is up to date it would not see that a package which it imports has changed.
// On one thread: it reads what all have in common once, where each of several reads it for itself.
process.argv.push('--build', '--force', '--noEmit', '--singleThreaded', ...projects);
await import(new URL('node_modules/typescript/bin/tsc', import.meta.url).href);

/** Every package that has the command for itself. */
function hasTypecheck(folder) {
  const manifest = join(root, folder, 'package.json');
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).scripts?.typecheck === 'typecheck';
}

/** The configuration of a package, but for what it takes of others. @param {string} folder @returns {string} path of its file */
function projectOf(folder) {
  const path = join(configurations, folder.replaceAll(/[\\/]/g, '-'));
  mkdirSync(path, { recursive: true });
  const compilerOptions = { customConditions: null };
  const configuration = { extends: join(root, folder, 'tsconfig.json'), compilerOptions };
  writeFileSync(join(path, 'tsconfig.json'), JSON.stringify(configuration));
  return path;
}
