import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { build, stop } from 'esbuild';

describe('a program that a bundler has made one file of', () => {
  it.each(['esbuild', 'webpack'])('as CommonJS finds the page beside it, and says so where it is not there: %s', async (bundler) => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'bundles-')));
    try {
      // Webpack answers this import itself, and with nothing for places that it does not know.
      const imported = join(folder, 'module.mjs');
      await writeFile(imported, 'export const createRequire = () => undefined;');
      const alias: Record<string, string> = bundler === 'webpack' ? { 'node:module': imported } : {};
      const contents = `
        import { installedPackage } from './installed-package.ts';
        try { console.log(installedPackage('a-page', 'The page')); } catch (error) { console.log(error.message); }
      `;
      const stdin = { contents, resolveDir: join(import.meta.dirname, '../src/page') };
      const outfile = join(folder, 'main.cjs');
      await build({ stdin, outfile, alias, bundle: true, platform: 'node', format: 'cjs', logLevel: 'error' });
      await stop();
      const run = async (): Promise<string> => (await promisify(execFile)(process.execPath, [outfile], { cwd: tmpdir() })).stdout.trim();
      expect(await run()).toBe('The page needs the package a-page, which is not installed: npm install a-page');
      const installed = join(folder, 'node_modules/a-page');
      await mkdir(installed, { recursive: true });
      await writeFile(join(installed, 'package.json'), '{}');
      expect(await run()).toBe(installed);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
