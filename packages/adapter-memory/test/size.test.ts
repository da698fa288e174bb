import { gzipSync } from 'node:zlib';
import { afterAll, expect, it } from '@jest/globals';
import { build, stop } from 'esbuild';

afterAll(() => stop());

/** What a bundler makes of the files that are published. */
async function bundled(
  external: string[] = [],
): Promise<{ readonly text: string; readonly size: number; readonly files: readonly string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: "export * from '@framework/adapter-memory';", resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    metafile: true,
    conditions: [],
    platform: 'browser',
    external,
  });
  const [{ text }] = outputFiles as [(typeof outputFiles)[number]];
  return { text, size: gzipSync(text, { level: 9 }).length, files: Object.keys(metafile.inputs) };
}

it('is below 6.25 kB, minified and compressed, without the packages that it stands on', async () => {
  const { size } = await bundled(['@framework/core/adapter', '@framework/query', '@framework/errors']);
  console.log(`adapter-memory: ${size} bytes`);
  expect(size).toBeLessThan(6.25 * 1024);
});

it('has nothing of Node.js in it, with all that it stands on', async () => {
  const { text, size, files } = await bundled();
  console.log(`adapter-memory with core, query and errors: ${size} bytes`);
  expect(text).not.toMatch(/(from|import|require)\s*\(?["'`]node:/);
  expect(files.filter((file) => /core\/dist/.test(file)).map((file) => file.replace(/.*\/core\//, ''))).toEqual([
    'dist/shared.js',
    'dist/adapter.js',
  ]);
});
