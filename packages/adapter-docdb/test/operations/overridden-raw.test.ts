import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AggregationCursor, Document, FindCursor } from 'mongodb';
import { DocDbService, type DocDbParams, type DocDbServiceOptions } from '../../src/index.ts';
import { startHarness, type ServiceHarness } from '../harness.ts';

/** Hands on copies of its parameters, with conditions of its own. */
class Undeleted extends DocDbService {
  override makeFrameworkPipeline(params: DocDbParams = {}): Document[] {
    return super.makeFrameworkPipeline(undeleted(params));
  }

  override async findRaw(params: DocDbParams = {}): Promise<FindCursor<Document>> {
    return super.findRaw(undeleted(params));
  }
}

/** Hands on copies with another option for the driver, and a default order. */
class Ordered extends DocDbService {
  override async findRaw(params: DocDbParams = {}): Promise<FindCursor<Document>> {
    return super.findRaw({ ...params, query: { $sort: { n: -1 }, ...params.query }, docdb: { ...params.docdb, batchSize: 2 } });
  }

  override async aggregateRaw(params: DocDbParams = {}): Promise<AggregationCursor> {
    return super.aggregateRaw({ ...params });
  }
}

function undeleted(params: DocDbParams): DocDbParams {
  return { ...params, query: { ...params.query, deleted: { $ne: true } } };
}

let harness: ServiceHarness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.database.close());
beforeEach(() => harness.reset());

const records = Array.from({ length: 7 }, (_, n) => ({ _id: `r${n}`, n, deleted: n === 2 }));
const idsOf = (found: unknown): unknown[] => (found as Document[]).map(({ _id }) => _id as unknown);

describe('a class whose raw methods hand on copies of their parameters', () => {
  const pipeline: Document[] = [{ $set: { joined: true } }];
  const start = async <S extends DocDbService>(Service: new (options: DocDbServiceOptions) => S): Promise<S> => {
    const Model = harness.database.db.collection('people');
    await Model.insertMany(records as never);
    return new Service({ Model, paginate: { default: 2, max: 4 }, cursors: true });
  };

  it('gets the record of the id by a pipeline, and none that its conditions leave out', async () => {
    const service = await start(Undeleted);
    expect(await service.get('r4', { pipeline })).toMatchObject({ _id: 'r4', joined: true });
    await expect(service.get('r2', { pipeline })).rejects.toMatchObject({ code: 404 });
    await expect(service.get('r9', { pipeline })).rejects.toMatchObject({ code: 404 });
    const ordered = new Ordered(service.options);
    expect(await ordered.get('r5', { pipeline })).toMatchObject({ _id: 'r5', joined: true });
  });

  it.each([2, 4])('goes through pages by cursors, each record once: %p a page', async ($limit) => {
    const service = await start(Undeleted);
    const seen: unknown[] = [];
    let $after: string | null | undefined;
    do {
      const page = (await service.find({ query: { $sort: { n: 1 }, $limit, ...($after ? { $after } : {}) } })) as unknown as Document;
      seen.push(...idsOf(page.data));
      $after = page.next as string | null;
    } while ($after && seen.length < 20);
    expect(seen).toEqual(['r0', 'r1', 'r3', 'r4', 'r5', 'r6']);
  });

  it('finds no record where none is asked for', async () => {
    const service = await start(Ordered);
    expect(await (await service.aggregateRaw({ query: { $limit: 0 } })).toArray()).toEqual([]);
    expect(await service.find({ query: { $limit: 0 }, pipeline })).toMatchObject({ total: 7, data: [] });
  });

  it('may say the order and the options of the driver', async () => {
    const service = await start(Ordered);
    harness.commands.length = 0;
    expect(idsOf(await service.find({ paginate: false, query: { n: { $gt: 3 } } }))).toEqual(['r6', 'r5', 'r4']);
    expect(harness.commands[0]).toMatchObject({ find: 'people', batchSize: 2 });
    expect(idsOf(await service.find({ paginate: false, query: { n: { $gt: 3 }, $sort: { n: 1 } } }))).toEqual(['r4', 'r5', 'r6']);
  });
});
