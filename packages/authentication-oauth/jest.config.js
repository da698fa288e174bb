import preset, { sharesDatabase } from '../../jest.preset.js';

// What another Express can not change is not run a second time on it.
const withoutExpress = ['/test/model/', '/test/bad-provider', '/test/linking', '/test/presets', '/test/tokens'];

export default {
  ...preset,
  ...sharesDatabase,
  displayName: 'authentication-oauth',
  testPathIgnorePatterns: ['/node_modules/', ...(process.env.EXPRESS_VERSION ? withoutExpress : [])],
};
