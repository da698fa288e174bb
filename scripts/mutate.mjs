// Mutation tests of packages, or of folders of them: `pnpm mutate errors core/hooks`; without names, of all parts listed below.
// What did not change since the last run is taken from `.stryker/<part>.json`; `--force` runs all of it. The report of a part is
// `.stryker/<part>.html`. It works on a copy of the checkout.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
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
  for (const part of positionals.length > 0 ? positionals : PARTS) if (mutate(part) !== 0) failed += 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;

/** @param {string} part a package, or a folder or file of its sources: `core/hooks` @returns {number} the exit code of Stryker */
function mutate(part) {
  const [name, ...inside] = part.split('/');
  const cwd = join(copy, 'packages', name);
  const source = join('src', ...inside);
  if (!existsSync(join(cwd, 'jest.config.js'))) throw new Error(`packages/${name} has no tests`);
  if (!existsSync(join(cwd, source))) throw new Error(`packages/${name} has no ${source}`);
  const { status } = spawnSync(
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
  return status ?? 1;
}
