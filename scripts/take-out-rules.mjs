// Takes rules out of sources, one at a time, and looks whether a test notices: what the lists of rules beside long random tests are run by.
// With `--check` it looks only whether each of them is still there to be taken out. `RULE=name` takes one.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {object} Rule
 * @property {[file: string, rule: string, without: string][]} places where it is, what it says there, and what is said without it
 * @property {string} [test] what is to notice, where it is another test than that of the others
 */

/**
 * Prints of each rule whether it was noticed, the whole list in the end, and sets the exit code of the process.
 *
 * @param {string} source the folder that the files are in
 * @param {Record<string, Rule>} rules by their names
 * @param {(test: string | undefined) => string | undefined} run runs a test. Returns nothing when it passes, otherwise what it says
 */
export function takeOutRules(source, rules, run) {
  const chosen = Object.entries(rules).filter(([name]) => [undefined, '', name].includes(process.env.RULE));
  const faults = chosen.flatMap(([name, { places }]) => places.flatMap((place) => faultOf(source, name, place)));
  if (faults.length > 0) throw new Error(faults.join('\n'));
  if (process.argv.includes('--check')) {
    console.log(`${chosen.length} rules can be taken out`);
    return;
  }
  for (const test of new Set(chosen.map(([, { test }]) => test))) {
    const said = run(test);
    if (said !== undefined) throw new Error(`The test fails with all rules in place: ${said}`);
  }
  const list = chosen.map(([name, { places, test }]) => {
    const said = without(source, places, () => run(test));
    const line = said === undefined ? `MISSED  ${name}` : `noticed ${name}: ${said}`;
    console.log(line);
    return line;
  });
  const missed = list.filter((line) => line.startsWith('MISSED')).length;
  console.log(`\n${list.length} rules, ${missed} missed\n${list.join('\n')}`);
  process.exitCode = missed > 0 ? 1 : 0;
}

/** @returns {string[]} */
function faultOf(source, name, [file, rule]) {
  return readFileSync(join(source, file), 'utf8').split(rule).length === 2
    ? []
    : [`${file} does not say once what '${name}' is taken out by: ${rule}`];
}

/** What `work` gives while the places say something else. */
function without(source, places, work) {
  const before = new Map();
  try {
    for (const [file, rule, instead] of places) {
      const path = join(source, file);
      const text = readFileSync(path, 'utf8');
      if (!before.has(path)) before.set(path, text);
      writeFileSync(
        path,
        text.replace(rule, () => instead),
      );
    }
    return work();
  } finally {
    for (const [path, text] of before) writeFileSync(path, text);
  }
}
