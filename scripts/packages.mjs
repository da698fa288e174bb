// The packages that are published, and how they are packed for it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pnpm, root } from './pnpm.mjs';

/** @returns {{ name: string, folder: string, manifest: Record<string, any> }[]} in the order of their names */
export function publishedPackages(repository = root) {
  return readdirSync(join(repository, 'packages'))
    .sort()
    .map((short) => join(repository, 'packages', short))
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
    .filter(({ manifest }) => manifest.private !== true)
    .map(({ folder, manifest }) => ({ name: manifest.name, folder, manifest }));
}

/** Packs all of them into a folder. @param {string} destination @returns {Record<string, string>} files by package */
export function packAll(destination) {
  const filters = publishedPackages().map(({ name }) => `--filter=${name}`);
  pnpm([...filters, 'pack', '--pack-destination', destination]);
  return Object.fromEntries(
    publishedPackages().map(({ name, manifest }) => {
      const file = `${name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`;
      return [name, join(destination, file)];
    }),
  );
}
