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
const application = join(folder, 'application');
const node = (...args) => run(process.execPath, ['--no-warnings', ...args], { cwd: application });
// Types of Node.js alone: those of Express come with the transport.
const TYPES = { '@types/node': '^20.0.0' };

try {
  const files = packAll(folder);
  for (const [name, file] of Object.entries(files)) await lint(name, file);
  console.log(`${Object.keys(files).length} packages: publint (strict) and are-the-types-wrong find nothing`);
  mkdirSync(application);
  install(['@framework/errors', '@framework/core', '@framework/transport-express'], files, { express: '^5.0.0' });
  for (const absent of ['mongodb', 'jose', 'bson', 'ajv'])
    if (existsSync(join(application, 'node_modules', absent))) throw new Error(`${absent} was installed`);
  runPrograms();
  compileReadmeAndTypes();
  // Into the same folder, so that what is there already is not unpacked again.
  install(Object.keys(files), files, { express: '^5.0.0', mongodb: '^7.0.0' });
  loadAll();
  await runCommands();
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

/** Gives the application these packages, as npm installs them. */
function install(packages, files, others) {
  const chosen = Object.fromEntries(packages.map((each) => [each, `file:${files[each]}`]));
  const manifest = { private: true, dependencies: { ...chosen, ...others }, overrides: chosen, devDependencies: TYPES };
  write('package.json', JSON.stringify(manifest));
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], { cwd: application });
}

function write(file, text) {
  writeFileSync(join(application, file), text);
}

function runPrograms() {
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
    write(file, source);
    expectOutput(file, node(file), '200 {"id":"world"}');
  }
}

/** The program of the README, as a reader would copy it, and types in both kinds of modules: compiled as a user of the packages does. */
function compileReadmeAndTypes() {
  const [, readme = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
  const asked = `${readme.replace('app.listen(3030)', 'app.listen(0)')}
const { port } = app.server!.address() as { port: number };
const made = await fetch('http://127.0.0.1:' + port + '/messages', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"text":" hello "}' });
console.log(made.status, await made.text());
await app.close();
`;
  write('readme.mts', asked);
  const typed = `import { framework } from '@framework/core';\nimport { express, rest } from '@framework/transport-express';\nconst app = express(framework<{ a: { get(id: number): Promise<{ id: number }> } }>());\napp.configure(rest());\nexport const found: Promise<{ id: number }> = app.service('a').get(1);\n// @ts-expect-error no such service\napp.service('b');\n// @ts-expect-error a method of Express whose name is another\napp.gett('/', () => undefined);\n`;
  for (const extension of ['mts', 'cts']) write(`types.${extension}`, typed);
  const options = '--strict --skipLibCheck --esModuleInterop --module nodenext --target es2022 --types node'.split(' ');
  node(join(root, 'node_modules/typescript/bin/tsc'), ...options, 'readme.mts', 'types.mts', 'types.cts');
  expectOutput('the program of the README', node('readme.mjs'), 'new: hello\n201 {"id":1,"text":"hello"}');
  console.log('types resolve in ES modules and in CommonJS');
}

/** Every package loads by `import` and by `require`, with source maps that name its sources, in a folder that has only packed files. */
function loadAll() {
  const names = publishedPackages().map(({ name }) => name);
  write(
    'load.mjs',
    `for (const name of ${JSON.stringify(names)}) if (Object.keys(await import(name)).length === 0) throw new Error(name);\n`,
  );
  write('load.cjs', `for (const name of ${JSON.stringify(names)}) if (Object.keys(require(name)).length === 0) throw new Error(name);\n`);
  for (const file of ['load.mjs', 'load.cjs']) node(file);
  const { resolve } = createRequire(join(application, 'package.json'));
  for (const name of names) {
    const main = resolve(name);
    const { sources } = JSON.parse(readFileSync(`${main}.map`, 'utf8'));
    const absent = sources.filter((source) => source.startsWith('../src/') && !existsSync(join(main, '..', source)));
    if (sources.length === 0 || absent.length > 0) throw new Error(`${name}: its source map names ${absent.join(', ') || 'no sources'}`);
  }
  console.log(`${names.length} packages load by import and by require, and their source maps lead to their sources`);
}

async function runCommands() {
  const commands = publishedPackages().flatMap(({ manifest }) => Object.keys(manifest.bin ?? {}));
  for (const command of commands) {
    const output = runCommand(command, '--help');
    if (!output.startsWith(`Usage: ${command}`)) throw new Error(`${command} --help printed ${output}`);
  }
  write(
    'audited.mjs',
    `import { framework } from '@framework/core';\nexport const app = framework();\napp.use('notes', { find: async () => [] });\n`,
  );
  runCommand('framework-audit', 'audited.mjs', '--update');
  run('npm', ['exec', '--offline', '--', 'framework-audit', 'audited.mjs'], { cwd: application });
  await useDatabase();
  console.log(`${commands.join(' and ')} run as commands of an installed package`);
}

/** What npm has put beside the packages for a command, without npm, which reads all packages before it starts one. */
function runCommand(command, ...args) {
  return run(join(application, 'node_modules/.bin', command), args, { cwd: application });
}

/** Starts the database by its command, writes and reads over the driver, and stops it. */
async function useDatabase() {
  const server = spawn(process.execPath, [join(application, 'node_modules/.bin/framework-docdb'), '--port', '0'], {
    cwd: application,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const uri = await new Promise((resolve, reject) => {
      server.once('exit', () => reject(new Error('framework-docdb ended')));
      server.stdout.once('data', (text) => resolve(String(text).split('\n')[0]));
    });
    write(
      'database.mjs',
      `import { MongoClient } from 'mongodb';
const client = await new MongoClient(process.argv[2]).connect();
const items = client.db('t').collection('items');
await items.insertOne({ a: 1 });
console.log(await items.countDocuments({ a: 1 }));
await client.close();\n`,
    );
    expectOutput('framework-docdb', node('database.mjs', uri), '1');
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
