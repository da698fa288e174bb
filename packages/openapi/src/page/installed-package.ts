import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * The folder of a package that the application has installed.
 *
 * @param name for example `rapidoc`
 * @param reason what needs it, for the error
 * @throws Error that names the command which installs it
 */
export function installedPackage(name: string, reason: string): string {
  // The folder that the program was started in, the program, and this package.
  const folder = pathToFileURL(join(process.cwd(), 'package.json')).href;
  const program = process.argv[1] === undefined ? [] : [pathToFileURL(process.argv[1]).href];
  for (const from of [folder, ...program, import.meta.url]) {
    const found = folderOf(name, from);
    if (found !== undefined) return found;
  }
  throw new Error(`${reason} needs the package ${name}, which is not installed: npm install ${name}`);
}

/** Packages may keep their package.json to themselves, so that it is looked for where Node looks. */
function folderOf(name: string, from: string): string | undefined {
  const folders = createRequire(from).resolve.paths(name) ?? [];
  return folders.map((folder) => join(folder, name)).find((folder) => existsSync(join(folder, 'package.json')));
}
