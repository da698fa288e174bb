// Packs the packages as they are published, looks at the files as their users' tools do, and uses them: an application with core and
// transport only, as ES module and as CommonJS, with types in both; the program of the README; all packages together, commands too.
// No package brings what it does not need.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { formatMessage } from 'publint/utils';
import { publint } from 'publint';
import { packAll, publishedPackages } from './packages.mjs';
import { root, run } from './pnpm.mjs';

const folder = mkdtempSync(join(tmpdir(), 'packages-'));
const node = (args, cwd) => run(process.execPath, ['--no-warnings', ...args], { cwd });
// Types of Node.js alone: those of Express come with the transport.
const TYPES = { '@types/node': '^20.0.0' };

try {
  const files = packAll(folder);
  for (const [name, file] of Object.entries(files)) await lint(name, file);
  console.log(`${Object.keys(files).length} packages: publint (strict) and are-the-types-wrong find nothing`);
  const small = install('small', ['@framework/errors', '@framework/core', '@framework/transport-express'], files, { express: '^5.0.0' });
  for (const absent of ['mongodb', 'jose', 'bson', 'ajv'])
    if (existsSync(join(small, 'node_modules', absent))) throw new Error(`${absent} was installed`);
  runPrograms(small);
  runReadme(small);
  checkTypes(small);
  const all = install('all', Object.keys(files), files, { express: '^5.0.0', mongodb: '^7.0.0' });
  loadAll(all);
  await runCommands(all);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function lint(name, file) {
  const tarball = readFileSync(file);
  const { messages, pkg } = await publint({
    strict: true,
    pack: { tarball: tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength) },
  });
  const found = messages.map((message) => `${name}: ${message.type}: ${formatMessage(message, pkg)}`);
  const { types, problems = [] } = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
  if (types === false) found.push(`${name}: no types`);
  // ES modules only: what CommonJS makes of them is tried out below.
  const others = ['node10', 'node16-cjs'];
  for (const problem of problems) if (!others.includes(problem.resolutionKind)) found.push(`${name}: ${JSON.stringify(problem)}`);
  if (found.length > 0) throw new Error(found.join('\n'));
}

/** An application with these packages, as npm installs them. */
function install(name, packages, files, others) {
  const cwd = join(folder, name);
  mkdirSync(cwd);
  const chosen = Object.fromEntries(packages.map((each) => [each, `file:${files[each]}`]));
  const manifest = { private: true, dependencies: { ...chosen, ...others }, overrides: chosen, devDependencies: TYPES };
  writeFileSync(join(cwd, 'package.json'), JSON.stringify(manifest));
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], { cwd });
  return cwd;
}

function runPrograms(cwd) {
  const program = `
const app = express(framework());
app.configure(express.rest());
app.use('hello', { async get(id) { return { id }; } });
const server = await app.listen(0, '127.0.0.1');
const answer = await fetch('http://127.0.0.1:' + server.address().port + '/hello/world');
console.log(answer.status, await answer.text());
await app.close();`;
  const modules = `import { framework } from '@framework/core';\nimport express from '@framework/transport-express';\n${program}`;
  const common = `const { framework } = require('@framework/core');\nconst express = require('@framework/transport-express').default;\n(async () => {${program}\n})();`;
  for (const [file, source] of Object.entries({ 'app.mjs': modules, 'app.cjs': common })) {
    writeFileSync(join(cwd, file), source);
    expectOutput(file, node([file], cwd), '200 {"id":"world"}');
  }
}

/** The program of the README, as a reader would copy it. */
function runReadme(cwd) {
  const [, readme = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
  const asked = `${readme.replace('app.listen(3030)', 'app.listen(0)')}
const { port } = app.server!.address() as { port: number };
const made = await fetch('http://127.0.0.1:' + port + '/messages', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"text":" hello "}' });
console.log(made.status, await made.text());
await app.close();
`;
  writeFileSync(join(cwd, 'readme.mts'), asked);
  compile(cwd, 'readme.mts');
  expectOutput('the program of the README', node(['readme.mjs'], cwd), 'new: hello\n201 {"id":1,"text":"hello"}');
}

function checkTypes(cwd) {
  const typed = `import { framework } from '@framework/core';\nimport { express, rest } from '@framework/transport-express';\nconst app = express(framework<{ a: { get(id: number): Promise<{ id: number }> } }>());\napp.configure(rest());\nexport const found: Promise<{ id: number }> = app.service('a').get(1);\n// @ts-expect-error no such service\napp.service('b');\n// @ts-expect-error a method of Express whose name is another\napp.gett('/', () => undefined);\n`;
  for (const extension of ['mts', 'cts']) writeFileSync(join(cwd, `types.${extension}`), typed);
  compile(cwd, '--noEmit', 'types.mts', 'types.cts');
  console.log('types resolve in ES modules and in CommonJS');
}

/** Compiles as a user of the packages does. */
function compile(cwd, ...args) {
  const options = '--strict --skipLibCheck --esModuleInterop --module nodenext --target es2022 --types node'.split(' ');
  run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...options, ...args], { cwd });
}

/** Every package loads by `import` and by `require`, with source maps that name its sources, in a folder that has only packed files. */
function loadAll(cwd) {
  const names = publishedPackages().map(({ name }) => name);
  writeFileSync(
    join(cwd, 'load.mjs'),
    `for (const name of ${JSON.stringify(names)}) if (Object.keys(await import(name)).length === 0) throw new Error(name);\n`,
  );
  writeFileSync(
    join(cwd, 'load.cjs'),
    `for (const name of ${JSON.stringify(names)}) if (Object.keys(require(name)).length === 0) throw new Error(name);\n`,
  );
  for (const file of ['load.mjs', 'load.cjs']) node([file], cwd);
  const { resolve } = createRequire(join(cwd, 'package.json'));
  for (const name of names) {
    const main = resolve(name);
    const { sources } = JSON.parse(readFileSync(`${main}.map`, 'utf8'));
    const absent = sources.filter((source) => source.startsWith('../src/') && !existsSync(join(main, '..', source)));
    if (sources.length === 0 || absent.length > 0) throw new Error(`${name}: its source map names ${absent.join(', ') || 'no sources'}`);
  }
  console.log(`${names.length} packages load by import and by require, and their source maps lead to their sources`);
}

async function runCommands(cwd) {
  const commands = publishedPackages().flatMap(({ manifest }) => Object.keys(manifest.bin ?? {}));
  for (const command of commands) {
    const output = run('npm', ['exec', '--offline', '--', command, '--help'], { cwd });
    if (!output.startsWith(`Usage: ${command}`)) throw new Error(`${command} --help printed ${output}`);
  }
  writeFileSync(
    join(cwd, 'audited.mjs'),
    `import { framework } from '@framework/core';\nexport const app = framework();\napp.use('notes', { find: async () => [] });\n`,
  );
  run('npm', ['exec', '--offline', '--', 'framework-audit', 'audited.mjs', '--update'], { cwd });
  run('npm', ['exec', '--offline', '--', 'framework-audit', 'audited.mjs'], { cwd });
  await useDatabase(cwd);
  console.log(`${commands.join(' and ')} run as commands of an installed package`);
}

/** Starts the database by its command, writes and reads over the driver, and stops it. */
async function useDatabase(cwd) {
  const server = spawn(process.execPath, [join(cwd, 'node_modules/.bin/framework-docdb'), '--port', '0'], {
    cwd,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const uri = await new Promise((resolve, reject) => {
      server.once('exit', () => reject(new Error('framework-docdb ended')));
      server.stdout.once('data', (text) => resolve(String(text).split('\n')[0]));
    });
    writeFileSync(
      join(cwd, 'database.mjs'),
      `import { MongoClient } from 'mongodb';
const client = await new MongoClient(process.argv[2]).connect();
const items = client.db('t').collection('items');
await items.insertOne({ a: 1 });
console.log(await items.countDocuments({ a: 1 }));
await client.close();\n`,
    );
    expectOutput('framework-docdb', node(['database.mjs', uri], cwd), '1');
  } finally {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    await ended;
  }
}

function expectOutput(what, output, expected) {
  if (output.trim() !== expected) throw new Error(`${what} printed ${output}`);
  console.log(`${what}: ${output.trim().replace('\n', ', ')}`);
}
