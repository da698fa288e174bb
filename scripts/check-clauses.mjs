// Fails when a row of docs/spec/clauses.md names a test that does not exist, or a section has no row.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

const root = fileURLToPath(new URL('..', import.meta.url));
const sections = [
  '1',
  '2.1',
  '2.2',
  '2.3',
  '2.4',
  '2.5',
  '4.1',
  '4.2',
  '4.3',
  '4.4',
  '4.5',
  '4.6',
  '5.1',
  '5.2',
  '5.3',
  '5.4',
  '5.5',
  '6',
  '7',
  '8',
  '9',
];
const rows = readFileSync(join(root, 'docs/spec/clauses.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| [\d.]+ \|/.test(line))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

const problems = [];
for (const [clause, what, file, title] of rows) {
  const path = join(root, file);
  if (!existsSync(path)) problems.push(`${clause} (${what}): ${file} does not exist`);
  else if (!readFileSync(path, 'utf8').includes(title)) problems.push(`${clause} (${what}): ${file} has no test titled '${title}'`);
}
for (const section of sections) if (!rows.some(([clause]) => clause === section)) problems.push(`section ${section} has no test`);

for (const problem of problems) console.error(problem);
console.log(`${rows.length} clauses checked, ${problems.length} without a test`);
process.exitCode = problems.length === 0 ? 0 : 1;
