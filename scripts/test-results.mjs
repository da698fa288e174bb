// What the test reporter wrote in each package. A folder with tests and without results is one whose tests did not run.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {{ file: string, title: string, status: string, asserts: number, why?: string }} TestResult `why`: what it failed with
 * @typedef {{ name: string, passed: number, failed: number, broken: string[], notes: string[], tests: TestResult[] }} PackageResults
 */

/**
 * The way in which the tests of a package run: some run again on another Express, and each run has a task and a file of its own.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ file: string, name: string }} `name` follows that of the package
 */
export function variantOf({ EXPRESS_VERSION, DISPATCH }) {
  if (EXPRESS_VERSION) return { file: `express${EXPRESS_VERSION}`, name: ` (Express ${EXPRESS_VERSION})` };
  if (DISPATCH) return { file: `${DISPATCH}-dispatch`, name: ` (dispatch by ${DISPATCH})` };
  return { file: 'default', name: '' };
}

/** @param {string} folder of the package @param {string} file its variant's @param {PackageResults} results */
export function writeTestResults(folder, file, results) {
  const target = join(folder, '.test-results');
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, `${file}.json`), JSON.stringify(results));
}

/** @param {string} root of the repository @returns {string[]} the folders that have tests of their own */
export function testedFolders(root) {
  return ['packages', 'internal', 'examples']
    .flatMap((parent) => childrenOf(join(root, parent)).map((name) => `${parent}/${name}`))
    .filter((folder) => existsSync(join(root, folder, 'jest.config.js')));
}

/** @param {string} root of the repository @returns {PackageResults[]} */
export function readTestResults(root) {
  return testedFolders(root).flatMap((folder) => {
    const results = join(root, folder, '.test-results');
    return childrenOf(results)
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(join(results, name), 'utf8')));
  });
}

/** @param {string} root of the repository */
export function removeTestResults(root) {
  for (const folder of testedFolders(root)) rmSync(join(root, folder, '.test-results'), { recursive: true, force: true });
}

function childrenOf(folder) {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}
