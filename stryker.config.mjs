// Run by `scripts/mutate.mjs` in the folder of a package.
import { fileURLToPath } from 'node:url';

const report = (end) => fileURLToPath(new URL(`./.stryker/${process.env.MUTATED}.${end}`, import.meta.url));

export default {
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  jest: { configFile: 'jest.config.js', config: { reporters: [] } },
  mutate: ['src/**/*.ts', '!src/index.ts', '!src/**/*-types.ts'],
  // The tests of a file read its neighbours and the packages beside it: nothing is copied.
  inPlace: true,
  coverageAnalysis: 'perTest',
  incremental: true,
  incrementalFile: report('json'),
  htmlReporter: { fileName: report('html') },
  jsonReporter: { fileName: report('report.json') },
  reporters: ['clear-text', 'html', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false, skipFull: true },
  disableTypeChecks: false,
  timeoutMS: 30_000,
  thresholds: { high: 95, low: 85, break: 85 },
  tempDirName: '.stryker-tmp',
};
