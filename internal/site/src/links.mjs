// Links between files of the repository become links between pages, and what leads nowhere is told.
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { anchors, mapLinks } from './markdown.mjs';
import { root, SOURCES } from './root.mjs';

/**
 * @param {string} file of the page, in the repository
 * @param {string} text of the page
 * @param {Map<string, string>} pages page by file
 * @returns {{ text: string, dead: string[] }} the page with links for the site, and the links that lead nowhere
 */
export function relink(file, text, pages) {
  const dead = [];
  const own = pages.get(file);
  const changed = mapLinks(text, (target) => {
    if (/^[a-z]+:/i.test(target)) return target;
    const [path = '', anchor] = decodeURI(target).split('#');
    const found = path === '' ? file : targetOf(posix.normalize(posix.join(posix.dirname(file), path)));
    if (found === undefined) {
      dead.push(target);
      return target;
    }
    if (anchor !== undefined && found.endsWith('.md') && !anchors(readFileSync(join(root, found), 'utf8')).has(anchor)) dead.push(target);
    const hash = anchor === undefined ? '' : `#${anchor}`;
    if (path === '') return hash;
    const page = pages.get(found);
    return page === undefined ? `${SOURCES}/${found}${hash}` : `${relative(own, page)}${hash}`;
  });
  return { text: changed, dead };
}

/** The file that a path means: itself, or the README of a folder. */
function targetOf(path) {
  const clean = path.replace(/\/$/, '');
  if (existsSync(join(root, clean, 'README.md'))) return posix.join(clean, 'README.md');
  return existsSync(join(root, clean)) ? clean : undefined;
}

/** @param {string | undefined} from @param {string} to pages */
function relative(from, to) {
  const path = posix.relative(posix.dirname(from ?? ''), to);
  return path.startsWith('.') ? path : `./${path}`;
}
