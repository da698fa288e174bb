// Jest reporter: writes what became of each test of a package into its `.test-results`, for the closing lines of the whole run and
// for `check-clauses`. The file is an output of the task, so that Turborepo gives it back when it need not run the tests again.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { variantOf, writeTestResults } from './test-results.mjs';

const repository = join(import.meta.dirname, '..');
/** Milliseconds that what the tests have left open gets to close. */
const CLOSING = 60_000;
/** Lines of what a test failed with that the closing lines of a run repeat: the message, and the first places of a stack. */
const LINES = 24;

export default class CountReporter {
  #partial;
  #root;

  /** @param {{ root?: string }} [options] `root`: the folder to which the names of files are relative. Default: the repository */
  constructor(config, { root = repository } = {}) {
    this.#root = root;
    const patterns = config.testPathPatterns?.patterns ?? config.testPathPatterns ?? [];
    this.#partial = patterns.length > 0 || Boolean(config.testNamePattern) || config.onlyChanged || Boolean(config.shard);
  }

  onRunComplete(_contexts, results) {
    if (process.env.TEST_MINUTES) failWhenOpen();
    const notesFile = join(process.cwd(), '.test-notes');
    const notes = existsSync(notesFile) ? [...new Set(readFileSync(notesFile, 'utf8').split('\n').filter(Boolean))] : [];
    rmSync(notesFile, { force: true });
    // Some of the tests say nothing about the others: what the last whole run wrote stays.
    if (this.#partial) return;
    const variant = variantOf(process.env);
    const packageName = JSON.parse(readFileSync(join(process.cwd(), 'package.json'), 'utf8')).name;
    const nameOf = (path) => relative(this.#root, path).split(sep).join('/');
    const broken = results.testResults
      .filter((file) => file.testExecError)
      .map(({ testFilePath, failureMessage }) => [`${nameOf(testFilePath)}: can not be run`, ...firstLines(failureMessage)].join('\n'));
    const tests = results.testResults.flatMap(({ testFilePath, testResults }) => {
      const file = nameOf(testFilePath);
      return testResults.map(({ fullName, status, numPassingAsserts, failureMessages }) => {
        const result = { file, title: fullName, status, asserts: numPassingAsserts };
        return status === 'failed' ? { ...result, why: firstLines(failureMessages.join('\n')).join('\n') } : result;
      });
    });
    const written = {
      name: packageName + variant.name,
      passed: results.numPassedTests,
      failed: results.numFailedTests + broken.length,
      broken,
      notes,
      tests,
    };
    writeTestResults(process.cwd(), variant.file, written);
  }
}

/** @param {string | null | undefined} message @returns {string[]} */
function firstLines(message) {
  const lines = stripVTControlCharacters(message ?? '').split('\n');
  return lines.filter((line) => line.trim() !== '').slice(0, LINES);
}

/** Jest waits for ever for what tests leave open in its own process. */
function failWhenOpen() {
  setTimeout(() => {
    console.error(`The tests have ended and left open: ${process.getActiveResourcesInfo().join(', ')}`);
    process.exit(1);
  }, CLOSING).unref();
}
