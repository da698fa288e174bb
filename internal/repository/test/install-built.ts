import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const packages = join(import.meta.dirname, '../../../packages');

/**
 * Puts a package into a folder as it is published: its built files. What it depends on is that of the workspace, except for our own packages.
 *
 * @param name name of the package without its scope
 * @param target its folder
 * @param modules `node_modules` that has what it depends on
 */
export function installBuilt(name: string, target: string, modules: string): void {
  mkdirSync(target, { recursive: true });
  cpSync(join(packages, name, 'dist'), join(target, 'dist'), { recursive: true });
  cpSync(join(packages, name, 'package.json'), join(target, 'package.json'));
  const { dependencies = {}, peerDependencies = {} } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as Record<
    string,
    object
  >;
  for (const other of Object.keys({ ...dependencies, ...peerDependencies }).filter((each) => !each.startsWith('@framework/'))) {
    const link = join(modules, other);
    if (existsSync(link)) continue;
    mkdirSync(join(link, '..'), { recursive: true });
    symlinkSync(join(packages, name, 'node_modules', other), link);
  }
}
