// The maps from the clauses of the interface, and from the lines of the security list, to tests: how their rows are read, and what
// is wrong with one, given what became of each test.

/**
 * @typedef {{ clause: string, what: string, file: string, title: string, why: string, line: number }} Row
 * @typedef {{ file: string, title: string, status: string, asserts: number, variant: string }} Test
 */

const NO_TEST = ['a heading', 'asks nothing of the code', 'open'];

/** @param {string} text of the map @param {RegExp} first what the first cell of a row looks like @returns {Row[]} */
export function readRows(text, first) {
  return text.split('\n').flatMap((line, index) => {
    const cells = line.startsWith('|')
      ? line
          .split(/(?<!\\)\|/)
          .slice(1, -1)
          .map((cell) => cell.trim().replaceAll('\\|', '|'))
      : [];
    const [clause = '', what = '', file = '', title = '', why = ''] = cells;
    return first.test(clause) ? [{ clause, what, file, title, why, line: index + 1 }] : [];
  });
}

/** The line of a row, as it stands in the map. @param {Row} row */
export function writeRow({ clause, what, file, title, why }) {
  return `| ${[clause, what, file, title, why].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`.replaceAll(/ {2,}\|/g, ' |');
}

/** @param {Row} row */
export const isOpen = (row) => row.file === 'open';

/** @param {Row} row */
export const namesTest = (row) => !NO_TEST.includes(row.file);

/** The file cell may say in which run the test has to pass: `packages/x/test/y.test.ts (Express 4)`. */
function placeOf(row) {
  const [, file, variant] = /^(\S+)(?: \((.+)\))?$/.exec(row.file) ?? [undefined, row.file];
  return { file, variant };
}

/**
 * What is wrong with the rows: a test that did not pass in this run, that asserts nothing, that is not there, or that proves several
 * clauses while the rows do not say why.
 *
 * @param {Row[]} rows
 * @param {Test[]} tests
 * @returns {string[]}
 */
export function problemsOf(rows, tests) {
  const owners = new Map();
  return rows.flatMap((row) => {
    const says = (problem) => `${row.clause} (line ${row.line}, ${row.what}): ${problem}`;
    if (isOpen(row)) return row.title === '' ? [says("an open row has to say what is missing, in the title's place")] : [];
    if (!namesTest(row)) return [];
    const problem = testProblem(row, tests);
    const key = `${row.file}\0${row.title}`;
    const owner = row.why === '' ? owners.get(key) : undefined;
    if (row.why === '') owners.set(key, owner ?? row.clause);
    const shared =
      owner === undefined
        ? []
        : [says(`its test is the one of ${owner} already; name another, or say in the last column why it proves this too`)];
    return [...(problem === undefined ? [] : [says(problem)]), ...shared];
  });
}

function testProblem(row, tests) {
  const { file, variant } = placeOf(row);
  const found = tests.filter(
    (test) => test.file === file && test.title === row.title && (variant === undefined || test.variant === variant),
  );
  if (found.length === 0) return missing(row, file, variant, tests);
  const failed = found.find((test) => test.status !== 'passed');
  if (failed) return `'${row.title}' of ${file} did not pass in this run: ${failed.status === 'pending' ? 'skipped' : failed.status}`;
  return found.some((test) => test.asserts > 0) ? undefined : `'${row.title}' of ${file} asserts nothing`;
}

function missing(row, file, variant, tests) {
  const inFile = tests.filter((test) => test.file === file);
  const where = variant === undefined ? file : `${file} (${variant})`;
  const moved = [...new Set(tests.filter((test) => test.title === row.title && row.title !== '').map((test) => test.file))];
  if (moved.length > 0 && !moved.includes(file)) return `'${row.title}' is not in ${file} any more, but in ${moved.join(', ')}`;
  if (inFile.length === 0) return `no test of ${where} ran; was the file moved, or its package not tested?`;
  const near = candidates(row, tests).filter((test) => test.file === file);
  const hint = near.length === 0 ? '' : `; is it '${near[0].title}'?`;
  return `no test of ${where} has the full title '${row.title}'${hint}`;
}

/**
 * The tests that a row may mean when its own does not exist: those whose full title contains what it says, then those that share
 * most words with it; the file that it names goes first.
 *
 * @param {Row} row
 * @param {Test[]} tests
 * @returns {Test[]}
 */
export function candidates(row, tests) {
  const { file } = placeOf(row);
  const wanted = wordsOf(row.title);
  if (wanted.size === 0) return [];
  const scored = tests.map((test) => {
    const words = wordsOf(test.title);
    const common = [...wanted].filter((word) => words.has(word)).length / wanted.size;
    const contains = test.title.includes(row.title) ? 2 : common >= 0.6 ? common : 0;
    return { test, score: contains === 0 ? 0 : contains + (test.file === file ? 0.5 : 0) };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ test }) => test);
}

function wordsOf(title) {
  return new Set(title.toLowerCase().match(/[\w$]+/g) ?? []);
}

/** The full title that a row surely means, when its own is only a part of one. @param {Row} row @param {Test[]} tests */
export function fullTitle(row, tests) {
  const titles = new Map(
    candidates(row, tests)
      .filter((test) => test.title.includes(row.title))
      .map((test) => [`${test.file}\0${test.title}`, test]),
  );
  const { file } = placeOf(row);
  const here = [...titles.values()].filter((test) => test.file === file);
  const choice = here.length > 0 ? here : [...titles.values()];
  return choice.length === 1 ? choice[0] : undefined;
}

/** The numbers of the security list that a full title carries. @param {string} title */
export function securityNumbers(title) {
  return [...title.matchAll(/(?:^|\s)S(\d+)\b/g)].map((match) => `S${match[1]}`);
}

/**
 * What is wrong with the security map: its rows are `tests` (some passed in this run), `partly` (some passed, and what is missing) or
 * `open` (none, and what is missing).
 *
 * @param {Row[]} rows
 * @param {Test[]} tests
 * @param {number} last the last number of the list
 * @returns {string[]}
 */
export function securityProblems(rows, tests, last) {
  const known = new Map(rows.map((row) => [row.clause, row]));
  const passed = new Set(
    tests.filter((test) => test.status === 'passed' && test.asserts > 0).flatMap((test) => securityNumbers(test.title)),
  );
  return Array.from({ length: last }, (_, index) => `S${index + 1}`).flatMap((number) => {
    const row = known.get(number);
    if (!row) return [`${number} has no row in the security map`];
    const state = row.file;
    if (!['tests', 'partly', 'open'].includes(state)) return [`${number} (line ${row.line}): '${state}' is none of tests, partly, open`];
    if (state !== 'tests' && row.title === '') return [`${number} (line ${row.line}): does not say what is missing`];
    if (state !== 'open' && !passed.has(number)) return [`${number} (line ${row.line}): no test with this number passed in this run`];
    return state === 'open' && passed.has(number) ? [`${number} (line ${row.line}): is open, and yet a test with this number passed`] : [];
  });
}
