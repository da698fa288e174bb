/**
 * Finds a package that is not loaded before it is needed: the one beside whoever asks, or beside the program, where a bundler has made one file of both and a
 * module has no address any more, or none beside which anything is installed.
 *
 * No import, so that browsers, which never need such a package, can load this one.
 *
 * @param name of the package, or of a file in it
 * @param address `import.meta.url` of the module that asks; bundlers leave it undefined
 * @param owner the package that the module belongs to, as the error names it
 * @returns the full path of what Node.js would load
 * @throws Error with what to do, where it is at neither place
 */
export function findInstalled(name: string, address: string | undefined, owner: string): string {
  let cause: unknown;
  for (const place of [address, process.argv[1]]) {
    if (place === undefined) continue;
    try {
      return requireOf(place).resolve(name);
    } catch (error) {
      cause = error;
    }
  }
  throw new Error(
    `'${name}' can not be found. Where the program is a bundle, leave '${owner}' out of it (external), or install '${packageOf(name)}' beside it`,
    { cause },
  );
}

/**
 * Loads what {@link findInstalled} finds.
 *
 * @throws Error with what to do, where it can not be found; what it throws itself
 */
export function loadInstalled(name: string, address: string | undefined, owner: string): unknown {
  const path = findInstalled(name, address, owner);
  return requireOf(path)(path);
}

function requireOf(place: string): NodeJS.Require {
  return process.getBuiltinModule('node:module').createRequire(place);
}

function packageOf(name: string): string {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/');
}
