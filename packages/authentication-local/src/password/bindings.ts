import { createRequire } from 'node:module';

/** Full paths of what computes hashes; threads load them by these. */
export interface Bindings {
  readonly argon2: string;
  readonly bcrypt: string;
}

let known: Bindings | undefined;

/**
 * Finds what computes hashes: beside this package, or beside the program, where a bundler has made one file of both. It holds machine code, which no bundler takes in.
 *
 * @throws Error with what to do for a bundle, beside which nothing was installed
 */
export function findBindings(): Bindings {
  return (known ??= found([import.meta.url, process.argv[1]]));
}

/** @param places files; bundlers leave that of a module undefined */
function found(places: readonly (string | undefined)[]): Bindings {
  let cause: unknown;
  for (const place of places) {
    if (place === undefined) continue;
    try {
      const { resolve } = createRequire(place);
      return { argon2: resolve('@node-rs/argon2'), bcrypt: resolve('@node-rs/bcrypt') };
    } catch (error) {
      cause = error;
    }
  }
  throw new Error(
    "The packages '@node-rs/argon2' and '@node-rs/bcrypt', which compute password hashes, can not be found. Where the program is a bundle, leave " +
      "'@framework/authentication-local' out of it (external), or install both packages beside it: they hold machine code, which bundles do not",
    { cause },
  );
}
