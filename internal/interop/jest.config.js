import preset, { startsProcesses } from '../../jest.preset.js';

export default { ...preset, ...startsProcesses, displayName: 'interop' };
