import preset from '../../jest.preset.js';

export default {
  ...preset,
  displayName: 'transport-express',
  setupFiles: process.env.DISPATCH === 'express' ? ['<rootDir>/test/setup/express-dispatch.ts'] : [],
};
