// Puts the modules of a package into one file, run in its folder: an application then loads one file for each package and not
// thirty, which took a third of the time until it listened. Types come from `tsc`. A command of the package is a file of its own:
// its name is an argument. Behind `--shared` stand further modules that are imported, in an application that imports the package too: what
// several of them have in common is a file of its own, so that it is there once.
import { build } from 'esbuild';

const { argv } = process;
const shared = argv.includes('--shared');

await build({
  entryPoints: ['index', ...argv.slice(2).filter((name) => name !== '--shared')].map((name) => `src/${name}.ts`),
  outdir: 'dist',
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  logLevel: 'warning',
  ...(shared ? { splitting: true, chunkNames: 'shared' } : {}),
});
