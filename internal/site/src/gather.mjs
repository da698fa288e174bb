// Gathers the pages of the site: files of the repository with their links changed, and the reference.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { relink } from './links.mjs';
import { guidesLeftOut } from './navigation.mjs';
import { referencePages } from './reference/reference-pages.mjs';
import { pagesFolder, root } from './root.mjs';
import { sourcePages } from './sources.mjs';

/**
 * All pages, and what is wrong with them.
 *
 * @returns {{ pages: Map<string, string>, problems: string[] }} texts by page; dead links, guides that the navigation does not name, and public
 *   names that nothing describes
 */
export function gather() {
  const sources = sourcePages();
  const pages = new Map();
  const problems = guidesLeftOut().map((file) => `docs/guides/${file} is not in the navigation (internal/site/src/navigation.mjs)`);
  for (const [file, page] of sources) {
    const { text, dead } = pageOf(file, sources);
    pages.set(page, text);
    for (const target of dead) problems.push(`${file} links to ${target}, which is not there`);
  }
  const reference = referencePages();
  for (const [page, text] of reference.pages) pages.set(page, text);
  return { pages, problems: [...problems, ...reference.problems] };
}

/** Writes all pages anew. @param {Map<string, string>} pages */
export function writePages(pages) {
  rmSync(pagesFolder, { recursive: true, force: true });
  for (const [page, text] of pages) write(page, text);
}

/** Writes the page of one file again. @param {string} file @returns {string[]} its dead links */
export function writePage(file) {
  const sources = sourcePages();
  const { text, dead } = pageOf(file, sources);
  write(String(sources.get(file)), text);
  return dead;
}

/** Marks for scripts, such as those around figures, are no text. */
function pageOf(file, sources) {
  const { text, dead } = relink(file, readFileSync(join(root, file), 'utf8'), sources);
  return { text: text.replace(/^<!--.*-->\n/gm, ''), dead };
}

function write(page, text) {
  const path = join(pagesFolder, page);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
