import { appendFileSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const data = join(dirname(fileURLToPath(import.meta.url)), '../../../../shared/data');

/**
 * Where test data lies that is not part of the repository.
 *
 * @param name file or folder below `../shared/data`
 * @returns its path, or `undefined` when it is not there; the run then says that it was left out
 */
export function sharedData(name: string): string | undefined {
  const path = join(data, name);
  if (existsSync(path)) return path;
  noteLeftOut(`left out: ../shared/data/${name} is not beside this checkout`);
  return undefined;
}

/** Makes the summary of the run say something. */
export function noteLeftOut(note: string): void {
  appendFileSync(join(process.cwd(), '.test-notes'), `${note}\n`);
}
