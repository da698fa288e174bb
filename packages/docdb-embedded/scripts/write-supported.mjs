// Writes SUPPORTED.md from the tables of the sources.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
// Within the package, so that what the tables stand on is found from there.
const made = mkdtempSync(join(root, 'dist', 'supported-'));
try {
  const outfile = join(made, 'supported.mjs');
  await build({
    entryPoints: [join(root, 'src/declarations/supported.ts')],
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
  });
  const { supportedText } = await import(pathToFileURL(outfile).href);
  writeFileSync(join(root, 'SUPPORTED.md'), supportedText());
} finally {
  rmSync(made, { recursive: true });
}
