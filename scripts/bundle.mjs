// Puts the modules of a package into one file, run in its folder: an application then loads one file for each package and not
// thirty, which took a third of the time until it listened. Types come from `tsc`. A command of the package is a file of its own:
// its name is an argument. Where there are several, what these have in common is a file too, so that it is there once.
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';

const { exports = {} } = JSON.parse(readFileSync('package.json', 'utf8'));
const exported = Object.values(exports).flatMap((entry) => entry['@framework/source'] ?? []);
const modules = exported.length > 0 ? exported : ['./src/index.ts'];

const entryPoints = [...modules, ...process.argv.slice(2).map((name) => `src/${name}.ts`)];

await build({
  entryPoints,
  outdir: 'dist',
  outbase: 'src',
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  logLevel: 'warning',
  ...(entryPoints.length > 1 ? { splitting: true, chunkNames: 'shared' } : {}),
});
