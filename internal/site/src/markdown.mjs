// What the checks have to know of a page: its prose, its links, its headings, its code.
import { slug } from './slug.mjs';

/**
 * @typedef {{ language: string, title: string, code: string, line: number }} CodeBlock
 */

const FENCE = /^( {0,3}|\s*)(`{3,}|~{3,})([^\n`]*)\n([\s\S]*?)^\s*\2[ \t]*$/gm;

/** @param {string} text of a page @returns {CodeBlock[]} */
export function codeBlocks(text) {
  return [...text.matchAll(FENCE)].map(({ 3: info, 4: code, index }) => {
    const [language = '', ...title] = info.trim().split(/\s+/);
    return { language, title: title.join(' '), code, line: text.slice(0, index).split('\n').length };
  });
}

/**
 * Changes what is not code.
 *
 * @param {string} text of a page
 * @param {(prose: string) => string} change
 */
export function mapProse(text, change) {
  const kept = [];
  const mark = (code) => `\u0000${kept.push(code) - 1}\u0000`;
  const prose = text.replace(FENCE, mark).replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, mark);
  return change(prose).replace(/\u0000(\d+)\u0000/g, (_mark, index) => restore(kept, Number(index)));
}

function restore(kept, index) {
  return kept[index].replace(/\u0000(\d+)\u0000/g, (_mark, inner) => restore(kept, Number(inner)));
}

/**
 * Changes the targets of links that are written as `[text](target)`.
 *
 * @param {string} text of a page
 * @param {(target: string) => string} change
 */
export function mapLinks(text, change) {
  return mapProse(text, (prose) =>
    prose.replace(/(\[[^\]]*\]\()([^)\s]+)(\))/g, (_all, before, target, after) => before + change(target) + after),
  );
}

/** @param {string} text of a page @returns {Set<string>} the anchors of its headings */
export function anchors(text) {
  const found = new Set();
  const plain = text.replace(FENCE, '');
  for (const [, heading] of plain.matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const own = slug(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, ''));
    let name = own;
    for (let count = 1; found.has(name); count++) name = `${own}-${count}`;
    found.add(name);
  }
  return found;
}
