import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A test, and whether it has passed. */
export type Outcome = readonly [title: string, passed: boolean];

const projects = join(import.meta.dirname, '../projects');
const require = createRequire(import.meta.url);
/** The program of a package. */
const programOf = (name: string, path: string): string => join(dirname(require.resolve(`${name}/package.json`)), path);

interface JestReport {
  readonly testResults: readonly { readonly assertionResults: readonly { readonly title: string; readonly status: string }[] }[];
}

interface MochaReport {
  readonly passes: readonly { readonly title: string }[];
  readonly failures: readonly { readonly title: string }[];
}

/** How each runner is started in its project, and what it says of its tests. */
const RUNNERS = {
  jest: {
    command: (folder: string) => [
      '--experimental-vm-modules',
      programOf('jest', 'bin/jest.js'),
      ...['--json', '--rootDir', folder, '--config', '{"transform":{},"testMatch":["**/contract.test.mjs"]}'],
    ],
    outcomes: ofJest,
  },
  vitest: {
    command: (folder: string) => [programOf('vitest', 'vitest.mjs'), 'run', '--root', folder, '--reporter=json'],
    // The same form.
    outcomes: ofJest,
  },
  mocha: {
    command: (folder: string) => [programOf('mocha', 'bin/mocha.js'), '--reporter=json', join(folder, 'contract.test.mjs')],
    outcomes: (text: string): Outcome[] => {
      const { passes, failures } = JSON.parse(text) as MochaReport;
      return [...passes.map(({ title }): Outcome => [title, true]), ...failures.map(({ title }): Outcome => [title, false])];
    },
  },
  'node:test': {
    command: (folder: string) => ['--test', `--test-reporter=${join(folder, 'reporter.mjs')}`, join(folder, 'contract.test.mjs')],
    outcomes: (text: string): Outcome[] =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Outcome),
  },
};

export type Runner = keyof typeof RUNNERS;

function ofJest(text: string): Outcome[] {
  const { testResults } = JSON.parse(text.slice(text.indexOf('{'))) as JestReport;
  return testResults.flatMap(({ assertionResults }) => assertionResults.map(({ title, status }): Outcome => [title, status === 'passed']));
}

/**
 * Runs the tests of a project by its runner, as somebody does who has written an adapter.
 *
 * @returns what came of each test, in an order of their titles
 */
export async function runProject(runner: Runner): Promise<{ readonly code: number; readonly outcomes: Outcome[] }> {
  const { command, outcomes } = RUNNERS[runner];
  const folder = join(projects, runner.replace(':test', ''));
  // A runner that is started by another one would take its settings.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(NODE_|JEST_|VITEST|CI$)/.test(name)));
  const [code, text] = await new Promise<[number, string]>((resolve) => {
    execFile(process.execPath, command(folder), { cwd: folder, env, maxBuffer: 50_000_000 }, (error, stdout) => {
      resolve([typeof error?.code === 'number' ? error.code : 0, stdout]);
    });
  });
  return { code, outcomes: sorted(outcomes(text)) };
}

/** The same order whoever ran them. */
export function sorted(outcomes: readonly Outcome[]): Outcome[] {
  return outcomes
    .map(([title, passed]) => ({ title, passed, key: `${title} ${passed}` }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ title, passed }) => [title, passed]);
}
