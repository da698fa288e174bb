// What a production install of our packages takes, with their peers: packs them, installs them into an empty folder, and counts.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { table } from './measure/table.mjs';

const PACKAGES = fileURLToPath(new URL('../packages', import.meta.url));
const INSTALLED = ['core', 'errors', 'query', 'transport-express', 'authentication', 'authentication-local', 'adapter-docdb'];
const PEERS = ['express@^5', 'mongodb@^7'];

function run(command, args, cwd) {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function bytesIn(folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
  }
  return bytes;
}

/** npm notes each installed package, nested ones too. */
function countPackages(modules) {
  const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'));
  return Object.keys(packages);
}

/** @returns figures for `targets.mjs`, and a table; needs the registry */
export function measureInstall() {
  const folder = mkdtempSync(join(tmpdir(), 'install-'));
  try {
    const packed = join(folder, 'packed');
    mkdirSync(packed);
    for (const name of INSTALLED) run('pnpm', ['pack', '--pack-destination', packed], join(PACKAGES, name));
    const archives = readdirSync(packed).map((name) => `file:${join(packed, name)}`);
    const own = Object.fromEntries(archives.map((archive) => [nameOf(archive), archive]));
    const installs = {
      'Express 5 alone': sizeOf(join(folder, 'express'), {}, ['express@^5']),
      'Express 5, cors, compression, mongodb and jose': sizeOf(join(folder, 'parts'), {}, [...PEERS, 'cors', 'compression', 'jose']),
      'core, transport-express, authentication, authentication-local, adapter-docdb with their peers': sizeOf(
        join(folder, 'ours'),
        own,
        PEERS,
      ),
    };
    const rows = Object.entries(installs).map(([name, size]) => [name, String(size.packages), size.megabytes.toFixed(1)]);
    return { figures: Object.values(installs).at(-1), lines: table(['Production install', 'packages', 'MB'], rows) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sizeOf(folder, dependencies, names) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'app', private: true, dependencies, overrides: dependencies }));
  run('npm', ['install', '--omit=dev', '--no-audit', '--no-fund', ...names], folder);
  const modules = join(folder, 'node_modules');
  return { packages: countPackages(modules).length, megabytes: bytesIn(modules) / 1e6 };
}

/** `framework-core-0.1.0.tgz` holds `@framework/core`. */
function nameOf(archive) {
  return `@framework/${/framework-(.+)-\d+\.\d+\.\d+[^/]*\.tgz$/.exec(archive)[1]}`;
}
