import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DocDbService, transaction } from '../src/index.ts';
import { startHarness, type ServiceHarness } from './harness.ts';

describe('a write concern that asks for no answer', () => {
  let harness: ServiceHarness;
  const docdb = { writeConcern: { w: 0 } };

  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.database.close());
  beforeEach(async () => {
    await harness.reset();
    await harness.service().create({ _id: 'a', name: 'Ann' });
    harness.commands.length = 0;
  });

  it.each<[string, boolean]>([
    ['of the call', false],
    ['of the collection', true],
  ])('is refused before one record is written, of which nobody would know whether it is there: %s', async (_of, ofCollection) => {
    const Model = harness.database.db.collection('people', ofCollection ? docdb : {});
    const service = new DocDbService({ Model });
    const params = ofCollection ? {} : { docdb };
    for (const write of [
      () => service.patch('a', { name: 'Zoe' }, params),
      () => service.update('a', { name: 'Zoe' }, params),
      () => service.remove('a', params),
    ])
      await expect(write()).rejects.toThrow(
        'A write to one record needs the answer of the database, and the write concern { w: 0 } asks for none',
      );
    expect(harness.commands).toEqual([]);
    expect(await harness.service().find()).toEqual([{ _id: 'a', name: 'Ann' }]);
  });

  it('is no hindrance in a transaction, whose commit is answered', async () => {
    const service = new DocDbService({ Model: harness.database.db.collection('people', docdb) });
    const patched = await transaction(harness.database.client, (session) => service.patch('a', { name: 'Zoe' }, { docdb: { session } }));
    expect(patched).toEqual({ _id: 'a', name: 'Zoe' });
  });
});
