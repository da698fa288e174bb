import type { CaseService } from '@framework/adapter-tests';
import { MemoryService, Random, Variety } from '@framework-internal/testing';
import { QueryGenerator } from '@framework-internal/testing/queries';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { startHarness, type ServiceHarness } from './harness.ts';

type Row = Record<string, unknown>;

let harness: ServiceHarness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.database.close());
beforeEach(() => harness.reset());

const SEED = Number(process.env.QUERY_SEED ?? 20_261_121);
/** Queries that both sides answer; 10,000 by a command of their own (CONTRIBUTING.md). */
const QUERIES = Number(process.env.QUERY_ROUNDS ?? 1500);

it(`answers ${QUERIES} generated queries as the oracle does`, async () => {
  const generator = new QueryGenerator(new Random(SEED));
  const variety = new Variety();
  const rows = generator.records(60);
  await harness.database.db.collection<{ _id: number }>('people').insertMany(rows);
  const service = harness.service({ multi: true }) as unknown as CaseService;
  const oracle = new MemoryService({ id: '_id', store: rows }) as unknown as CaseService;

  for (let count = 0; count < QUERIES; count++) {
    const query = generator.query();
    const told = `seed ${SEED}, ${JSON.stringify(query)}`;
    const expected = (await oracle.find({ query })) as Row[];
    expect([told, await service.find({ query })]).toEqual([told, expected]);
    variety.tried(told);
    for (const [word] of told.matchAll(/\$\w+/g)) variety.took(word);
    variety.took(expected.length === 0 ? 'nothing found' : 'found');
  }
  console.log(variety.report('generated queries', SEED));
  const operators = ['$gt', '$gte', '$lt', '$lte', '$ne', '$in', '$nin', '$or', '$and', '$limit', '$skip', '$select'];
  const least = QUERIES / 10;
  variety.expect(QUERIES * 0.9, {
    ...Object.fromEntries(operators.map((name) => [name, least])),
    found: QUERIES / 4,
    'nothing found': least,
  });
});
