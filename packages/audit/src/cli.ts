import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadApplication, runProgram } from '@framework/core';
import { auditApplication } from './audit-application.ts';
import { findRegressions } from './find-regressions.ts';
import { formatAudit } from './format-audit.ts';
import { readReviewed } from './read-reviewed.ts';

const USAGE = `Usage: framework-audit <module> [--export <name>] [--file <file>] [--update] [--json] [--no-setup]

Shows what callers from outside may do with each service of an application, and compares it with what was reviewed.

  <module>          JavaScript module that exports the application, or a function that gives it
  --export <name>   the export (default: app, else the default export)
  --file <file>     what was reviewed (default: audit.json)
  --update          write what is found into the file, to be reviewed there
  --json            print the audit as JSON
  --no-setup        do not call the application's setup; what is registered and kept secret there is not seen

Ends with 1 when the application has less protection than the file says, and with 2 when it can not be audited.`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      export: { type: 'string' },
      file: { type: 'string', default: 'audit.json' },
      update: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      'no-setup': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const [module, ...more] = positionals;
  if (module === undefined || more.length > 0) throw new Error(`framework-audit takes one module\n\n${USAGE}`);
  const app = await loadApplication(module, values.export);
  if (!values['no-setup']) await app.setup?.();
  const audit = auditApplication(app);
  console.log(values.json ? JSON.stringify(audit, undefined, 2) : formatAudit(audit));
  // Programs that read the audit get nothing else.
  const say = values.json ? console.error : console.log;
  if (values.update) {
    writeFileSync(values.file, `${JSON.stringify(audit, undefined, 2)}\n`);
    say(`\n${values.file} is written: review what has changed in it`);
    return 0;
  }
  const regressions = findRegressions(readReviewed(values.file), audit);
  for (const regression of regressions) console.error(regression);
  if (regressions.length > 0) console.error(`\n${regressions.length} regressions against ${values.file}; --update accepts them`);
  else say(`\nNothing less protected than ${values.file} says`);
  return regressions.length === 0 ? 0 : 1;
}

runProgram(main, 'no audit');
