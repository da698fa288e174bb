// A release, as it will be, to a registry on loopback that is thrown away: publishes all packages, changes one with a changeset,
// versions and publishes again, and runs the program of the README in a fresh project that installs from that registry. Prints what
// moved, and fails unless those are the changed package and those that depend on it.
import { spawn } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyCheckout } from './copy-checkout.mjs';
import { publishedPackages } from './packages.mjs';
import { pnpm, root, run } from './pnpm.mjs';

/** Installed for the rehearsal only: no one else needs a registry. */
const REGISTRY = { name: 'verdaccio', version: '6.2.4' };
/** It asks for a tag of this package, which not every mirror has. */
const TAGGED = { 'node-fetch': '2.7.0' };
const CHANGED = '@framework/query';

const folder = mkdtempSync(join(tmpdir(), 'rehearsal-'));
const port = await freePort();
const url = `http://127.0.0.1:${port}/`;
const userConfig = join(folder, 'npmrc');
let registry;
try {
  registry = await startRegistry();
  await addUser();
  const checkout = copyWithHistory();
  const env = { ...process.env, npm_config_userconfig: userConfig, npm_config_registry: url, npm_config_provenance: 'false' };
  const publish = () =>
    run('node', [join(root, 'node_modules/@changesets/cli/bin.js'), 'publish', '--no-git-tag'], { cwd: checkout, env: withPnpm(env) });

  rmSync(join(checkout, '.changeset'), { recursive: true });
  cpSync(join(root, '.changeset/config.json'), join(checkout, '.changeset/config.json'));
  publish();
  const first = await publishedVersions();
  appendFileSync(join(checkout, 'packages/query/README.md'), '\nChanged in a rehearsal.\n');
  writeFileSync(join(checkout, '.changeset/rehearsal.md'), `---\n'${CHANGED}': minor\n---\n\nA change for the rehearsal.\n`);
  pnpm(['run', 'version-packages'], { cwd: checkout, env });
  publish();
  const second = await publishedVersions();

  const dependents = dependentsOf(CHANGED);
  const rows = Object.keys(second).map((name) => ({
    package: name,
    before: first[name],
    after: second[name],
    why:
      first[name] === second[name]
        ? ''
        : name === CHANGED
          ? 'changed'
          : dependents.has(name)
            ? 'depends on it, or names it'
            : 'NOT EXPECTED',
  }));
  console.table(rows);
  const wrong = rows.filter(({ package: name, before, after }) => (before !== after) !== (name === CHANGED || dependents.has(name)));
  if (wrong.length > 0) throw new Error(`Moved, or did not, against expectation: ${wrong.map((row) => row.package).join(', ')}`);
  runReadme(env);
  console.log(
    `${rows.length} packages published to a registry on loopback, ${rows.filter((row) => row.why !== '').length} moved with a change of ${CHANGED}`,
  );
} finally {
  registry?.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}

async function startRegistry() {
  const storage = join(folder, 'storage');
  mkdirSync(storage);
  const upstream = run('npm', ['config', 'get', 'registry']).trim();
  // Ours are kept here alone; what they depend on comes from where this machine gets its packages.
  const config = {
    storage,
    max_body_size: '50mb',
    auth: { htpasswd: { file: join(folder, 'users'), max_users: 10 } },
    uplinks: { upstream: { url: upstream, maxage: '1h' } },
    packages: {
      '@framework/*': { access: '$all', publish: '$authenticated' },
      'create-framework': { access: '$all', publish: '$authenticated' },
      '**': { access: '$all', proxy: 'upstream' },
    },
    log: { type: 'stdout', format: 'json', level: 'warn' },
    web: { enable: false },
  };
  // JSON is YAML.
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify(config));
  const tool = join(folder, 'tool');
  mkdirSync(tool);
  const dependencies = { [REGISTRY.name]: REGISTRY.version };
  writeFileSync(join(tool, 'package.json'), JSON.stringify({ private: true, dependencies, overrides: TAGGED }));
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', '--loglevel=error'], {
    cwd: tool,
  });
  const child = spawn(
    process.execPath,
    [join(tool, 'node_modules/verdaccio/bin/verdaccio'), '--config', join(folder, 'config.yaml'), '--listen', `127.0.0.1:${port}`],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let problems = '';
  child.stderr.on('data', (text) => (problems += text));
  for (let tries = 0; ; tries += 1) {
    if (child.exitCode !== null || tries > 600) throw new Error(`The registry did not start: ${problems}`);
    const answer = await fetch(`${url}-/ping`, { headers: { connection: 'close' } }).catch(() => undefined);
    if (answer?.ok) return child;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** A user of the registry on loopback, whose token lives as long as this rehearsal. */
async function addUser() {
  const body = JSON.stringify({ name: 'rehearsal', password: crypto.randomUUID(), type: 'user' });
  const answer = await fetch(`${url}-/user/org.couchdb.user:rehearsal`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body,
  });
  const { token } = await answer.json();
  if (!answer.ok || !token) throw new Error(`The registry takes no user: ${answer.status}`);
  writeFileSync(userConfig, `registry=${url}\n//127.0.0.1:${port}/:_authToken=${token}\n`);
}

/** The built packages, and what changesets read: the checkout stays as it is. */
function copyWithHistory() {
  const checkout = copyCheckout(join(folder, 'checkout'));
  for (const args of [
    ['init', '--quiet', '--initial-branch=main'],
    ['add', '--all', '--force', 'package.json'],
    ['-c', 'user.name=rehearsal', '-c', 'user.email=rehearsal@localhost', 'commit', '--quiet', '--message=Rehearsal'],
  ])
    run('git', args, { cwd: checkout });
  return checkout;
}

/** Changesets call the package manager by its name. */
function withPnpm(env) {
  const path = pnpm(['exec', process.execPath, '-p', 'process.env.PATH']).trim();
  return { ...env, PATH: path };
}

async function publishedVersions() {
  const entries = publishedPackages().map(async ({ name }) => {
    // A connection that was kept has been closed while the commands ran.
    const answer = await fetch(url + name.replace('/', '%2f'), { headers: { connection: 'close' } });
    const { 'dist-tags': tags } = await answer.json();
    return [name, tags?.latest];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Those that depend on a package, directly or not, when users install them, and those that name versions in what they write. */
function dependentsOf(changed) {
  const found = new Set(['create-framework', '@framework/migrate']);
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const { name, manifest } of publishedPackages()) {
      const all = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
      if (all.some((dependency) => dependency === changed || found.has(dependency))) found.add(name);
    }
  }
  return found;
}

/** A fresh project: installs from the registry by name and runs the program of the README. */
function runReadme(env) {
  const cwd = join(folder, 'project');
  mkdirSync(cwd);
  const [, program = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
  writeFileSync(join(cwd, 'package.json'), '{"private":true,"type":"module"}');
  const names = [...new Set([...program.matchAll(/from '((?:@[^/']+\/)?[^/']+)/g)].map((match) => match[1]))];
  run(
    'npm',
    [
      'install',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      // Whatever the settings of whoever runs it say: the addresses are looked at below.
      '--no-omit-lockfile-registry-resolved',
      ...names,
      'express',
      'typescript@~5.9',
      '@types/node@20',
      '@types/express@5',
    ],
    { cwd, env },
  );
  const { packages } = JSON.parse(readFileSync(join(cwd, 'package-lock.json'), 'utf8'));
  const from = Object.entries(packages).filter(([path]) => path.startsWith('node_modules/@framework/'));
  if (from.length === 0 || from.some(([, entry]) => !entry.resolved.startsWith(url)))
    throw new Error('The project did not install from the registry on loopback');
  const asked = `${program.replace('app.listen(3030)', 'app.listen(0)')}
const { port } = app.server!.address() as { port: number };
const made = await fetch('http://127.0.0.1:' + port + '/messages', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"text":" hello "}' });
console.log(made.status, await made.text());
await app.close();
`;
  writeFileSync(join(cwd, 'readme.mts'), asked);
  const options = '--strict --skipLibCheck --esModuleInterop --module nodenext --target es2022 --types node'.split(' ');
  run(process.execPath, ['node_modules/typescript/bin/tsc', ...options, 'readme.mts'], { cwd });
  const output = run(process.execPath, ['--no-warnings', 'readme.mjs'], { cwd }).trim();
  if (output !== 'new: hello\n201 {"id":1,"text":"hello"}') throw new Error(`the program of the README printed ${output}`);
  console.log(`a fresh project installed ${from.length} packages from ${url} and ran the program of the README`);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = server.address();
      server.close(() => resolve(free));
    });
    server.once('error', reject);
  });
}
