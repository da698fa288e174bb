// Installs agents of tracing services in a folder outside the repository (200 MB), starts an application with each and compares the names
// that they give to requests. Nothing leaves the machine but the installation: `pnpm --filter @framework-internal/middleware agents`.
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = ['dd-trace@5', 'elastic-apm-node@4', 'newrelic@13', '@msgpack/msgpack@3'];
const folder = process.env.AGENTS ?? join(tmpdir(), 'framework-agents');
const [MESSAGES, AROUND, FAILING] = ['/users/7/messages/12?a=1', '/around/1', '/failing'];

/** The name that an agent gives to each request. */
const AGENTS = {
  'dd-trace': { [MESSAGES]: 'GET /users/:userId/messages/:id', [AROUND]: 'GET /around/:id', [FAILING]: 'GET /failing' },
  'elastic-apm-node': { [MESSAGES]: 'GET /users/:userId/messages/:id', [AROUND]: 'GET /around/:id', [FAILING]: 'GET /failing' },
  newrelic: {
    [MESSAGES]: 'WebTransaction/Custom/users/:userId/messages.get',
    [AROUND]: 'WebTransaction/Custom/around.get',
    [FAILING]: 'WebTransaction/Custom/failing.find',
  },
};

install();
let failures = 0;
for (const express of ['express', 'express4']) {
  for (const [agent, expected] of Object.entries(AGENTS)) {
    const names = await namesOf(agent, express);
    for (const [path, name] of Object.entries(expected)) {
      const ok = names[path] === name;
      if (!ok) failures += 1;
      console.log(`${ok ? 'ok  ' : 'FAIL'} ${agent}, ${express}: ${path} is ${names[path]}${ok ? '' : ` and not ${name}`}`);
    }
  }
}
process.exitCode = failures === 0 ? 0 : 1;

function install() {
  mkdirSync(folder, { recursive: true });
  if (PACKAGES.every((name) => existsSync(join(folder, 'node_modules', name.replace(/(?<=.)@.*/, ''))))) return;
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...PACKAGES], { cwd: folder, stdio: 'inherit' });
}

/** Starts the application of the suite with an agent; what the agent sends comes here. */
async function namesOf(agent, express) {
  const sent = [];
  const collector = http.createServer(async (req, res) => {
    const chunks = [];
    for await (const chunk of req) chunks.push(chunk);
    if (/^\/v0\.\d\/traces$/.test(req.url)) sent.push(...decode(Buffer.concat(chunks)));
    res.end('{}');
  });
  await new Promise((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const child = fork(fileURLToPath(new URL('../test/fixtures/traced.cjs', import.meta.url)), {
    execArgv: ['--require', fileURLToPath(new URL(`${agent}.cjs`, import.meta.url)), '--no-warnings'],
    env: { ...process.env, EXPRESS: express, AGENTS: folder, COLLECTOR: `http://127.0.0.1:${collector.address().port}` },
    cwd: folder,
  });
  const [[results]] = await Promise.all([once(child, 'message'), once(child, 'exit')]);
  collector.close().closeAllConnections();
  const reported = Object.fromEntries(Object.entries(results).map(([path, { spans }]) => [path, spans[0]?.name]));
  return { ...reported, ...Object.fromEntries(sent) };
}

/** The requests among Datadog's traces: path and name. */
function decode(bytes) {
  const traces = createRequire(`${folder}/`)('@msgpack/msgpack').decode(bytes);
  return traces
    .flat()
    .filter((span) => span.name === 'web.request' || span.name === 'express.request')
    .map((span) => [`${new URL(span.meta['http.url']).pathname}${new URL(span.meta['http.url']).search}`, span.resource]);
}
