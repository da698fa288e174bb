// Compiles TypeScript for Jest. ts-jest keeps what it has compiled for each package apart, although all of them are compiled in the same way: here what
// one package has compiled serves the others, as most tests load the same sources of `core`, `errors` and `query`.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import tsJest, { MY_DIGEST } from 'ts-jest';
import typescript from 'typescript';

const tsconfig = fileURLToPath(new URL('../tsconfig.jest.json', import.meta.url));
/** What decides, beside the source itself, what comes out. */
const common = [fileURLToPath(import.meta.url), tsconfig, fileURLToPath(new URL('../tsconfig.base.json', import.meta.url))]
  .map((file) => readFileSync(file, 'utf8'))
  .join('\0');
const versions = [MY_DIGEST, typescript.version];

/** @param {import('ts-jest').TsJestTransformerOptions} [options] */
function createTransformer(options) {
  const compiler = tsJest.default.createTransformer({
    ...options,
    useESM: true,
    // Types are checked by the `typecheck` task; transpiling alone keeps the tests fast.
    transpilation: true,
    tsconfig,
  });
  return {
    process: (...given) => compiler.process(...given),
    processAsync: (...given) => compiler.processAsync(...given),
    getCacheKey(source, path, { instrument, supportsStaticESM }) {
      const hash = createHash('sha256');
      for (const part of [common, ...versions, String(instrument), String(supportsStaticESM), path, source]) hash.update(`${part}\0`);
      return hash.digest('hex');
    },
  };
}

export default { createTransformer };
