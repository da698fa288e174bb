import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { treeState } from './files/dirty-tree.ts';
import { writeChanges } from './files/write-changes.ts';
import { MigrationError, planMigration } from './plan-migration.ts';
import { formatPlan } from './report.ts';

const USAGE = `Usage: framework-migrate [folder] [--write] [--force]

Changes an application of FeathersJS 5 into one of this framework: imports, names, dependencies and the idioms that differ.
Prints what would change, and what is left for a person with file, line, reason and section of the guide.

  [folder]   folder with the package.json of the application (default: this one)
  --write    write it; all files, or none
  --force    also where git has changes that are not committed

Ends with 1 when the application can not be changed: nothing is written then.`;

function main(): number {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      write: { type: 'boolean', default: false },
      force: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const [folder = '.', ...more] = positionals;
  if (more.length > 0) throw new MigrationError(`framework-migrate takes one folder\n\n${USAGE}`);
  const root = resolve(folder);
  if (values.write && !values.force && treeState(root) === 'dirty') {
    throw new MigrationError(
      'There are changes that are not committed: commit them, so that you can see and take back what this does, or use --force',
    );
  }
  const plan = planMigration(root);
  if (values.write && plan.blockers.length === 0) writeChanges(root, plan.changes);
  console.log(formatPlan(plan, values.write));
  return plan.blockers.length > 0 ? 1 : 0;
}

try {
  process.exitCode = main();
} catch (error) {
  const told =
    error instanceof MigrationError || (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));
  console.error(told ? error.message : error);
  process.exitCode = 2;
}
