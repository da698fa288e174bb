import preset, { startsProcesses } from '../../jest.preset.js';

const { DISPATCH, EXPRESS_VERSION } = process.env;

// What is about tokens, sessions and logins goes through the same code whichever Express there is and whoever calls the layers:
// one run of it is enough. Everything else runs again, new tests too.
const NOT_ABOUT_EXPRESS = ['sessions', 'session-crash', 'limiter', 'authentication'];
const once = NOT_ABOUT_EXPRESS.map((name) => `<rootDir>/test/${name}\\.test\\.ts$`);

export default {
  ...preset,
  ...startsProcesses,
  displayName: 'transport-express',
  setupFiles: DISPATCH === 'express' ? ['<rootDir>/test/setup/express-dispatch.ts'] : [],
  testPathIgnorePatterns: DISPATCH === 'express' || EXPRESS_VERSION === '4' ? [...once, '/node_modules/'] : ['/node_modules/'],
};
