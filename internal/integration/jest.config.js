import preset, { sharesDatabase } from '../../jest.preset.js';

/** What depends on the version of Express runs on Express 4 too. */
const onExpress4 = { testMatch: ['<rootDir>/test/**/*{authentication,sessions,limiter}*.test.ts'] };

export default { ...preset, ...sharesDatabase, ...(process.env.EXPRESS_VERSION === '4' ? onExpress4 : {}), displayName: 'integration' };
