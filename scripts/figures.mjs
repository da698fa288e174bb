// Keeps the tables of figures in texts as benchmarks/RESULTS.md has them. A text has `<!-- figures: <Node.js version>, <start of the
// table's head> -->` in front of a table and `<!-- end -->` behind it. Without `--update` it fails when a text says something else.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './pnpm.mjs';

export const TEXTS = ['README.md', 'docs/guides/performance.md'];

/**
 * A text with its tables as the results have them.
 *
 * @param {string} text
 * @param {string} results what RESULTS.md holds
 * @throws Error for a table that the results do not have
 */
export function withFigures(text, results) {
  return text.replace(/(<!-- figures: (\d+), (.+?) -->\n)[\s\S]*?(<!-- end -->)/g, (_all, before, version, head, after) => {
    return `${before}\n${tableOf(results, version, head)}\n\n${after}`;
  });
}

function tableOf(results, version, head) {
  const section = results.split(/^(?=## )/m).find((part) => part.startsWith(`## Node.js ${version}.`));
  const table = section?.split('\n\n').find((part) => part.startsWith(`| ${head}`));
  if (table === undefined) throw new Error(`benchmarks/RESULTS.md has no table '${head}' for Node.js ${version}`);
  return table.trim();
}

/** Writes the tables into all texts. @returns {string[]} the texts that said something else */
export function updateFigures() {
  const changed = outdated();
  const results = readFileSync(join(root, 'benchmarks/RESULTS.md'), 'utf8');
  for (const file of changed) writeFileSync(join(root, file), withFigures(readFileSync(join(root, file), 'utf8'), results));
  return changed;
}

/** @returns {string[]} the texts whose tables are not those of the results */
export function outdated() {
  const results = readFileSync(join(root, 'benchmarks/RESULTS.md'), 'utf8');
  return TEXTS.filter((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return withFigures(text, results) !== text;
  });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const update = process.argv.includes('--update');
  const changed = update ? updateFigures() : outdated();
  for (const file of changed) console.log(update ? `${file} is written` : `${file} has other figures: node scripts/figures.mjs --update`);
  if (!update && changed.length > 0) process.exitCode = 1;
}
