// A copy of the checkout with everything that it needs installed: for what must not touch the files that somebody works on.
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pnpm, root } from './pnpm.mjs';

const LEFT_OUT = new Set(['node_modules', '.git', '.turbo', '.test-results', '.stryker']);

/** @param {string} destination a folder that does not exist yet @returns {string} the same */
export function copyCheckout(destination) {
  mkdirSync(destination, { recursive: true });
  const wanted = (path) =>
    !relative(root, path)
      .split(sep)
      .some((part) => LEFT_OUT.has(part));
  for (const entry of readdirSync(root))
    if (!LEFT_OUT.has(entry)) cpSync(join(root, entry), join(destination, entry), { recursive: true, filter: wanted });
  pnpm(['install', '--frozen-lockfile', '--prefer-offline', '--ignore-scripts'], { cwd: destination });
  return destination;
}
