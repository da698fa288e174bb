// Packs the packages as they are published and uses them as their users do: an application with core and transport only,
// as ES module and as CommonJS, with types in both; and no package brings what it does not need.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

const root = fileURLToPath(new URL('..', import.meta.url));
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'packages-'));
const run = (command, args, cwd) => execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });

function pack(name) {
  run(
    'npm',
    ['exec', '--yes', `--package=${packageManager}`, '--', 'pnpm', 'pack', '--pack-destination', folder],
    join(root, 'packages', name),
  );
  const file = readdirSync(folder).find(
    (entry) =>
      entry.startsWith(`framework-${name}-`) &&
      /-\d+\.\d+\.\d+\.tgz$/.test(entry) &&
      entry === `framework-${name}-${entry.match(/(\d+\.\d+\.\d+)\.tgz$/)[1]}.tgz`,
  );
  return `file:${join(folder, file)}`;
}

/** Compiles as a user of the packages does. */
function compile(...args) {
  const options = '--strict --skipLibCheck --esModuleInterop --module nodenext --target es2022 --types node'.split(' ');
  run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...options, ...args], folder);
}

const program = `
const app = express(framework());
app.configure(express.rest());
app.use('hello', { async get(id) { return { id }; } });
const server = await app.listen(0, '127.0.0.1');
const answer = await fetch('http://127.0.0.1:' + server.address().port + '/hello/world');
console.log(answer.status, await answer.text());
await app.close();`;

try {
  const packages = ['errors', 'core', 'transport-express'];
  const files = Object.fromEntries(packages.map((name) => [`@framework/${name}`, pack(name)]));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({
      private: true,
      dependencies: { ...files, express: '^5.0.0' },
      overrides: files,
      devDependencies: { '@types/express': '^5.0.0', '@types/node': '^20.0.0', '@types/cors': '^2.8.0', '@types/compression': '^1.8.0' },
    }),
  );
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], folder);
  for (const absent of ['mongodb', 'jose', 'bson', 'ajv'])
    if (existsSync(join(folder, 'node_modules', absent))) throw new Error(`${absent} was installed`);

  writeFileSync(
    join(folder, 'app.mjs'),
    `import { framework } from '@framework/core';\nimport express from '@framework/transport-express';\n${program}`,
  );
  writeFileSync(
    join(folder, 'app.cjs'),
    `const { framework } = require('@framework/core');\nconst express = require('@framework/transport-express').default;\n(async () => {${program}\n})();`,
  );
  for (const file of ['app.mjs', 'app.cjs']) {
    const output = run(process.execPath, ['--no-warnings', file], folder).trim();
    if (output !== '200 {"id":"world"}') throw new Error(`${file} printed ${output}`);
    console.log(`${file}: ${output}`);
  }

  // The program of the README, as a reader would copy it.
  const [, readme = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
  const asked = `${readme.replace('app.listen(3030)', 'app.listen(0)')}
const { port } = app.server!.address() as { port: number };
const made = await fetch('http://127.0.0.1:' + port + '/messages', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"text":" hello "}' });
console.log(made.status, await made.text());
await app.close();
`;
  writeFileSync(join(folder, 'readme.mts'), asked);
  compile('readme.mts');
  const printed = run(process.execPath, ['--no-warnings', 'readme.mjs'], folder).trim();
  if (printed !== 'new: hello\n201 {"id":1,"text":"hello"}') throw new Error(`the program of the README printed ${printed}`);
  console.log('the program of the README compiles and runs');

  const typed = `import { framework } from '@framework/core';\nimport { express, rest } from '@framework/transport-express';\nconst app = express(framework<{ a: { get(id: number): Promise<{ id: number }> } }>());\napp.configure(rest());\nexport const found: Promise<{ id: number }> = app.service('a').get(1);\n// @ts-expect-error no such service\napp.service('b');\n`;
  for (const extension of ['mts', 'cts']) writeFileSync(join(folder, `types.${extension}`), typed);
  compile('--noEmit', 'types.mts', 'types.cts');
  console.log('types resolve in ES modules and in CommonJS');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
