import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

const items = () => harness.db.collection('items');
/** The driver writes a map in its order, which an object does not have. */
const ordered = (...fields: [string, unknown][]): Document => new Map(fields) as unknown as Document;

beforeEach(async () => {
  await items().drop();
  await items().insertOne(ordered(['_id', 1], ['b', 2], ['5', 3], ['a', ordered(['z', 1], ['1', 2])]));
});

/** The names of fields as they are told by the server: the objects of the driver have an order of their own. */
async function names(stages: Document[], path = '$$ROOT', of = items()): Promise<unknown> {
  const named = { $map: { input: { $objectToArray: path }, in: '$$this.k' } };
  const [row] = await of.aggregate([...stages, { $replaceWith: { names: named } }]).toArray();
  return row?.names;
}

describe('fields whose names are digits', () => {
  it.each<[string, Document, string[]]>([
    ['$addFields', { $addFields: { x: 1 } }, ['_id', 'b', '5', 'a', 'x']],
    ['$addFields of one', { $addFields: { '3': 1 } }, ['_id', 'b', '5', 'a', '3']],
    ['$unset', { $unset: 'b' }, ['_id', '5', 'a']],
    ['an exclusion', { $project: { b: 0 } }, ['_id', '5', 'a']],
    ['an inclusion', { $project: { b: 1, '5': 1 } }, ['_id', 'b', '5']],
    ['$lookup', { $lookup: { from: 'none', localField: 'b', foreignField: 'b', as: 'x' } }, ['_id', 'b', '5', 'a', 'x']],
    ['$unwind', { $unwind: { path: '$b', includeArrayIndex: 'x' } }, ['_id', 'b', '5', 'a', 'x']],
    ['$redact', { $redact: '$$DESCEND' }, ['_id', 'b', '5', 'a']],
    ['a new document', { $replaceWith: ordered(['y', '$b'], ['1', '$b']) }, ['y', '1']],
    ['$mergeObjects', { $replaceWith: { $mergeObjects: ['$a', { k: 1 }] } }, ['z', '1', 'k']],
    ['$setField', { $replaceWith: { $setField: { field: '0', input: '$a', value: 1 } } }, ['z', '1', '0']],
    [
      '$arrayToObject',
      {
        $replaceWith: {
          $arrayToObject: {
            $literal: [
              ['y', 1],
              ['1', 2],
            ],
          },
        },
      },
      ['y', '1'],
    ],
  ])('stay where they are behind %s', async (_name, stage, expected) => {
    expect(await names([stage])).toEqual(expected);
  });

  it('stay where they are in a part of a document', async () => {
    expect(await names([{ $addFields: { 'a.x': 1 } }], '$a')).toEqual(['z', '1', 'x']);
    expect(await names([{ $project: { 'a.z': 1, 'a.1': 1 } }], '$a')).toEqual(['z', '1']);
  });

  it('stay where they are in what a find sends', async () => {
    const [found] = await items()
      .find({}, { projection: { _id: 0 }, raw: true })
      .toArray();
    const text = Buffer.from(found as unknown as Uint8Array).toString('latin1');
    expect(text.indexOf('b\0')).toBeLessThan(text.indexOf('5\0'));
  });

  it('come behind the others of a part that gets them by an update', async () => {
    await items().updateOne({}, { $set: { 'a.0': 3, 'a.x': 4 } });
    expect(await names([], '$a')).toEqual(['z', '1', '0', 'x']);
    await items().updateOne({}, { $set: { c: { y: 1 } } });
    await items().updateOne({}, { $set: { 'c.7': 3 } });
    expect(await names([], '$c')).toEqual(['y', '7']);
  });

  it('stay where they are in what is stored by a pipeline', async () => {
    await items().updateOne({}, [{ $set: { x: 1 } }]);
    expect(await names([])).toEqual(['_id', 'b', '5', 'a', 'x']);
    await items()
      .aggregate([{ $unset: 'a' }, { $merge: { into: 'merged' } }])
      .toArray();
    await items()
      .aggregate([{ $unset: 'x' }, { $out: 'written' }])
      .toArray();
    expect(await names([], '$$ROOT', harness.db.collection('merged'))).toEqual(['_id', '5', 'b', 'x']);
    expect(await names([], '$$ROOT', harness.db.collection('written'))).toEqual(['_id', 'b', '5', 'a']);
  });
});
