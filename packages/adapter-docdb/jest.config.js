import preset, { sharesDatabase } from '../../jest.preset.js';

export default { ...preset, ...sharesDatabase, displayName: 'adapter-docdb' };
