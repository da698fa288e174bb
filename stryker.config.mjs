import { fileURLToPath } from 'node:url';

// Run by `scripts/mutate.mjs` in the folder of a package, in a copy of the checkout.
const report = process.env.MUTATION_REPORT;
const inScripts = (name) => fileURLToPath(new URL(`./scripts/mutation/${name}`, import.meta.url));

export default {
  testRunner: 'circus',
  plugins: [inScripts('circus-runner.mjs')],
  testRunnerNodeArgs: ['--conditions=@framework/source', '--import', inScripts('register.mjs')],
  mutate: [process.env.MUTATED, '!src/index.ts', '!src/**/*-types.ts'],
  // The tests of a file read its neighbours and the packages beside it.
  inPlace: true,
  coverageAnalysis: 'perTest',
  // What runs once, when a module is loaded, can be tried only by loading all modules again.
  ignoreStatic: true,
  incremental: true,
  incrementalFile: `${report}.json`,
  htmlReporter: { fileName: `${report}.html` },
  jsonReporter: { fileName: `${report}.report.json` },
  reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
  // What a change leaves behind in a process is not kept for ever.
  maxTestRunnerReuse: 200,
  clearTextReporter: { allowColor: false, reportTests: false, skipFull: true },
  disableTypeChecks: false,
  timeoutMS: 15_000,
  thresholds: { high: 95, low: 85, break: 85 },
  tempDirName: '.stryker-tmp',
};
