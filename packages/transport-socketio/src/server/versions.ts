import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findInstalled } from '@framework/errors';

/** Oldest versions without known holes that a caller can use: crashes by a changed revision of the protocol and by crafted packets. */
export const FLOORS: Readonly<Record<string, string>> = { 'engine.io': '6.6.10', 'socket.io-parser': '4.2.7' };

/** Finds the version of a package that Socket.IO loads. */
export type VersionOf = (name: string) => string;

/**
 * Refuses versions with known holes: the ranges of Socket.IO's own dependencies admit them.
 *
 * @param versionOf finds versions. Default: those beside the application's Socket.IO
 * @throws Error with what to install
 */
export function checkVersions(versionOf: VersionOf = installedVersion): void {
  for (const [name, floor] of Object.entries(FLOORS)) {
    const version = versionOf(name);
    if (isBefore(version, floor)) {
      throw new Error(`${name} ${version} has known security holes: update to ${floor} or later, for example by \`npm update ${name}\``);
    }
  }
}

const OWNER = '@framework/transport-socketio';

function installedVersion(name: string): string {
  const server = findInstalled('socket.io', import.meta.url, OWNER);
  for (let folder = dirname(findInstalled(name, server, OWNER)); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = manifestIn(folder);
    if (manifest?.name === name) return String(manifest.version);
  }
  throw new Error(`The version of ${name} can not be read: install socket.io again`);
}

function manifestIn(folder: string): { readonly name?: unknown; readonly version?: unknown } | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object;
  } catch {
    return undefined;
  }
}

function isBefore(version: string, floor: string): boolean {
  const [given, least] = [version, floor].map((text) => text.split(/[.-]/, 3).map(Number));
  for (const index of [0, 1, 2]) {
    const difference = (given?.[index] ?? 0) - (least?.[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  // What comes before a release is older than it.
  return version.includes('-');
}
