// What each project runs: the contract of adapters, of one that does not offer all, and of one that is wrong.
import { MemoryService } from '@framework/adapter-memory';
import { adapterTests } from '@framework/adapter-tests';

class PatchReplaces extends MemoryService {
  async _patch(id, data, params) {
    return id === null ? super._patch(id, data, params) : super._update(id, data, params);
  }
}

/** @param {{ describe: (title: string, define: () => void) => unknown, it: (title: string, run: () => Promise<void>) => unknown }} [runner] */
export function defineContract(runner) {
  const about = { id: 'id', missing: 9_999, ...(runner ? { runner } : {}) };
  adapterTests({ ...about, name: 'all of it', create: (options) => new MemoryService({ ...options, startId: 1 }) });
  adapterTests({
    ...about,
    name: 'a part',
    lacks: ['cursors', 'versions'],
    create: ({ cursors, version, ...options }) => {
      if (cursors !== undefined || version !== undefined) throw new Error('A case asked for what is not offered');
      return new MemoryService({ ...options, startId: 1 });
    },
  });
  adapterTests({ ...about, name: 'a fault', create: (options) => new PatchReplaces({ ...options, startId: 1 }) });
}
