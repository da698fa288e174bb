import { parseArgs } from 'node:util';
import { loadApplication, runProgram } from '@framework/core';
import { openapiDocument } from './openapi-document.ts';
import { putOut } from './output-file.ts';
import type { OpenApiVersion } from './document/types.ts';

const USAGE = `Usage: framework-openapi <module> [--export <name>] [--file <file>] [--spec <3.1|3.2>] [--check] [--strict] [--no-setup]

Writes the OpenAPI document of an application.

  <module>          JavaScript module that exports the application, or a function that gives it
  --export <name>   the export (default: app, else the default export)
  --file <file>     where the document goes (default: openapi.json); - is the standard output
  --spec <version>  version of OpenAPI (default: that of openapi() in the application, else 3.1)
  --check           write nothing, and end with 1 when the file has another document
  --strict          end with 1 when something is not declared
  --no-setup        do not call the application's setup; what is registered and kept secret there is not seen

What services do not declare is told on the standard error. Ends with 2 when there is no document.`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      export: { type: 'string' },
      file: { type: 'string', default: 'openapi.json' },
      spec: { type: 'string' },
      check: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
      'no-setup': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const [module, ...more] = positionals;
  if (module === undefined || more.length > 0) throw new Error(`framework-openapi takes one module\n\n${USAGE}`);
  const { spec } = values;
  if (spec !== undefined && !isVersion(spec)) throw new Error(`--spec is 3.1 or 3.2, and not ${spec}`);
  const app = await loadApplication(module, values.export);
  if (!values['no-setup']) await app.setup?.();
  let warnings = 0;
  const onWarning = (message: string): void => {
    warnings += 1;
    console.error(`Warning: ${message}`);
  };
  const document = await openapiDocument(app, { onWarning, ...(spec === undefined ? {} : { version: spec }) });
  const text = `${JSON.stringify(document, undefined, 2)}\n`;
  const { file, check } = values;
  const otherwise = 'is not the document of the application: framework-openapi without --check writes it';
  const isRight = putOut(text, { file, check, otherwise });
  return isRight && !(values.strict && warnings > 0) ? 0 : 1;
}

function isVersion(value: string): value is OpenApiVersion {
  return value === '3.1' || value === '3.2';
}

runProgram(main, 'no document');
