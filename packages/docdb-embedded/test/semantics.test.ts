import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BSON, type Document } from 'mongodb';
import { sharedData, start, type Harness } from './harness.ts';

interface Case {
  section: string;
  kind: 'filter' | 'sort' | 'update' | 'projection' | 'aggregate';
  name: string;
  docs?: Document[];
  doc?: Document;
  filter?: Document;
  sort?: Document;
  update?: Document;
  projection?: Document;
  pipeline?: Document[];
  collation?: { locale: string };
  arrayFilters?: Document[];
  want: unknown;
}

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

const path = sharedData('docdb-semantics.json');
const cases = path === undefined ? [] : (BSON.EJSON.parse(readFileSync(path, 'utf8'), { relaxed: false }) as Case[]);
const text = (value: unknown): string => BSON.EJSON.stringify(value, { relaxed: false });

async function run(test: Case): Promise<unknown> {
  const { db } = harness;
  const collection = db.collection('c');
  await collection.drop();
  const options = {
    promoteValues: false,
    promoteLongs: false,
    promoteBuffers: false,
    ...(test.collation ? { collation: test.collation } : {}),
  };
  const docs = test.docs ?? (test.doc ? [test.doc] : []);
  if (docs.length > 0) await collection.insertMany(docs.map((doc) => ({ ...doc })));
  switch (test.kind) {
    case 'filter':
      return (await collection.find(test.filter ?? {}, options).toArray()).map((doc) => doc._id);
    case 'sort':
      return (
        await collection
          .find({}, options)
          .sort(test.sort as { a: 1 })
          .toArray()
      ).map((doc) => doc._id);
    case 'projection':
      return (await collection.find(test.filter ?? {}, { ...options, projection: test.projection ?? {} }).toArray())[0];
    case 'update': {
      await collection.updateOne(test.filter ?? {}, test.update ?? {}, test.arrayFilters ? { arrayFilters: test.arrayFilters } : {});
      const found = await collection.findOne({}, options);
      if (test.doc && '_id' in test.doc) return found;
      const { _id, ...rest } = found ?? {};
      return rest;
    }
    default:
      return aggregate(test, options);
  }
}

/** A case may give the documents of the other collection in place of its name. */
async function aggregate(test: Case, options: object): Promise<unknown> {
  const other = harness.db.collection('other');
  await other.drop();
  const pipeline = await Promise.all(
    (test.pipeline ?? []).map(async (stage) => {
      const from = stage.$lookup?.from ?? stage.$unionWith?.coll;
      if (!Array.isArray(from)) return stage;
      await other.insertMany(from as Document[]);
      return stage.$lookup ? { $lookup: { ...stage.$lookup, from: 'other' } } : { $unionWith: { ...stage.$unionWith, coll: 'other' } };
    }),
  );
  const found = await harness.db.collection('c').aggregate(pipeline, options).toArray();
  const ids = JSON.stringify(test.want).includes('_id');
  return ids ? found : found.map(({ _id, ...rest }) => rest);
}

describe('documented semantics', () => {
  if (cases.length === 0) {
    it('has no cases beside this checkout', () => {
      expect(path).toBeUndefined();
    });
    return;
  }
  it.each(cases.map((test) => [`${test.section}: ${test.name}`, test] as const))('%s', async (_title, test) => {
    if (test.want === 'ERR') {
      await expect(run(test)).rejects.toThrow();
    } else if (test.want === 'TS') {
      expect(text(await run(test))).toMatch(/\$timestamp/);
    } else {
      expect(text(await run(test))).toBe(text(test.want));
    }
  });
});
