// Compiles TypeScript for Jest, by ts-jest. That keeps what it has compiled for each package apart, although all of them are compiled in the same way:
// here what one package has compiled serves the others, as most tests load the same sources of `core`, `errors` and `query`; and ts-jest, which
// loads the whole compiler, is loaded for what is not compiled yet and for nothing else. `compile-tests.mjs` compiles all of it at once.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const tsconfig = fileURLToPath(new URL('../tsconfig.jest.json', import.meta.url));
/** What decides, beside the source itself, what comes out. */
const common = [
  ...[import.meta.url, '../tsconfig.jest.json', '../tsconfig.base.json'].map((file) =>
    readFileSync(new URL(file, import.meta.url), 'utf8'),
  ),
  ...['ts-jest', 'typescript'].map((name) => require(`${name}/package.json`).version),
].join('\0');

/** What was compiled at once, in files that are called by their keys. */
export const COMPILED = fileURLToPath(new URL('../node_modules/.cache/compiled-tests', import.meta.url));

/** @returns {string} what decides what a source is compiled to */
export function keyOf(source, path, { instrument, supportsStaticESM }) {
  const hash = createHash('sha256');
  for (const part of [common, String(instrument), String(supportsStaticESM), path, source]) hash.update(`${part}\0`);
  return hash.digest('hex');
}

/** @returns {{ code: string } | undefined} what a source was compiled to at once with others */
function compiledBefore(...given) {
  try {
    return { code: readFileSync(join(COMPILED, keyOf(...given)), 'utf8') };
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** @param {import('ts-jest').TsJestTransformerOptions} [options] */
function createTransformer(options) {
  let loaded;
  const compiler = () =>
    (loaded ??= require('ts-jest').default.createTransformer({
      ...options,
      useESM: true,
      // Types are checked by the `typecheck` task; transpiling alone keeps the tests fast.
      transpilation: true,
      tsconfig,
    }));
  return {
    process: (...given) => compiledBefore(...given) ?? compiler().process(...given),
    processAsync: async (...given) => compiledBefore(...given) ?? compiler().processAsync(...given),
    getCacheKey: keyOf,
  };
}

export default { createTransformer };
