import { fileURLToPath } from 'node:url';

/** For packages whose tests start processes, which need built code: `{ ...preset, ...startsProcesses }`. */
export const startsProcesses = { globalSetup: fileURLToPath(new URL('./scripts/build-before-tests.mjs', import.meta.url)) };

/** For packages with many test files that need a database: `{ ...preset, ...sharesDatabase }`. It builds, too. */
export const sharesDatabase = {
  globalSetup: fileURLToPath(new URL('./scripts/database-before-tests.mjs', import.meta.url)),
  globalTeardown: fileURLToPath(new URL('./scripts/database-after-tests.mjs', import.meta.url)),
};

/** Shared by every package: jest runs the TypeScript sources through the `@framework/source` export condition. */
export default {
  testEnvironment: fileURLToPath(new URL('./scripts/jest-environment.mjs', import.meta.url)),
  runtime: fileURLToPath(new URL('./scripts/jest-runtime.mjs', import.meta.url)),
  testEnvironmentOptions: { customExportConditions: ['@framework/source', 'node', 'node-addons'] },
  // The whole transport suite runs on Express 5 and, by the task `test:express4`, on Express 4; `4-floor` and `5-floor` are the oldest allowed.
  moduleNameMapper: process.env.EXPRESS_VERSION ? { '^express$': `express${process.env.EXPRESS_VERSION}` } : {},
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  // One cache of what was compiled for all packages: see the transformer.
  id: 'framework',
  transform: { '^.+\\.ts$': fileURLToPath(new URL('./scripts/jest-transformer.mjs', import.meta.url)) },
  // Against hanging only, for tests and for what sets them up: how long either takes says more about what else the machine does. Where nobody looks
  // on, what hangs is named soon; the long proofs, run by hand, have an hour.
  testTimeout: process.env.TEST_MINUTES ? 300_000 : 3_600_000,
  setupFilesAfterEnv: [fileURLToPath(new URL('./scripts/assert-in-tests.mjs', import.meta.url))],
  reporters: ['default', fileURLToPath(new URL('./scripts/count-reporter.mjs', import.meta.url))],
};
