import preset, { startsProcesses } from '../../jest.preset.js';

export default { ...preset, ...startsProcesses, displayName: 'docdb-embedded', setupFiles: ['<rootDir>/test/setup/console.ts'] };
