// What the test reporter wrote in each package. A folder with tests and without results is one whose tests did not run.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {{ file: string, title: string, status: string, asserts: number }} TestResult
 * @typedef {{ name: string, passed: number, failed: number, broken: string[], notes: string[], tests: TestResult[] }} PackageResults
 */

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
