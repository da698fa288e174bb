// Every combination of the generator on Node.js 20, 22, 24 and 26, from packed packages: create, install, build, lint, test, audit, start, requests, stop, one more
// service. `NODES=24` and `ONLY=memory` choose; `RUNS=2` at the same time.
import { rmSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPackedRegistry } from '../../scripts/packed-registry.mjs';
import { run } from '../../scripts/pnpm.mjs';
import { Newcomer } from './newcomer.mjs';
import { liveThrough } from './project.mjs';

const { NODES = '20,22,24,26', ONLY = '', RUNS = '2' } = process.env;
const combinations = ['ts', 'js'].flatMap((language) =>
  ['memory', 'embedded'].flatMap((database) =>
    ['none', 'local'].flatMap((login) => ['none', 'sse'].map((realTime) => ({ language, database, login, realTime }))),
  ),
);
// Besides these 16, what they leave out.
const others = [{ language: 'ts', database: 'memory', login: 'oauth', realTime: 'socketio' }];

const folder = mkdtempSync(join(tmpdir(), 'combinations '));
const registry = await startPackedRegistry(join(folder, 'packed'));
let failed = 0;
let passed = 0;
try {
  const work = NODES.split(',').flatMap((version) => {
    const node = nodeOf(version);
    return [...combinations, ...others]
      .map((choice) => ({
        ...choice,
        version,
        node,
        title: `node ${version} ${choice.language} ${choice.database} ${choice.login} ${choice.realTime}`,
      }))
      .filter(({ title }) => title.includes(ONLY));
  });
  const queue = work.entries();
  const worker = async () => {
    for (const [index, { title, node, ...choice }] of queue) {
      const home = join(folder, `home ${index}`);
      const begun = performance.now();
      try {
        await liveThrough(new Newcomer(home, registry.url, node), { ...choice, home, folder: 'my api' });
        passed += 1;
        console.log(`passed ${title} (${Math.round((performance.now() - begun) / 1000)} s)`);
      } catch (error) {
        failed += 1;
        console.error(`FAILED ${title}\n${error instanceof Error ? error.message : error}`);
      }
      rmSync(home, { recursive: true, force: true });
    }
  };
  await Promise.all(Array.from({ length: Number(RUNS) }, worker));
} finally {
  await registry.close();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

/** The Node.js of a version, from npm's package of it. */
function nodeOf(version) {
  if (version === process.versions.node.split('.')[0]) return process.execPath;
  return run('npm', ['exec', '--yes', `--package=node@${version}`, '--', 'node', '-p', 'process.execPath'], { cwd: tmpdir() }).trim();
}
