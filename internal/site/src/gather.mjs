// Gathers the pages of the site: files of the repository with their links changed, and the reference.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { relink } from './links.mjs';
import { pagesFolder, root } from './root.mjs';
import { sourcePages } from './sources.mjs';
import { referencePages } from './reference/reference-pages.mjs';

/**
 * Writes all pages.
 *
 * @param {{ reference?: boolean }} [options] `reference: false` leaves out what is made of doc comments
 * @returns {{ pages: number, problems: string[] }} dead links, and public names without a description
 */
export function gather({ reference = true } = {}) {
  rmSync(pagesFolder, { recursive: true, force: true });
  const pages = sourcePages();
  const problems = [];
  for (const [file, page] of pages) {
    const { dead } = writePage(file, page, pages);
    for (const target of dead) problems.push(`${file} links to ${target}, which is not there`);
  }
  if (!reference) return { pages: pages.size, problems };
  const made = referencePages();
  for (const [page, text] of made.pages) write(page, text);
  return { pages: pages.size + made.pages.size, problems: [...problems, ...made.problems] };
}

/** Writes the page of one file again. */
export function writePage(file, page, pages = sourcePages()) {
  const { text, dead } = relink(file, readFileSync(join(root, file), 'utf8'), pages);
  write(page, withoutMarks(text));
  return { dead };
}

/** Marks for scripts, such as those around figures, are no text. */
const withoutMarks = (text) => text.replace(/^<!--.*-->\n/gm, '');

function write(page, text) {
  const path = join(pagesFolder, page);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
