// Writes applications as the generator of FeathersJS does, with its questions answered: node generate.mjs <folder> <answers as JSON> …, a pair for each
// of them. It asks nothing and installs nothing.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const lib = dirname(createRequire(import.meta.url).resolve('@feathersjs/generators'));
const { getContext } = await import(pathToFileURL(join(lib, 'index.js')).href);
const pairs = process.argv.slice(2);
for (let at = 0; at < pairs.length; at += 2) await application(pairs[at], JSON.parse(pairs[at + 1]));

async function application(folder, { auth, ...answers }) {
  const name = basename(folder);
  const type = { mongodb: 'mongodb', postgresql: 'knex' }[answers.database] ?? 'custom';
  process.chdir(folder);
  const connectionString = connection(answers.database, name);
  await step('app', { ...answers, name, description: 'A test', packager: 'npm', connectionString });
  if (auth)
    await step('authentication', { authStrategies: ['local', 'github'], service: 'user', path: 'users', type, schema: answers.schema });
  await step('service', { name: 'message', path: 'messages', authentication: auth, type, schema: answers.schema });
}

/** One generator; what it would install becomes part of the manifest. */
async function step(name, context) {
  const installed = { dependencies: {}, devDependencies: {} };
  const cwd = process.cwd();
  const ctx = getContext({ ...context, cwd }, { cwd });
  const quiet = () => undefined;
  ctx.pinion.logger = { ...console, log: quiet, notice: quiet, warn: quiet };
  ctx.pinion.exec = async (_command, args) => {
    const group = args.includes('--save-dev') || args.includes('-D') ? 'devDependencies' : 'dependencies';
    for (const each of args) {
      const [, dependency, version] = /^(@?[^@]+)@(.+)$/.exec(each) ?? [];
      if (dependency) installed[group][dependency] = version;
    }
    return 0;
  };
  const { generate } = await import(pathToFileURL(join(lib, name, 'index.js')).href);
  await generate(ctx);
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const group of ['dependencies', 'devDependencies']) manifest[group] = { ...manifest[group], ...installed[group] };
  writeFileSync('package.json', `${JSON.stringify(manifest, undefined, 2)}\n`);
}

function connection(database, name) {
  if (database === 'mongodb') return `mongodb://127.0.0.1:27017/${name}`;
  return database === 'postgresql' ? 'postgres://127.0.0.1' : '';
}
