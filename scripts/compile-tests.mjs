// Compiles all that tests load before they are run, in one process: each of the forty that run the tests of a package would load the compiler for
// what is not compiled yet, and it is slow until it has compiled some hundred files. With `--once` only in a checkout that has nothing compiled in this way.
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './pnpm.mjs';
import transformer, { COMPILED, keyOf } from './jest-transformer.mjs';

/** As Jest loads modules. */
const options = { instrument: false, supportsStaticESM: true, supportsDynamicImport: true, cacheFS: new Map(), transformerConfig: {} };
const config = { cwd: root, rootDir: root, globals: {}, transform: [], testMatch: [], testRegex: [], moduleFileExtensions: ['ts', 'js'] };
const compiler = transformer.createTransformer();

if (process.argv.includes('--once') && existsSync(COMPILED)) process.exit();
mkdirSync(COMPILED, { recursive: true });
const before = new Set(readdirSync(COMPILED));
let compiled = 0;
for (const path of sources()) {
  const source = readFileSync(path, 'utf8');
  const key = keyOf(source, path, options);
  if (before.delete(key)) continue;
  try {
    keep(key, await compiler.processAsync(source, path, { ...options, config }));
    compiled += 1;
  } catch (error) {
    // Whoever loads it is told.
    console.log(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
// What was compiled for sources that there were once.
for (const key of before) rmSync(join(COMPILED, key));
console.log(`${compiled} files were compiled for the tests`);

/** @returns {string[]} */
function sources() {
  return ['packages', 'internal', 'examples'].flatMap((parent) =>
    listed(join(root, parent)).flatMap((name) =>
      ['src', 'test'].flatMap((part) => {
        const path = join(root, parent, name, part);
        return listed(path, { recursive: true })
          .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
          .map((file) => join(path, file));
      }),
    ),
  );
}

function listed(path, how) {
  try {
    return readdirSync(path, how);
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  }
}

/** Nobody reads half of it. */
function keep(key, { code }) {
  const file = join(COMPILED, key);
  writeFileSync(`${file}.part`, code);
  renameSync(`${file}.part`, file);
}
