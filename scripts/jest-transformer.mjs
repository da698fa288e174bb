// Compiles TypeScript for Jest, by ts-jest. That keeps what it has compiled for each package apart, although all of them are compiled in the same way:
// here what one package has compiled serves the others, as most tests load the same sources of `core`, `errors` and `query`; and ts-jest, which
// loads the whole compiler, is loaded for what is not compiled yet and for nothing else.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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
    process: (...given) => compiler().process(...given),
    processAsync: (...given) => compiler().processAsync(...given),
    getCacheKey(source, path, { instrument, supportsStaticESM }) {
      const hash = createHash('sha256');
      for (const part of [common, String(instrument), String(supportsStaticESM), path, source]) hash.update(`${part}\0`);
      return hash.digest('hex');
    },
  };
}

export default { createTransformer };
