// Fails when a clause of the interface or a line of the security list has no test that passed in the last `npm test`.
// `--suggest` proposes full titles for rows whose title is only a part of one, `--write` puts the sure ones into the map.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { candidates, fullTitle, isOpen, namesTest, problemsOf, readRows, securityProblems, writeRow } from './clause-map.mjs';
import { missingSentences, sentenceDifferences } from './interface-sentences.mjs';
import { readTestResults } from './test-results.mjs';

const { values: options } = parseArgs({
  options: {
    root: { type: 'string', default: fileURLToPath(new URL('..', import.meta.url)) },
    suggest: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const LAST_SECURITY_NUMBER = 50;
const mapFile = join(options.root, 'docs/spec/clauses.md');
const securityFile = join(options.root, 'docs/spec/security.md');

const tests = readTestResults(options.root).flatMap(({ name, tests: ofPackage }) => {
  const [, variant = ''] = /\((.+)\)$/.exec(name) ?? [];
  return ofPackage.map((test) => ({ ...test, variant }));
});
if (tests.length === 0) {
  console.error('There are no test results; run `npm test` first');
  process.exit(1);
}

const rows = readRows(readFileSync(mapFile, 'utf8'), /^\d[\d.]*#\d+$/);
if (options.suggest || options.write) suggest();
else check();

function check() {
  const security = existsSync(securityFile) ? readRows(readFileSync(securityFile, 'utf8'), /^S\d+$/) : undefined;
  const problems = problemsOf(rows, tests);
  if (security) problems.push(...missingSentences(rows), ...securityProblems(security, tests, LAST_SECURITY_NUMBER));
  const specification = join(options.root, '../shared/spec/interface.md');
  if (existsSync(specification)) problems.push(...sentenceDifferences(readFileSync(specification, 'utf8'), rows));
  else console.log('The interface is not at hand: its sentences were left out');

  for (const problem of problems) console.error(problem);
  const open = rows.filter(isOpen);
  for (const row of open) console.log(`open: ${row.clause} ${row.what}: ${row.title}`);
  for (const row of security?.filter(({ file }) => file !== 'tests') ?? [])
    console.log(`${row.file}: ${row.clause} ${row.what}: ${row.title}`);

  const named = rows.filter(namesTest);
  const titles = new Set(named.map((row) => `${row.file}\0${row.title}`)).size;
  const without = rows.length - named.length - open.length;
  console.log(
    `${rows.length} clauses: ${named.length} proved by ${titles} tests, ${open.length} open, ${without} that ask nothing of the code`,
  );
  if (security) {
    const count = (state) => security.filter(({ file }) => file === state).length;
    console.log(
      `${security.length} lines of the security list: ${count('tests')} with tests, ${count('partly')} partly, ${count('open')} open`,
    );
  }
  console.log(`${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

function suggest() {
  const lines = readFileSync(mapFile, 'utf8').split('\n');
  let changed = 0;
  for (const row of rows.filter((each) => namesTest(each) && problemsOf([each], tests).length > 0)) {
    const sure = fullTitle(row, tests);
    if (sure) {
      console.log(`${row.clause}: '${row.title}' is '${sure.title}' of ${sure.file}`);
      lines[row.line - 1] = writeRow({ ...row, file: row.file.startsWith(sure.file) ? row.file : sure.file, title: sure.title });
      changed += 1;
      continue;
    }
    console.log(`${row.clause}: '${row.title}' of ${row.file} may be`);
    const proposals = new Set(candidates(row, tests).map((test) => `${test.file}: ${test.title}`));
    for (const proposal of [...proposals].slice(0, 5)) console.log(`    ${proposal}`);
  }
  if (options.write) writeFileSync(mapFile, lines.join('\n'));
  console.log(options.write ? `${changed} rows written` : `${changed} rows have a sure title; --write puts them into the map`);
}
