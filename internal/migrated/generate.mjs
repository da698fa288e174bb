// Writes an application as the generator of FeathersJS does, with its questions answered: node generate.mjs <folder> <answers as JSON>. It asks nothing and
// installs nothing.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, json] = process.argv.slice(2);
const { auth, ...answers } = JSON.parse(json);
const lib = dirname(createRequire(import.meta.url).resolve('@feathersjs/generators'));
const { getContext } = await import(pathToFileURL(join(lib, 'index.js')).href);
const type = { mongodb: 'mongodb', postgresql: 'knex' }[answers.database] ?? 'custom';
process.chdir(folder);

await step('app', { ...answers, name: basename(folder), description: 'A test', packager: 'npm', connectionString: connection() });
if (auth)
  await step('authentication', { authStrategies: ['local', 'github'], service: 'user', path: 'users', type, schema: answers.schema });
await step('service', { name: 'message', path: 'messages', authentication: auth, type, schema: answers.schema });

/** One generator; what it would install becomes part of the manifest. */
async function step(name, context) {
  const installed = { dependencies: {}, devDependencies: {} };
  const ctx = getContext({ ...context, cwd: folder }, { cwd: folder });
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

function connection() {
  if (answers.database === 'mongodb') return `mongodb://127.0.0.1:27017/${basename(folder)}`;
  return answers.database === 'postgresql' ? 'postgres://127.0.0.1' : '';
}
