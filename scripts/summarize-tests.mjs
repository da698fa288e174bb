// Adds up what the test reporter of each package wrote, and prints the closing line.
import { fileURLToPath } from 'node:url';
import { readTestResults } from './test-results.mjs';

/** @param {string} root of the repository */
export function summarize(root) {
  const results = readTestResults(root);
  for (const { name, passed, failed, notes, tests, broken } of results) {
    console.log(`${failed === 0 ? 'ok  ' : 'FAIL'} ${name}: ${passed} passed, ${failed} failed`);
    for (const line of broken) console.log(`     ${line}`);
    for (const { file, title } of tests.filter(({ status }) => status === 'failed')) console.log(`     ${file}: ${title}`);
    for (const note of notes) console.log(`     ${note}`);
  }
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  console.log(`\n${passed} passed, ${failed} failed`);
  return { passed, failed };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) summarize(fileURLToPath(new URL('..', import.meta.url)));
