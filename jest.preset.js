import { fileURLToPath } from 'node:url';

/** Shared by every package: jest runs the TypeScript sources through the `@framework/source` export condition. */
export default {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@framework/source', 'node', 'node-addons'] },
  // The whole transport suite runs on Express 5 and, by the task `test:express4`, on Express 4; `4-floor` and `5-floor` are the oldest allowed.
  moduleNameMapper: process.env.EXPRESS_VERSION ? { '^express$': `express${process.env.EXPRESS_VERSION}` } : {},
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  transform: {
    '^.+\\.ts$': [
      'ts-jest',
      {
        useESM: true,
        // Types are checked by the `typecheck` task; transpiling alone keeps the tests fast.
        transpilation: true,
        tsconfig: fileURLToPath(new URL('./tsconfig.jest.json', import.meta.url)),
      },
    ],
  },
  testTimeout: 30_000,
  reporters: ['default', fileURLToPath(new URL('./scripts/count-reporter.cjs', import.meta.url))],
};
