// The pages of tools whose packages are too large to be installed for every run: fetches them without their dependencies, which their built files
// hold, and runs the test with them. PAGES names others: PAGES='redoc@2.5.4 @scalar/api-reference@1.72.1'.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const packages = (process.env.PAGES ?? 'redoc@2.5.4 @scalar/api-reference').split(' ');
const folder = mkdtempSync(join(tmpdir(), 'pages-'));
try {
  for (const wanted of packages) {
    const packed = execFileSync('npm', ['pack', '--silent', wanted], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    execFileSync('tar', ['xzf', packed.trim()], { cwd: folder });
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8'));
    const target = join(folder, 'node_modules', name);
    mkdirSync(dirname(target), { recursive: true });
    renameSync(join(folder, 'package'), target);
    console.log(`${name} ${version}`);
  }
  const env = { ...process.env, PAGES_FOLDER: folder };
  process.exitCode = spawnSync(process.execPath, ['../../scripts/jest.mjs', 'tool-pages'], { env, stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
