// Fails when a row of docs/spec/clauses.md names a test that does not exist, or a clause of the interface has no row.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

const root = fileURLToPath(new URL('..', import.meta.url));
const sections = [
  '1',
  '2.1',
  '2.2',
  '2.3',
  '2.4',
  '2.5',
  '4.1',
  '4.2',
  '4.3',
  '4.4',
  '4.5',
  '4.6',
  '5.1',
  '5.2',
  '5.3',
  '5.4',
  '5.5',
  '6',
  '7',
  '8',
  '9',
];
const rows = readFileSync(join(root, 'docs/spec/clauses.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d[\d.#]* \|/.test(line))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
const known = new Map(rows.map((row) => [row[0], row]));

const problems = [...rows.flatMap(missingTest), ...sections.flatMap(missingSentences)];
const specification = join(root, '../shared/spec/interface.md');
if (existsSync(specification)) problems.push(...differences(sentencesOf(readFileSync(specification, 'utf8'))));
else console.log('The interface is not at hand: its sentences were left out');

for (const problem of problems) console.error(problem);
console.log(`${rows.length} clauses checked, ${problems.length} without a test`);
process.exitCode = problems.length === 0 ? 0 : 1;

function missingTest([clause, what, file, title]) {
  if (file === 'a heading' || file === 'asks nothing of the code') return [];
  const path = join(root, file);
  if (!existsSync(path)) return [`${clause} (${what}): ${file} does not exist`];
  return title !== '' && readFileSync(path, 'utf8').includes(title) ? [] : [`${clause} (${what}): ${file} has no test titled '${title}'`];
}

/** Sentences are numbered without gaps. */
function missingSentences(section) {
  const numbers = [...known.keys()].filter((clause) => clause.startsWith(`${section}#`)).map((clause) => Number(clause.split('#')[1]));
  if (numbers.length === 0) return [`section ${section} has no sentence`];
  return numbers.flatMap((number, index) => (number === index + 1 ? [] : [`${section}#${index + 1} has no row`]));
}

/** Every sentence, list item and table row. */
function sentencesOf(text) {
  const found = [];
  let section;
  let tableLine = 0;
  for (const line of text.split('\n')) {
    const heading = /^#{2,3} (\d+(?:\.\d+)?)\.? /.exec(line);
    if (heading) section = heading[1];
    if (line.startsWith('#') || !sections.includes(section)) continue;
    tableLine = line.startsWith('|') ? tableLine + 1 : 0;
    if (tableLine > 2)
      found.push([
        section,
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim())
          .join(' — '),
      ]);
    const item = line.replace(/^\s*(?:[-*]|\d+\.)\s+/, '').trim();
    if (tableLine > 0 || item === '') continue;
    for (const sentence of item.split(/(?<=[.:])\s+(?=[A-Z`*"])/)) found.push([section, sentence]);
  }
  return found;
}

function differences(sentences) {
  const counts = new Map();
  const found = sentences.flatMap(([section, sentence]) => {
    const number = (counts.get(section) ?? 0) + 1;
    counts.set(section, number);
    const row = known.get(`${section}#${number}`);
    if (!row) return [`${section}#${number} has no row: ${sentence}`];
    return plain(sentence).trim().startsWith(plain(row[1])) ? [] : [`${section}#${number} has another text: ${sentence}`];
  });
  return known.size > sentences.length ? [...found, 'there are rows for sentences that the interface does not have'] : found;
}

function plain(text) {
  return text.replaceAll('**', '').replaceAll('|', '/');
}
