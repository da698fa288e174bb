// Mutation tests of packages, or of folders of them: `pnpm mutate errors core/hooks`; without names, of all parts listed below.
// What did not change since the last run is taken from `.stryker/<part>.json`; `--force` runs all of it. The report of a part is
// `.stryker/<part>.html`. It works on a copy of the checkout.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { copyCheckout } from './copy-checkout.mjs';
import { root } from './pnpm.mjs';

/** What computes without a network: here a mutant costs a second. docs/quality.md has the scores. */
const PARTS = [
  'errors',
  'query',
  'core/records',
  'core/routing',
  'core/service',
  'core/hooks',
  'schema/record-shape',
  'schema/query',
  'schema/validation',
  'authentication/limiter',
  'authentication/tokens',
  'adapter-docdb/compile',
  'transport-express/answer',
];

/** Packages whose tests try the code of another one too: they come after its own. */
const BESIDE = {
  query: ['adapter-memory'],
  core: ['adapter-memory', 'schema'],
};

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    force: { type: 'boolean', default: false },
    concurrency: { type: 'string', default: '1' },
  },
});
const reports = join(root, '.stryker');
const copy = join(reports, `copy-${process.pid}`);
mkdirSync(reports, { recursive: true });
let failed = 0;
try {
  copyCheckout(copy);
  for (const part of positionals.length > 0 ? positionals : PARTS) if ((await mutate(part)) !== 0) failed += 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;

/** @param {string} part a package, or a folder or file of its sources: `core/hooks` @returns {Promise<number>} the exit code of Stryker */
async function mutate(part) {
  const [name, ...inside] = part.split('/');
  const cwd = join(copy, 'packages', name);
  const source = join('src', ...inside);
  if (!existsSync(join(cwd, 'jest.config.js'))) throw new Error(`packages/${name} has no tests`);
  if (!existsSync(join(cwd, source))) throw new Error(`packages/${name} has no ${source}`);
  const tearDown = await setUp(name);
  try {
    const stryker = spawn(
      process.execPath,
      [
        join(copy, 'node_modules/@stryker-mutator/core/bin/stryker.js'),
        'run',
        join(copy, 'stryker.config.mjs'),
        '--concurrency',
        options.concurrency,
        ...(options.force ? ['--force'] : []),
      ],
      {
        cwd,
        stdio: 'inherit',
        env: {
          ...process.env,
          MUTATION_TESTS: [name, ...(BESIDE[name] ?? [])].join(','),
          MUTATED: source.endsWith('.ts') ? source : `${source}/**/*.ts`,
          MUTATION_REPORT: join(reports, part.replaceAll('/', '-')),
        },
      },
    );
    const [status] = await once(stryker, 'exit');
    return status ?? 1;
  } finally {
    await tearDown();
  }
}

/**
 * What the package's settings do before its tests: a database is started once, and not by each file in the process whose time is taken. It comes from
 * this checkout, whose code is no part of the change that is tried.
 *
 * @param {string} name of the package @returns {Promise<() => unknown>} undoes it
 */
async function setUp(name) {
  const rootDir = join(root, 'packages', name);
  const { default: settings } = await import(pathToFileURL(join(rootDir, 'jest.config.js')).href);
  const run = async (file) => {
    if (file === undefined) return;
    const { default: work } = await import(pathToFileURL(file).href);
    await work({}, { rootDir });
  };
  await run(settings.globalSetup);
  return () => run(settings.globalTeardown);
}
