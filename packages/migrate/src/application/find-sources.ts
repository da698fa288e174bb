import { lstatSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const SOURCE = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const MANIFEST = 'package.json';
/** Left out beside a manifest: elsewhere a service may be called so. */
const OF_PACKAGES: ReadonlySet<string> = new Set(['bower_components', 'coverage', 'public']);
/** More are no application. */
export const MAX_FILES = 20_000;

/**
 * Finds the sources of an application, and the `package.json` of packages inside. Folders that begin with a dot, links, and what is installed, compiled or sent as it is are left out.
 *
 * @param root absolute path of the application
 * @param compiled folders into which it compiles, from the root
 * @returns paths from the root, with `/`, sorted
 * @throws Error for more than 20,000
 */
export function findSources(root: string, compiled: ReadonlySet<string>): string[] {
  const found: string[] = [];
  const look = (folder: string): void => {
    const names = readdirSync(folder).sort();
    for (const name of names) {
      const path = join(folder, name);
      const local = relative(root, path).split(sep).join('/');
      if (name.startsWith('.') || name === 'node_modules' || compiled.has(local)) continue;
      if (OF_PACKAGES.has(name) && names.includes(MANIFEST)) continue;
      const kind = lstatSync(path);
      if (kind.isDirectory()) look(path);
      else if (kind.isFile() && (isSource(name, names) || (name === MANIFEST && folder !== root))) found.push(local);
      if (found.length > MAX_FILES)
        throw new Error(`There are more than ${String(MAX_FILES)} sources below ${root}: name the folder of one application`);
    }
  };
  look(root);
  return found;
}

/** Declarations that were made from a source beside them are none. */
function isSource(name: string, beside: readonly string[]): boolean {
  if (!SOURCE.test(name)) return false;
  const [, stem, kind = ''] = /^(.+)\.d\.([cm]?)ts$/.exec(name) ?? [];
  const origins = [`${stem}.${kind}js`, `${stem}.${kind}ts`, `${stem}.jsx`, `${stem}.tsx`];
  return stem === undefined || !origins.some((each) => beside.includes(each));
}
