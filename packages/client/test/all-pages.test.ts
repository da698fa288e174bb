import { MemoryService } from '@framework/adapter-memory';
import { framework, type Params } from '@framework/core';
import express, { json, rest as restTransport } from '@framework/transport-express';
import { listen } from '@framework-internal/testing/http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createClient, records, rest } from '../src/index.ts';

interface Place {
  readonly id: number;
  readonly tags: readonly number[];
}

/** What services tell of the number of their records, as `DocDbService` does by its option `total`. */
const TOTALS = {
  'all are counted': (total: number) => ({ total }),
  'none are counted': () => ({ total: -1 }),
  'as many are counted as fill a page': (total: number) => ({ total: 5, capped: total > 5 }),
};

class PlaceService extends MemoryService<Place, Place> {
  told: (total: number) => object = TOTALS['all are counted'];

  override async find(params?: Params): Promise<never> {
    const page = (await super.find(params)) as { total: number };
    return { ...page, ...this.told(page.total) } as never;
  }
}

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

describe('all records of pages without cursors, which records with a list in a sort key have', () => {
  it.each(Object.keys(TOTALS) as (keyof typeof TOTALS)[])('where %s', async (which) => {
    const service = new PlaceService({ multi: true, cursors: true, paginate: { default: 5, max: 5 } });
    service.told = TOTALS[which];
    const app = express(framework()).use(json()).configure(restTransport()).use('places', service);
    const running = await listen(app);
    ends.push(running.stop);
    const ids = Array.from({ length: 10 }, (_, id) => id);
    await service.create(ids.map((id) => ({ id, tags: [id, 20 - id] })));
    const places = createClient<typeof app>(rest(running.url)).service('places');
    for (const $limit of [3, 5]) {
      const found: number[] = [];
      for await (const { id } of records(places, { query: { $limit, $sort: { tags: 1 } } } as never)) found.push((id as number) ?? -1);
      expect(found).toEqual(ids);
    }
  });
});
