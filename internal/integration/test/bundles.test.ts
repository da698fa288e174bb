import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build, stop } from 'esbuild';

/** Reads its configuration, describes records by versions of JSON Schema, and takes a pattern of a caller; tells what came of each. */
const PROGRAM = `
import { MemoryService } from '@framework/adapter-memory';
import { loadConfiguration } from '@framework/configuration';
import { framework } from '@framework/core';
import { serviceSchema } from '@framework/schema';

async function run() {
  const app = framework();
  const described = (path, list) =>
    app.use(path, new MemoryService(), { schema: serviceSchema({ record: { type: 'object', properties: { id: { type: 'integer' }, list } } }) });
  app.use('plain', new MemoryService({ operators: ['$regex'] }));
  const told = {};
  for (const [name, work] of Object.entries({
    settings: () => loadConfiguration({ directory: process.argv[2] }).port,
    older: () => described('older', { type: 'array' }) && 'described',
    newer: () => described('newer', { type: 'array', prefixItems: [{ type: 'string' }] }) && 'described',
    pattern: () => app.service('plain').find({ query: { name: { $regex: '^a+$' } }, provider: 'rest' }),
  }))
    try {
      told[name] = await work();
    } catch ({ message }) {
      told[name] = message;
    }
  console.log(JSON.stringify(told));
}
void run();
`;

const here = import.meta.dirname;
const formats = ['esm', 'cjs'] as const;
const bundle = (format: string): string => join(folder, `server.${format === 'esm' ? 'mjs' : 'cjs'}`);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bundles-'));
  await mkdir(join(folder, 'config'));
  await writeFile(join(folder, 'config/default.json'), '{ "port": 3030 }');
  const stdin = { contents: PROGRAM, resolveDir: here };
  const conditions = ['@framework/source'];
  // Modules of CommonJS in a bundle of the other kind ask for what Node.js gives them.
  const banner = { js: "import { createRequire as make } from 'node:module'; const require = make(import.meta.url);" };
  for (const format of formats)
    await build({
      stdin,
      format,
      outfile: bundle(format),
      bundle: true,
      platform: 'node',
      conditions,
      logLevel: 'error',
      ...(format === 'esm' ? { banner } : {}),
    });
  await stop();
});
afterAll(() => rm(folder, { recursive: true }));

async function run(format: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [bundle(format), join(folder, 'config')], { cwd: folder });
  return JSON.parse(stdout);
}

describe.each(formats)('a program that esbuild has made one file of, as %s', (format) => {
  it('runs, says what it needs beside it where that is asked for, and finds it there', async () => {
    const missing = (name: string, owner: string, file = name): string =>
      `'${file}' can not be found. Where the program is a bundle, leave '${owner}' out of it (external), or install '${name}' beside it`;
    const found = { settings: 3030, older: 'described', newer: 'described', pattern: [] };
    expect(await run(format)).toEqual({
      ...found,
      newer: missing('ajv', '@framework/schema', 'ajv/dist/2020.js'),
      pattern: missing('redos-detector', '@framework/query'),
    });
    const modules = join(folder, 'node_modules');
    await mkdir(modules);
    for (const [owner, name] of [
      ['schema', 'ajv'],
      ['query', 'redos-detector'],
    ] as const)
      await symlink(join(here, '../../../packages', owner, 'node_modules', name), join(modules, name));
    expect(await run(format)).toEqual(found);
    await rm(modules, { recursive: true });
  });
});
