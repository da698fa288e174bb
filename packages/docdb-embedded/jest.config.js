import preset from '../../jest.preset.js';

export default { ...preset, displayName: 'docdb-embedded', setupFiles: ['<rootDir>/test/setup/console.ts'] };
