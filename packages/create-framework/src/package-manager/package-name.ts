import { isBuiltin } from 'node:module';
import { basename, resolve } from 'node:path';
import { CommandError } from '../command-error.ts';
import { projectPackages } from '../project/project-packages.ts';

/** Not names of packages, or names that Windows has for devices. */
const NO_NAME = /^(?:node_modules|favicon\.ico|con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * The name of the package in a folder: the last part of its path, in the letters that names of packages and of images of containers have.
 *
 * @throws CommandError for a folder without such a name, or with characters that no path should have
 */
export function packageNameOf(folder: string): string {
  if (folder.startsWith('-')) {
    const shown = JSON.stringify(folder.slice(0, 100));
    throw new CommandError(`${shown} can not be a folder: commands would take it for a flag. Write ./ in front of it`);
  }
  if (folder === '' || folder.length > 1000 || /[\u0000-\u001f\u007f<>:"|?*]/.test(withoutDrive(folder))) {
    throw new CommandError(`${JSON.stringify(folder.slice(0, 100))} can not be a folder: leave out line ends, quotes and < > : | ? *`);
  }
  const name = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, (between) => (/^[._-]$/.test(between) ? between : '-'))
    .replace(/^[._-]+/, '')
    .slice(0, 60)
    .replace(/[._-]+$/, '');
  if (name === '' || NO_NAME.test(name)) {
    throw new CommandError(
      `No package can be named after the folder ${JSON.stringify(folder.slice(0, 100))}: name another, such as my-api`,
    );
  }
  // npm installs no package into one of the same name, and takes no new one with the name of a module of Node.js.
  return projectPackages().includes(name) || isBuiltin(name) ? `${name}-app` : name;
}

const withoutDrive = (folder: string): string => folder.replace(/^[a-zA-Z]:(?=[\\/])/, '');
