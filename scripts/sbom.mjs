// Writes what users of the packages install, as CycloneDX, to standard output or into a file: `pnpm sbom sbom.cdx.json`.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { packAll } from './packages.mjs';
import { run } from './pnpm.mjs';

const [target] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'sbom-'));
try {
  const files = packAll(folder);
  const packages = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, `file:${file}`]));
  const manifest = { name: 'framework', version: '0.0.0', private: true, dependencies: packages, overrides: packages };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder });
  const bill = JSON.parse(
    run('npm', ['sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx', '--sbom-type=library'], { cwd: folder }),
  );
  // Where this machine got the packages from is no part of what they are.
  for (const component of bill.components) delete component.externalReferences;
  const text = `${JSON.stringify(bill, undefined, 2)}\n`;
  if (target === undefined) process.stdout.write(text);
  else writeFileSync(resolve(target), text);
  console.error(`${bill.components.length} components`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
