import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * The folder of a package that the application has installed.
 *
 * @param name for example `rapidoc`
 * @param reason what needs it, for the error
 * @throws Error that names the command which installs it
 */
export function installedPackage(name: string, reason: string): string {
  // The folder that the program was started in, the program, and this package, which has no address in a bundle.
  const [, program] = process.argv;
  for (const from of [resolve('package.json'), program && resolve(program), import.meta.url]) {
    const found = from ? folderOf(name, from) : undefined;
    if (found !== undefined) return found;
  }
  throw new Error(`${reason} needs the package ${name}, which is not installed: npm install ${name}`);
}

/**
 * Packages may keep their package.json to themselves, so that it is looked for where Node looks. What looks there is asked for without an import, which webpack
 * would answer with nothing.
 */
function folderOf(name: string, from: string): string | undefined {
  const folders = process.getBuiltinModule('node:module').createRequire(from).resolve.paths(name) ?? [];
  return folders.map((folder) => join(folder, name)).find((folder) => existsSync(join(folder, 'package.json')));
}
