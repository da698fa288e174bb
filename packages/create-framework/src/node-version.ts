import { CommandError } from './command-error.ts';

/**
 * Refuses a Node.js that the packages can not run on: npm only warns of it, and what is made would end at its start, with an error that does not say why.
 *
 * @param version of Node.js, as `process.versions.node` is
 * @throws CommandError for one outside of the `engines` of the packages
 */
export function refuseOldNode(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major === 20 ? minor >= 19 : major === 22 ? minor >= 12 : major > 22) return;
  throw new CommandError(
    `Applications need Node.js 20.19, or 22.12 and newer, and this is ${version}: install a newer one, and call this again`,
  );
}
