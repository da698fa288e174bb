import { ConfigurationError } from './configuration-error.ts';

/** A name that stands for files of its own. */
export interface NamedFiles {
  readonly name: string;
  /** How an error says where the name comes from, for example `the environment variable NODE_ENV`. */
  readonly source: string;
  readonly kind: 'environment' | 'instance';
}

/** Names whose files are read in every environment. */
const EVERYWHERE: ReadonlySet<string> = new Set(['default', 'local']);

/**
 * Refuses names of environments and instances that no file has: one that is spelled wrong would give the settings of development.
 *
 * @param named names, each with its kind
 * @param files names of the files that were read, without folders
 * @param folder the folder of the files, as an error names it
 * @throws ConfigurationError for the first name without a file
 */
export function checkNames(named: readonly NamedFiles[], files: readonly string[], folder: string): void {
  for (const { name, source, kind } of named) {
    if (kind === 'environment' && EVERYWHERE.has(name)) {
      const message = `names '${name}', whose files are read in every environment`;
      throw new ConfigurationError([{ path: '', source, message, mend: 'name the environment there' }]);
    }
    if ((kind === 'environment' && name === 'development') || files.some((file) => isOf(file, name))) continue;
    const wanted = kind === 'environment' ? `${name}.json` : `default-${name}.json`;
    const message = `names '${name}', for which there is no file in ${folder}`;
    throw new ConfigurationError([{ path: '', source, message, mend: `correct it there, or make ${folder}/${wanted}` }]);
  }
}

/** `production.json`, `production-blue.json`, `web-1-production.json`, `local-production.json`. */
function isOf(file: string, name: string): boolean {
  return `-${file.replace(/\.[^.]*$/, '')}-`.includes(`-${name}-`);
}
