import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
  await harness.db.collection('items').insertOne({});
  await harness.db.createCollection('seen', { viewOn: 'items', pipeline: [] });
  await harness.client.db('other').collection('things').insertOne({});
});
afterAll(() => harness.stop());

const list = (database: string, spec: Document = {}): Promise<Document[]> =>
  harness.client
    .db(database)
    .aggregate([{ $listClusterCatalog: spec }, { $sort: { ns: 1 } }])
    .toArray();

describe('$listClusterCatalog', () => {
  it('lists the collections and views of a database as listCollections does', async () => {
    const listed = await harness.db.listCollections().toArray();
    const expected = listed.map(({ name, ...rest }) => ({ db: 'test', ns: `test.${name}`, ...rest, sharded: false }));
    expect(await list('test', { balancingConfiguration: true })).toEqual(expected);
    expect(expected.map(({ ns }) => ns)).toEqual(['test.items', 'test.seen']);
  });

  it('lists those of all databases for admin', async () => {
    expect((await list('admin')).map(({ ns }) => ns as unknown)).toEqual(['other.things', 'test.items', 'test.seen']);
    expect(await list('none')).toEqual([]);
  });

  it.each([
    ['on a collection', 9621301, { aggregate: 'items', pipeline: [{ $listClusterCatalog: {} }], cursor: {} }],
    [
      'inside of another stage',
      9621301,
      { aggregate: 'items', pipeline: [{ $facet: { all: [{ $listClusterCatalog: {} }] } }], cursor: {} },
    ],
    ['for the shards that there are not', 115, { aggregate: 1, pipeline: [{ $listClusterCatalog: { shards: true } }], cursor: {} }],
  ])('is refused %s', async (_what, code, command) => {
    await expect(harness.db.command(command)).rejects.toMatchObject({ code });
  });
});
