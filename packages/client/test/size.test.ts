import { gzipSync } from 'node:zlib';
import { afterAll, expect, it } from '@jest/globals';
import { build, stop } from 'esbuild';

afterAll(() => stop());

/** What a bundler makes of a page's code, from the files that are published. */
async function bundled(contents: string): Promise<{ readonly text: string; readonly size: number; readonly files: readonly string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    metafile: true,
    conditions: [],
  });
  const [{ text }] = outputFiles as [(typeof outputFiles)[number]];
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  return {
    text,
    size: gzipSync(text, { level: 9 }).length,
    files: used.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file),
  };
}

const REST = "import { createClient, rest } from '@framework/client'; import type { TestApp } from './application.ts';";

it('is at most 6 kB for REST and logins, in all tabs', async () => {
  const { size } = await bundled(
    `${REST} export const client = createClient<TestApp>(rest(''), { authentication: { storage: localStorage } });`,
  );
  console.log(`REST and logins: ${size} bytes`);
  expect(size).toBeLessThanOrEqual(6 * 1024);
});

it('is more only for who takes more', async () => {
  const all = "import { pages, sse } from '@framework/client';";
  const { size } = await bundled(
    `${REST}${all} export { pages }; export const client = createClient<TestApp>(rest(''), { events: sse('') });`,
  );
  const caches = await bundled("export * from '@framework/client/query';");
  const socket = await bundled("export { createClient, socketio } from '@framework/client';");
  console.log(`with streams and pages: ${size}, over sockets: ${socket.size}, client/query alone: ${caches.size} bytes`);
  expect(size).toBeLessThanOrEqual(8.5 * 1024);
  expect(socket.size).toBeLessThanOrEqual(6.5 * 1024);
  expect(caches.size).toBeLessThanOrEqual(6.6 * 1024);
});

it('holds no byte of the server, whose type is imported, and nothing of Node.js', async () => {
  const { text, files } = await bundled(`${REST} export const client = createClient<TestApp>(rest(''));`);
  expect(files.filter((file) => !/(^|query\/)dist\/index\.js$|<stdin>$/.test(file))).toEqual([]);
  expect(text).not.toMatch(/node:|require\(|process\.|Buffer\.|a secret of more than thirty-two bytes/);
});
