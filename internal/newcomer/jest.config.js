import preset, { startsProcesses } from '../../jest.preset.js';

// Each test installs and builds a project, which a busy machine takes minutes for.
export default { ...preset, ...startsProcesses, testTimeout: 3 * preset.testTimeout, displayName: 'newcomer' };
