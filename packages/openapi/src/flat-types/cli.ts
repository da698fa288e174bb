import { parseArgs } from 'node:util';
import { installedCompiler } from './compiler.ts';
import { putOut } from '../output-file.ts';
import { flatTypes } from './flat-types.ts';

const USAGE = `Usage: framework-types <module> [--export <name> | --type <name>] [--file <file>] [--project <file>] [--check]

Writes what clients see of an application's services as types, for clients that do not see its sources: one file without imports.

  <module>          TypeScript module with the application
  --export <name>   the application, or a function that gives it (default: app)
  --type <name>     in its place a type of the module: the map of its services
  --file <file>     where the types go (default: services.d.ts); - is the standard output
  --project <file>  configuration of TypeScript (default: the nearest tsconfig.json)
  --check           write nothing, and end with 1 when the file has other types

Needs typescript 5.8 to 6 and @framework/client. Ends with 2 when there are no types.`;

function main(): number {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      export: { type: 'string' },
      type: { type: 'string' },
      file: { type: 'string', default: 'services.d.ts' },
      project: { type: 'string' },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const [module, ...more] = positionals;
  if (module === undefined || more.length > 0) throw new Error(`framework-types takes one module\n\n${USAGE}`);
  if (values.export !== undefined && values.type !== undefined) throw new Error('framework-types takes --export or --type, and not both');
  const name = values.type ?? values.export ?? 'app';
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) throw new Error(`'${name}' is no name of an export`);
  const text = flatTypes(installedCompiler(), { module, name, isType: values.type !== undefined, project: values.project });
  const { file, check } = values;
  const otherwise = 'has not the types of the application: framework-types without --check writes it';
  return putOut(text, { file, check, otherwise }) ? 0 : 1;
}

try {
  process.exitCode = main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
