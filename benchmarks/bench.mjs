// Measures everything on each version of Node.js, compares it with the targets, and writes RESULTS.md. An answer that differs, or an
// error, fails the run. BENCH_NODES=20,24 takes other versions.
import { execFileSync, fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { measureInstall } from './install-size.mjs';
import { nodeProgram } from './measure/node-programs.mjs';
import { table } from './measure/table.mjs';
import { measureLogins } from './logins.mjs';
import { measureRest } from './rest.mjs';
import { measureStart } from './start.mjs';
import { compareWithTargets } from './targets.mjs';

const NODES = (process.env.BENCH_NODES ?? '20,22,24').split(',');
const COMPARED = ['express', 'express4', 'fastify', 'hono', '@hono/node-server', 'koa', 'qs', 'jose', 'mongodb', '@feathersjs/feathers'];

/** Calls without HTTP run in a process of the version that is measured. */
function measureCalls(execPath) {
  const options = { execPath, execArgv: ['--expose-gc', '--min-semi-space-size=32'], env: { ...process.env, NODE_ENV: 'production' } };
  const child = fork(fileURLToPath(new URL('calls.mjs', import.meta.url)), options);
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`calls.mjs ended with ${code}`)));
  });
}

/** The version that the lock file has; not every package lets its `package.json` be read from outside. */
function versionOf(name) {
  const folder = new URL(`node_modules/${name}/package.json`, import.meta.url);
  return `${name} ${JSON.parse(readFileSync(folder, 'utf8')).version}`;
}

const body = [];
const figures = {};
for (const wanted of NODES) {
  const node = nodeProgram(wanted);
  if (!node) {
    console.log(`Node.js ${wanted} can not be had here and is left out.`);
    continue;
  }
  const rest = await measureRest(node.path);
  const start = await measureStart(node.path);
  const logins = await measureLogins(node.path);
  const calls = await measureCalls(node.path);
  const section = [`## Node.js ${node.version}`, ...rest.lines, ...start.lines, ...logins.lines];
  for (const { head, rows } of Object.values(calls)) section.push(...table(head, rows));
  console.log(section.join('\n'));
  body.push(...section);
  const callFigures = Object.fromEntries(Object.entries(calls).map(([name, part]) => [name, part.figures]));
  figures[node.version.split('.', 1)[0]] = { rest: rest.figures, start: start.figures, logins: logins.figures, calls: callFigures };
}

let install;
try {
  install = measureInstall();
  body.push('## Size', ...install.lines);
  console.log(install.lines.join('\n'));
} catch (error) {
  console.log(`The size of an install was not measured: ${error.message.split('\n', 1)[0]}`);
}

const { lines: targets, missed } = compareWithTargets(figures, install?.figures);
console.log(targets.join('\n'));
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
const head = [
  '# Results',
  '',
  `Made by \`pnpm bench\` at ${commit}, on ${cpus().length} cores that others use too. Runs are in turns, and only ratios within one run say`,
  'something: medians, with the lowest and highest round or half the spread from the 10th to the 90th percentile. REST: CPU time of the',
  'server for each request, 16 connections that always have a request waiting.',
  '',
  `Versions: ${COMPARED.map(versionOf).join(', ')}.`,
  '',
  '## Targets',
];
writeFileSync(
  new URL('RESULTS.md', import.meta.url),
  `${[...head, ...targets, ...body]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`,
);
console.log(missed === 0 ? 'Every target is met.' : `${missed} figures miss their target; LIMITS.md says what limits them.`);
