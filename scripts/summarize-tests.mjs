// Adds up what the test reporter of each package wrote, and prints the closing line. Arguments are the checks that have failed.
import { fileURLToPath } from 'node:url';
import { readTestResults } from './test-results.mjs';

/**
 * @param {string} root of the repository
 * @param {readonly string[]} checks names of the checks that have failed beside the tests: each is one more that failed
 */
export function summarize(root, checks = []) {
  const results = readTestResults(root);
  for (const { name, passed, failed, notes, tests, broken } of results) {
    console.log(`${failed === 0 ? 'ok  ' : 'FAIL'} ${name}: ${passed} passed, ${failed} failed`);
    for (const file of broken) console.log(indented(file));
    for (const { file, title, why } of tests.filter(({ status }) => status === 'failed'))
      console.log(indented(`${file}: ${title}\n${why}`));
    for (const note of notes) console.log(`     ${note}`);
  }
  for (const check of checks) console.log(`FAIL ${check}`);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, checks.length);
  console.log(`\n${passed} passed, ${failed} failed`);
  return { passed, failed };
}

/** @param {string} text of which all lines but the first say more about it */
function indented(text) {
  return `     ${text.replaceAll('\n', '\n       ')}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) summarize(fileURLToPath(new URL('..', import.meta.url)), process.argv.slice(2));
