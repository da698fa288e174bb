// Adds up what the test reporter of each package wrote, and prints the closing line.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param {string} folder where the reporter writes */
export function summarize(folder) {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  const results = files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  for (const { name, passed, failed, notes } of results) {
    console.log(`${failed === 0 ? 'ok  ' : 'FAIL'} ${name}: ${passed} passed, ${failed} failed`);
    for (const note of notes) console.log(`     ${note}`);
  }
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  console.log(`\n${passed} passed, ${failed} failed`);
  return { passed, failed };
}
