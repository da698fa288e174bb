// The sentences of the interface, as they are numbered in the map of its clauses.

const SECTIONS = '1 2.1 2.2 2.3 2.4 2.5 4.1 4.2 4.3 4.4 4.5 4.6 5.1 5.2 5.3 5.4 5.5 6 7 8 9'.split(' ');

/** Sentences are numbered without gaps. @param {import('./clause-map.mjs').Row[]} rows */
export function missingSentences(rows) {
  const known = rows.map((row) => row.clause);
  return SECTIONS.flatMap((section) => {
    const numbers = known.filter((clause) => clause.startsWith(`${section}#`)).map((clause) => Number(clause.split('#')[1]));
    if (numbers.length === 0) return [`section ${section} has no sentence`];
    return numbers.flatMap((number, index) => (number === index + 1 ? [] : [`${section}#${index + 1} has no row`]));
  });
}

/** What differs between the interface and the rows. @param {string} text @param {import('./clause-map.mjs').Row[]} rows */
export function sentenceDifferences(text, rows) {
  const known = new Map(rows.map((row) => [row.clause, row]));
  const sentences = sentencesOf(text);
  const counts = new Map();
  const found = sentences.flatMap(([section, sentence]) => {
    const number = (counts.get(section) ?? 0) + 1;
    counts.set(section, number);
    const row = known.get(`${section}#${number}`);
    if (!row) return [`${section}#${number} has no row: ${sentence}`];
    return plain(sentence).trim().startsWith(plain(row.what)) ? [] : [`${section}#${number} has another text: ${sentence}`];
  });
  return known.size > sentences.length ? [...found, 'there are rows for sentences that the interface does not have'] : found;
}

/** Every sentence, list item and table row. */
function sentencesOf(text) {
  const found = [];
  let section;
  let tableLine = 0;
  for (const line of text.split('\n')) {
    const heading = /^#{2,3} (\d+(?:\.\d+)?)\.? /.exec(line);
    if (heading) section = heading[1];
    if (line.startsWith('#') || !SECTIONS.includes(section)) continue;
    tableLine = line.startsWith('|') ? tableLine + 1 : 0;
    if (tableLine > 2) found.push([section, cellsOf(line).join(' — ')]);
    const item = line.replace(/^\s*(?:[-*]|\d+\.)\s+/, '').trim();
    if (tableLine > 0 || item === '') continue;
    for (const sentence of item.split(/(?<=[.:])\s+(?=[A-Z`*"])/)) found.push([section, sentence]);
  }
  return found;
}

function cellsOf(line) {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function plain(text) {
  return text.replaceAll('**', '').replaceAll('|', '/');
}
