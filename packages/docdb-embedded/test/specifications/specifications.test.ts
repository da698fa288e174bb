import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BSON, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DocDbServer } from '../../src/index.ts';
import { sharedData } from '../harness.ts';
import { runTest, type Outcome, type SpecificationFile } from './runner.ts';

const folder = sharedData('mongodb-specs');
let server: DocDbServer;
let internal: MongoClient;
beforeAll(async () => {
  server = await DocDbServer.start({ failPoints: true });
  internal = await new MongoClient(server.uri).connect();
});
afterAll(async () => {
  await internal.close();
  await server.stop();
});

const files = (name: string): [string, SpecificationFile][] =>
  folder === undefined
    ? []
    : readdirSync(join(folder, name))
        .filter((file) => file.endsWith('.json'))
        .map((file) => [file, BSON.EJSON.parse(readFileSync(join(folder, name, file), 'utf8')) as SpecificationFile]);

const FOLDERS = [
  'crud',
  'transactions',
  'transactions-convenient-api',
  'retryable-writes',
  'collection-management',
  'change-streams',
  'sessions',
  'run-command',
  'read-write-concern',
  'index-management',
];

/** Cases that are known to fail, with the reason. A case that fails and is not here fails the test, and so does one that passes. */
const KNOWN: Readonly<Record<string, string>> = {
  'create-null-ids.json: inserting _id with type null via insertOne': 'the driver replaces an id of null before it sends it',
  'create-null-ids.json: inserting _id with type null via insertMany': 'the driver replaces an id of null before it sends it',
  'create-null-ids.json: inserting _id with type null via bulkWrite': 'the driver replaces an id of null before it sends it',
  'create-null-ids.json: inserting _id with type null via clientBulkWrite': 'the driver replaces an id of null before it sends it',
  'client-bulkWrite.json: client bulkWrite with writeConcern in a transaction causes a transaction error': 'the driver does not look at it',
  'run-command.json: run command with secondary read preference in client option and primary read preference in transaction options':
    'the driver looks for a secondary, and there is one server',
  'transaction-options.json: readPreference inherited from client': 'the driver looks for a secondary, and there is one server',
  'timeseries-collection.json: createCollection with all options': 'time series collections are not offered (decisions 0006)',
  'timeseries-collection.json: insertMany with duplicate ids': 'time series collections are not offered (decisions 0006)',
  'timeseries-collection.json: createCollection with bucketing options': 'time series collections are not offered (decisions 0006)',
};

/** Least part of the applicable cases, of all folders together, that must pass. */
const LEAST = 0.95;

describe("the driver specifications' unified tests", () => {
  if (folder === undefined) {
    it('are not beside this checkout', () => {
      expect(folder).toBeUndefined();
    });
    return;
  }
  const total = { passed: 0, failed: 0 };
  it.each(FOLDERS)(
    '%s',
    async (name) => {
      const outcomes: (readonly [string, Outcome])[] = [];
      for (const [file, specification] of files(name)) {
        for (const test of specification.tests) {
          // A file may be run one test at a time by its name.
          if (process.env.SPEC && !`${file} ${test.description}`.includes(process.env.SPEC)) continue;
          outcomes.push([`${file}: ${test.description}`, await runTest(server.uri, internal, specification, test)]);
        }
      }
      const failed = outcomes.filter(([, outcome]) => outcome.kind === 'failed');
      const passed = outcomes.filter(([, outcome]) => outcome.kind === 'passed').length;
      total.passed += passed;
      total.failed += failed.length;
      const leftOut = new Map<string, number>();
      for (const [, outcome] of outcomes) if (outcome.kind === 'left out') leftOut.set(outcome.why, (leftOut.get(outcome.why) ?? 0) + 1);
      console.log(
        [
          `${name}: ${passed} passed, ${failed.length} failed, ${outcomes.length - passed - failed.length} left out`,
          ...failed.map(([title, outcome]) => `  ${title}: ${KNOWN[title] ?? ('why' in outcome ? outcome.why.slice(0, 200) : '')}`),
          ...[...leftOut].map(([why, count]) => `  left out: ${count} x ${why}`),
        ].join('\n'),
      );
      const titles = outcomes.map(([title]) => title);
      expect(failed.map(([title]) => title).sort()).toEqual(
        Object.keys(KNOWN)
          .filter((title) => titles.includes(title))
          .sort(),
      );
    },
    300_000,
  );

  it(`pass for ${LEAST * 100} % at least`, () => {
    expect(total.passed / (total.passed + total.failed)).toBeGreaterThanOrEqual(LEAST);
  });
});
