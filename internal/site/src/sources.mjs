// Which files of the repository are pages, and where.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

/** Folders whose files are pages, and the folder of the site that they are in. */
const FOLDERS = [
  ['docs/guides', 'guides'],
  ['docs/spec', 'spec'],
  ['decisions', 'decisions'],
];
/** Folders with a README in each folder within. */
const WITH_READMES = [
  ['packages', 'packages'],
  ['examples', 'examples'],
];
const SINGLE = [
  ['docs/README.md', 'index.md'],
  ['docs/quality.md', 'quality.md'],
  ['ARCHITECTURE.md', 'architecture.md'],
  ['CONTRIBUTING.md', 'contributing.md'],
  ['CODE_OF_CONDUCT.md', 'code-of-conduct.md'],
  ['SECURITY.md', 'reporting.md'],
  ['benchmarks/RESULTS.md', 'benchmarks/results.md'],
  ['benchmarks/LIMITS.md', 'benchmarks/limits.md'],
  ['packages/docdb-embedded/SUPPORTED.md', 'packages/docdb-embedded-supported.md'],
];

/** @returns {Map<string, string>} page by file, both as paths with `/`, of the repository and of the site */
export function sourcePages() {
  const pages = new Map(SINGLE.filter(([file]) => existsSync(join(root, file))));
  for (const [folder, target] of FOLDERS) {
    for (const name of readdirSync(join(root, folder)).sort()) {
      if (name.endsWith('.md')) pages.set(`${folder}/${name}`, `${target}/${name}`);
    }
  }
  for (const [folder, target] of WITH_READMES) {
    for (const name of readdirSync(join(root, folder)).sort()) {
      const file = `${folder}/${name}/README.md`;
      if (existsSync(join(root, file))) pages.set(file, `${target}/${name}.md`);
    }
  }
  return pages;
}
