import preset, { startsProcesses } from '../../jest.preset.js';

const { DISPATCH, EXPRESS_VERSION } = process.env;

// The servers of these are processes of built code, which neither the version of Express nor the set-up of jest reaches, or they need no
// server at all. One run says everything; all else runs again, new tests too.
const WITHOUT_THIS_EXPRESS = [
  'shutdown-signals',
  'answer/answer-of-call',
  'answer/answer-of-error',
  'answer/entity-tag',
  'answer/headers-of-error',
  'answer/wishes',
];
// Makes each of its applications in both ways of dispatch by itself.
const IN_BOTH_WAYS = ['stacks'];

const once = [
  ...(EXPRESS_VERSION === '4' || DISPATCH === 'express' ? WITHOUT_THIS_EXPRESS : []),
  ...(DISPATCH === 'express' ? IN_BOTH_WAYS : []),
].map((name) => `<rootDir>/test/${name}\\.test\\.ts$`);

export default {
  ...preset,
  ...startsProcesses,
  displayName: 'transport-express',
  setupFiles: DISPATCH === 'express' ? ['<rootDir>/test/setup/express-dispatch.ts'] : [],
  testPathIgnorePatterns: [...once, '/node_modules/'],
};
