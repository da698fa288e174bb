import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CommandError } from './command-error.ts';
import { writeNew } from './files/write-new.ts';
import { checkBeside } from './service/beside-others.ts';
import { readApplication } from './service/read-application.ts';
import { serviceFiles } from './service/service-files.ts';
import { serviceNameOf } from './service/service-name.ts';

/**
 * Writes a service, with its test, into an application. Files that are there are not touched.
 *
 * @param folder of the application
 * @param typed the path of the service
 * @param dry whether to write nothing
 * @returns what was done, and the line to add
 * @throws CommandError for a path that can not be, a folder without an application, files that are there, and names that others have
 */
export function addService(folder: string, typed: string, dry: boolean): string {
  const name = serviceNameOf(typed);
  const style = readApplication(folder);
  const files = serviceFiles(name, style);
  const taken = [...files.keys()].filter((file) => existsSync(join(folder, file)));
  if (taken.length > 0)
    throw new CommandError(`${taken.join(' and ')} ${taken.length > 1 ? 'are' : 'is'} there already: nothing was written`);
  const written = [...files.keys()].filter((file) => file.startsWith('src/services/'));
  checkBeside(
    join(folder, 'src/services'),
    name,
    written.map((file) => basename(file)),
  );
  if (!dry) writeNew(folder, files);
  const { language, testable } = style;
  const index = `src/services/index.${language}`;
  const line = `export { ${name.plural} } from './${name.file}.${language}';`;
  const place = existsSync(join(folder, index))
    ? `Add this line to ${index}:\n\n  ${line}`
    : `Add this line where src/app.${language} registers services:\n\n  app.configure((await import('./services/${name.file}.${language}')).${name.plural});`;
  return [
    `${dry ? 'Would write' : 'Written'}: ${[...files.keys()].join(', ')}`,
    ...(testable ? [] : [`No test: there is no test/start-app.${language} that it could use`]),
    '',
    place,
    '',
    'Then look at what callers may do with it: npm run audit:services -- --update',
  ].join('\n');
}
