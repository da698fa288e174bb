import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { build, stop } from 'esbuild';
import { folderWith } from './harness.ts';

describe('a program that a bundler has made one file of', () => {
  it.each(['esbuild', 'webpack'])('as CommonJS reads its settings: %s', async (bundler) => {
    const folder = folderWith({ 'config/default.json': { port: 3030 } });
    try {
      // Webpack answers this import itself, and with nothing for places that it does not know.
      const imported = join(folder, 'module.mjs');
      await writeFile(imported, 'export const createRequire = () => undefined;');
      const alias: Record<string, string> = bundler === 'webpack' ? { 'node:module': imported } : {};
      const contents = "import { loadConfiguration } from './index.ts'; console.log(loadConfiguration().port);";
      const stdin = { contents, resolveDir: join(import.meta.dirname, '../src') };
      const outfile = join(folder, 'main.cjs');
      await build({ stdin, outfile, alias, bundle: true, platform: 'node', format: 'cjs', logLevel: 'error' });
      await stop();
      expect((await promisify(execFile)(process.execPath, [outfile], { cwd: folder })).stdout.trim()).toBe('3030');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
