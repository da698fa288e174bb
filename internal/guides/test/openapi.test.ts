import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const guide = readFileSync(new URL('../../../docs/guides/openapi.md', import.meta.url), 'utf8');

/** The code block whose first line has this title. */
function block(title: string): string {
  return [...guide.matchAll(/^```(\w+) (\S+)\n([\s\S]*?)^```$/gm)].find((match) => match[2] === title)?.[3] ?? '';
}

const run = promisify(execFile);
const command = join(import.meta.dirname, '../node_modules/@framework/openapi/bin/framework-openapi.js');
let folder: string;
let server: ChildProcess;
let url: string;
beforeAll(async () => {
  // Beside the tests, where the packages are installed.
  folder = mkdtempSync(join(import.meta.dirname, 'guide-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const file of ['app.js', 'main.js', 'admin.js', 'client.ts']) writeFileSync(join(folder, file), block(file));
  writeFileSync(join(folder, 'weather.js'), `${block('weather')}\nexport * from './app.js';\n`);
  for (const name of ['guard', 'tenant']) writeFileSync(join(folder, `${name}.js`), block(name));
  server = spawn(process.execPath, ['main.js'], { cwd: folder, env: { ...process.env, PORT: '0' }, stdio: ['ignore', 'pipe', 'pipe'] });
  url = await new Promise((resolve, reject) => {
    let output = '';
    server.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    server.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
    server.once('exit', () => reject(new Error(output)));
  });
});
afterAll(async () => {
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true });
});

const get = (path: string): Promise<Response> => fetch(url + path, { headers: { accept: 'application/json' } });

it('serves the document and its page', async () => {
  const text = await (await get('/openapi.json')).text();
  expect(Object.keys(JSON.parse(text).paths)).toEqual(['/openapi.json', '/products', '/products/restock', '/products/{id}']);
  expect(text).not.toContain('purchasePrice');
  expect(JSON.parse(text).paths['/products'].get.summary).toBe('Look at products');
  const page = await get('/openapi.json/ui');
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const restocked = await fetch(`${url}/products/restock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"amount":2}',
  });
  expect(await restocked.json()).toEqual({ added: 2 });
});

it('writes the document, and compares it', async () => {
  expect((await run(process.execPath, [command, 'app.js'], { cwd: folder })).stderr).toBe('openapi.json is written\n');
  const written = JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8'));
  expect(written).toEqual(await (await get('/openapi.json')).json());
  expect((await run(process.execPath, [command, 'app.js', '--check'], { cwd: folder })).stderr).toBe('openapi.json is up to date\n');
});

it('makes a document for administrators', async () => {
  const { stdout } = await run(process.execPath, ['admin.js'], { cwd: folder });
  expect(stdout).toBe('/openapi.json /products /products/restock /products/{id}\n');
});

it('has types and a client, guards and services that describe themselves', async () => {
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const document = (await (await get('/openapi.json')).json()) as never;
  writeFileSync(join(folder, 'api.d.ts'), astToString(await openapiTS(document)));
  const typescript = join(import.meta.dirname, '../node_modules/typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
  await run(process.execPath, [typescript, ...options, 'client.ts'], { cwd: folder });
  const program = `
    import { describesItself } from '@framework/core';
    import { loginRequired } from './guard.js';
    import { Weather } from './weather.js';
    console.log(typeof loginRequired, Object.keys(new Weather()[describesItself]().methods).join());`;
  writeFileSync(join(folder, 'uses.js'), program);
  expect((await run(process.execPath, ['uses.js'], { cwd: folder })).stdout).toBe('function get\n');
});

it('has what a hook says that it adds', async () => {
  const program = `
    import { openapiDocument } from '@framework/openapi';
    import { app } from './app.js';
    import { ofTenant } from './tenant.js';
    app.service('products').hooks({ before: { find: [ofTenant] } });
    const { parameters, responses } = (await openapiDocument(app)).paths['/products'].get;
    console.log(parameters.some(({ name }) => name === 'X-Tenant'), 403 in responses);`;
  writeFileSync(join(folder, 'tenants.js'), program);
  expect((await run(process.execPath, ['tenants.js'], { cwd: folder })).stdout).toBe('true true\n');
});
