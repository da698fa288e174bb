import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { build, stop } from 'esbuild';
import { checkVersions, FLOORS } from '../src/server/versions.ts';

describe('versions of what Socket.IO is made of', () => {
  it('that are installed here have no known holes', () => {
    expect(() => checkVersions()).not.toThrow();
  });

  it.each([
    ['engine.io', '6.6.9', true],
    ['engine.io', '6.6.10', false],
    ['engine.io', '6.6.10-beta.1', true],
    ['engine.io', '6.7.0', false],
    ['engine.io', '5.9.99', true],
    ['socket.io-parser', '4.2.6', true],
    ['socket.io-parser', '4.2.7', false],
    ['socket.io-parser', '4.10.0', false],
  ])('%s %s: refused %s, with what to install', (name, version, refused) => {
    const check = (): void => checkVersions((each) => (each === name ? version : String(FLOORS[each])));
    if (refused) expect(check).toThrow(`update to ${String(FLOORS[name])} or later`);
    else expect(check).not.toThrow();
  });
});

describe('a program that a bundler has made one file of', () => {
  it.each(['esbuild', 'webpack'])('as CommonJS finds Socket.IO beside it, and says so where it is not there: %s', async (bundler) => {
    const folder = await mkdtemp(join(tmpdir(), 'bundles-'));
    try {
      // Webpack answers this import itself, and with nothing for places that it does not know.
      const imported = join(folder, 'module.mjs');
      await writeFile(imported, 'export const createRequire = () => undefined;');
      const contents = `
        import { checkVersions } from './versions.ts';
        try { checkVersions(); console.log('checked'); } catch (error) { console.log(error.message); }
      `;
      const outfile = join(folder, 'server.cjs');
      const stdin = { contents, resolveDir: join(import.meta.dirname, '../src/server') };
      const alias: Record<string, string> = bundler === 'webpack' ? { 'node:module': imported } : {};
      await build({ stdin, outfile, alias, bundle: true, platform: 'node', format: 'cjs', logLevel: 'error' });
      await stop();
      const run = async (): Promise<string> => (await promisify(execFile)(process.execPath, [outfile])).stdout.trim();
      expect(await run()).toContain("leave '@framework/transport-socketio' out of it (external), or install 'socket.io' beside it");
      await symlink(join(import.meta.dirname, '../node_modules'), join(folder, 'node_modules'));
      expect(await run()).toBe('checked');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
