// Run by `scripts/mutate.mjs` in the folder of a package, in a copy of the checkout.
const report = process.env.MUTATION_REPORT;

export default {
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  jest: {
    configFile: 'jest.config.js',
    // A mutant counts as killed by what is tried on purpose: random tests would kill other ones each time, and take the most time.
    config: { reporters: [], testPathIgnorePatterns: ['/node_modules/', 'fuzz', 'random', 'oracle', 'model'] },
  },
  mutate: [process.env.MUTATED, '!src/index.ts', '!src/**/*-types.ts'],
  // The tests of a file read its neighbours and the packages beside it.
  inPlace: true,
  coverageAnalysis: 'perTest',
  // What runs once, when a module is loaded, is reached by every test of the package: a mutant of it would cost a run of all.
  ignoreStatic: true,
  incremental: true,
  incrementalFile: `${report}.json`,
  htmlReporter: { fileName: `${report}.html` },
  jsonReporter: { fileName: `${report}.report.json` },
  reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
  // jest keeps the modules of each run: a runner of many mutants grows until it collects garbage more than it tests.
  maxTestRunnerReuse: 60,
  clearTextReporter: { allowColor: false, reportTests: false, skipFull: true },
  disableTypeChecks: false,
  timeoutMS: 30_000,
  thresholds: { high: 95, low: 85, break: 85 },
  tempDirName: '.stryker-tmp',
};
