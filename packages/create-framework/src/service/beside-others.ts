import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CommandError } from '../command-error.ts';
import type { ServiceName } from './service-name.ts';

/**
 * Looks whether a service can be beside those that an application has.
 *
 * @param services folder of the application's services
 * @param files names of the files that the service would have there, without folders
 * @throws CommandError where another file differs only in capital letters, which many file systems take for the same, and where the function that registers
 *   the service has the name of another: the list of services can have it once
 */
export function checkBeside(services: string, name: ServiceName, files: readonly string[]): void {
  for (const other of existsSync(services) ? readdirSync(services) : []) {
    const same = files.find((file) => file !== other && file.toLowerCase() === other.toLowerCase());
    if (same !== undefined) throw new CommandError(`${same} differs from ${other} only in capital letters: name the service otherwise`);
    if (/\.[jt]s$/.test(other) && exportedNames(readFileSync(join(services, other), 'utf8')).has(name.plural))
      throw new CommandError(`${basename(services)}/${other} exports '${name.plural}' already: name the service otherwise`);
  }
}

/** Names of what a file exports: functions, and what its lists name. */
function exportedNames(text: string): Set<string> {
  const code = text.replace(/\/\*[^]*?\*\/|\/\/.*/g, '');
  const functions = [...code.matchAll(/\bexport\s+(?:async\s+)?(?:function|const)\s+(\w+)/g)].map(([, name = '']) => name);
  const lists = [...code.matchAll(/\bexport\s*\{([^}]*)\}/g)].flatMap(([, list = '']) => list.split(','));
  return new Set([...functions, ...lists.map((entry) => entry.trim().split(/\s+/).at(-1) ?? '')]);
}
