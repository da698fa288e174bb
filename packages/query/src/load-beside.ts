/**
 * Loads a package that is not loaded before it is needed: the one beside whoever asks, or beside the program, where a bundler has made one file of both and a
 * module has no address any more, or none beside which anything is installed.
 *
 * No import, so that browsers, which never need such a package, can load this one.
 *
 * @param name of the package, or of a file in it
 * @param address `import.meta.url` of the module that asks; bundlers leave it undefined
 * @param owner the package that the module belongs to, as the error names it
 * @throws Error with what to do for a bundle, beside which the package was not installed; what the package throws when it is loaded
 */
export function loadBeside(name: string, address: string | undefined, owner: string): unknown {
  const { createRequire } = process.getBuiltinModule('node:module');
  let cause: unknown;
  for (const place of [address, process.argv[1]]) {
    if (place === undefined) continue;
    const require = createRequire(place);
    let found: string;
    try {
      found = require.resolve(name);
    } catch (error) {
      cause = error;
      continue;
    }
    return require(found);
  }
  throw new Error(
    `'${name}' can not be found. Where the program is a bundle, leave '${owner}' out of it (external), or install '${packageOf(name)}' beside it`,
    { cause },
  );
}

function packageOf(name: string): string {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/');
}
