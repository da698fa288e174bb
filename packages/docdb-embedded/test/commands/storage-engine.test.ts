import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

const engine = (configString: string): Document => ({ wiredTiger: { configString } });

describe('the configuration of the storage engine that a collection is made with', () => {
  it('is kept and shown, for the collection and for its indexes', async () => {
    const options = {
      storageEngine: engine('block_compressor=zstd, leaf_page_max=4KB'),
      indexOptionDefaults: { storageEngine: engine('prefix_compression=false') },
    };
    await harness.db.command({ create: 'packed', ...options });
    expect(await harness.db.listCollections({ name: 'packed' }).toArray()).toMatchObject([{ options }]);
  });

  it.each([
    ['an option that there is not', 'colour=blue', 2],
    ['a compressor that there is not', 'block_compressor=best', 2],
    ['no value', 'leaf_page_max=(4KB', 2],
    ['a null byte', 'block_compressor=zstd\0', 9],
  ])('is refused with %s', async (_name, configString, code) => {
    await expect(harness.db.command({ create: 'other', storageEngine: engine(configString) })).rejects.toMatchObject({ code });
  });
});
