import type { FileChange } from './files/file-change.ts';
import type { MigrationPlan } from './plan-migration.ts';
import type { Remark } from './remark.ts';

/** The guide that remarks name sections of. */
export const GUIDE = 'docs/guides/migrating.md';

/** What the command prints of a plan. */
export function formatPlan({ changes, left, blockers }: MigrationPlan, written: boolean): string {
  if (blockers.length > 0) {
    return ['This application can not be changed by the command. Nothing was written.', '', ...blockers.map(formatRemark)].join('\n');
  }
  const parts: string[] = [];
  if (changes.length === 0) parts.push('There is nothing to change.');
  else parts.push(...changes.map(formatChange), `${written ? 'Changed' : 'Would change'}: ${counted(changes.length)}`);
  if (left.length > 0) parts.push(`Left for you, see ${GUIDE}:\n${left.map(formatRemark).join('\n')}`);
  if (changes.length > 0) parts.push(written ? 'Next: npm install, then your tests.' : 'Nothing was written: --write does.');
  return parts.join('\n\n');
}

const counted = (count: number): string => (count === 1 ? '1 file' : `${String(count)} files`);
const formatRemark = ({ file, line, reason, section }: Remark): string => `${file}:${String(line)}: ${reason} (${section})`;

/** Lines that go and lines that come; those in between are left out. */
function formatChange({ file, before, after }: FileChange): string {
  const there = before.split(/\r?\n/);
  const here = after.split(/\r?\n/);
  return `${file}\n${differences(there, here).join('\n')}`;
}

/** The shortest way from one list of lines to the other, for what lies between equal beginnings and ends. */
function differences(there: readonly string[], here: readonly string[]): string[] {
  let start = 0;
  while (start < there.length && start < here.length && there[start] === here[start]) start += 1;
  let end = 0;
  while (end < there.length - start && end < here.length - start && there.at(-1 - end) === here.at(-1 - end)) end += 1;
  const old = there.slice(start, there.length - end);
  const made = here.slice(start, here.length - end);
  const kept = new Set(old.filter((line) => made.includes(line)));
  return [
    ...old.flatMap((line, index) => (kept.has(line) ? [] : [`  ${String(start + index + 1)} - ${line}`])),
    ...made.flatMap((line, index) => (kept.has(line) ? [] : [`  ${String(start + index + 1)} + ${line}`])),
  ];
}
