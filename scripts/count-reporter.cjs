// Jest reporter: writes what became of each test of a package into its `.test-results`, for the closing lines of the whole run and
// for `check-clauses`. The file is an output of the task, so that Turborepo gives it back when it need not run the tests again.
const { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join, relative, sep } = require('node:path');

const repository = join(__dirname, '..');

/** The way in which the same tests run again: each has a task and a file of its own. */
function variantOf({ EXPRESS_VERSION, DISPATCH }) {
  if (EXPRESS_VERSION) return { file: `express${EXPRESS_VERSION}`, name: ` (Express ${EXPRESS_VERSION})` };
  if (DISPATCH) return { file: `${DISPATCH}-dispatch`, name: ` (dispatch by ${DISPATCH})` };
  return { file: 'default', name: '' };
}

module.exports = class CountReporter {
  #partial;
  #root;

  /** @param {{ root?: string }} [options] `root`: the folder to which the names of files are relative. Default: the repository */
  constructor(config, { root = repository } = {}) {
    this.#root = root;
    const patterns = config.testPathPatterns?.patterns ?? config.testPathPatterns ?? [];
    this.#partial = patterns.length > 0 || Boolean(config.testNamePattern) || config.onlyChanged || Boolean(config.shard);
  }

  onRunComplete(_contexts, results) {
    const notesFile = join(process.cwd(), '.test-notes');
    const notes = existsSync(notesFile) ? [...new Set(readFileSync(notesFile, 'utf8').split('\n').filter(Boolean))] : [];
    rmSync(notesFile, { force: true });
    // Some of the tests say nothing about the others: what the last whole run wrote stays.
    if (this.#partial) return;
    const variant = variantOf(process.env);
    const packageName = JSON.parse(readFileSync(join(process.cwd(), 'package.json'), 'utf8')).name;
    const nameOf = (path) => relative(this.#root, path).split(sep).join('/');
    const broken = results.testResults.filter((file) => file.testExecError).map(({ testFilePath }) => nameOf(testFilePath));
    const tests = results.testResults.flatMap(({ testFilePath, testResults }) => {
      const file = nameOf(testFilePath);
      return testResults.map(({ fullName, status, numPassingAsserts }) => ({ file, title: fullName, status, asserts: numPassingAsserts }));
    });
    const written = {
      name: packageName + variant.name,
      passed: results.numPassedTests,
      failed: results.numFailedTests + broken.length,
      broken,
      notes,
      tests,
    };
    const folder = join(process.cwd(), '.test-results');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${variant.file}.json`), JSON.stringify(written));
  }
};
