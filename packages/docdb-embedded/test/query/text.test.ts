import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Collection, Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

async function scores(
  name: string,
  search: string,
  index: Document,
  documents: readonly Document[],
  weights?: Document,
): Promise<unknown[]> {
  const items = harness.db.collection(name);
  await items.createIndex(index as never, weights ? { weights } : {});
  await items.insertMany(documents.map((document, _id) => ({ ...document, _id: _id as never })));
  const found = await items
    .find({ $text: { $search: search } }, { projection: { score: { $meta: 'textScore' } }, sort: { _id: 1 } })
    .toArray();
  return found.map(({ score }) => score as unknown);
}

describe('the score of a text', () => {
  const texts = (...given: string[]): Document[] => given.map((text) => ({ text }));

  it('is more the more of the text a word is, and less for each time that the word comes again', async () => {
    const documents = texts('coffee shop', 'coffee', 'coffee coffee coffee', 'coffee and a coffee');
    expect(await scores('again', 'coffee', { text: 'text' }, documents)).toEqual([0.75, 1, 1.75, 1.5]);
  });

  it('is that of each word that is found together', async () => {
    expect(await scores('several', 'apple pie', { text: 'text' }, texts('green apple pie tin', 'apple pie'))).toEqual([1.25, 1.5]);
  });

  it('is a tenth more for a text that is the word as it is compared, whatever its case', async () => {
    expect(await scores('whole', 'spam', { text: 'text' }, texts('spam', 'Spam', 'spam!', 'spam eggs'))).toEqual([1.1, 1.1, 1, 0.75]);
  });

  it('is multiplied with the weight of the field', async () => {
    const documents = [{ title: 'spam', text: 'spam eggs' }];
    expect(await scores('weighed', 'spam', { title: 'text', text: 'text' }, documents, { title: 10 })).toEqual([11.75]);
  });
});

describe('a search by an index with fields in front of the words', () => {
  const find = (filter: Document): Promise<unknown[]> =>
    harness.db.collection('parted').distinct('_id', { ...filter, $text: { $search: 'foo' } });

  beforeAll(async () => {
    const parted = harness.db.collection('parted');
    await parted.insertMany([1, 1, 2, 2].map((x, n) => ({ _id: (n + 1) as never, x, z: 0, y: n % 2 === 0 ? 'foo' : 'bar' })));
    await parted.createIndex({ x: 1, z: -1, y: 'text', w: 1 });
  });

  it('finds what has one value of each', async () => {
    expect(await find({ x: 1, z: 0 })).toEqual([1]);
    expect(await find({ x: { $eq: 2 }, $and: [{ y: { $exists: true } }, { z: 0 }] })).toEqual([3]);
  });

  it.each([[{}], [{ x: 1 }], [{ x: { $gt: 0 }, z: 0 }], [{ $or: [{ x: 1 }, { x: 2 }], z: 0 }]])(
    'is refused where %j does not ask for one value of each',
    async (filter: Document) => {
      await expect(find(filter)).rejects.toMatchObject({ code: 291 });
    },
  );
});

describe('an order by the score of a search', () => {
  const texts = (): Collection => harness.db.collection('again');

  it('is refused where nothing is searched', async () => {
    await expect(
      texts()
        .find()
        .sort({ score: { $meta: 'textScore' } })
        .toArray(),
    ).rejects.toMatchObject({ code: 40218 });
  });

  it('says nothing else', async () => {
    const sort = { score: { $meta: 'textScore', extra: 1 } };
    await expect(harness.db.command({ find: 'again', filter: { $text: { $search: 'coffee' } }, sort })).rejects.toMatchObject({ code: 9 });
  });
});

describe('a search that is one of several branches', () => {
  const find = (filter: Document, options = {}): Promise<Document[]> => harness.db.collection('branches').find(filter, options).toArray();
  const ids = async (filter: Document): Promise<unknown[]> => (await find(filter, { sort: { _id: 1 } })).map(({ _id }) => _id as unknown);
  const dave = { $text: { $search: 'dave' } };

  beforeAll(async () => {
    const branches = harness.db.collection('branches');
    await branches.createIndexes([{ key: { pre: 1, names: 'text' } }, { key: { other: 1 } }, { key: { place: '2dsphere' } }]);
    await branches.insertMany([
      { _id: 0 as never, pre: 3, names: 'david dave', other: 'foo' },
      { _id: 1 as never, pre: 5, names: 'david dave', other: 'foo' },
      { _id: 2 as never, pre: 4, names: 'joseph joe joey', other: 'bar' },
      { _id: 3 as never, pre: 3, names: 'dave', other: 'bar', place: [0, 0] },
    ]);
  });

  it('finds beside what the others find', async () => {
    expect(await ids({ $or: [{ ...dave, pre: 3 }, { other: 'bar' }] })).toEqual([0, 2, 3]);
    expect(await ids({ $or: [{ ...dave, pre: 3 }, { other: /^b/ }], names: /a/ })).toEqual([0, 3]);
    expect(await ids({ pre: 3, $or: [{ $and: [dave, { other: 'foo' }] }, { _id: 3 }] })).toEqual([0, 3]);
    expect(await ids({ $and: [{ $or: [{ ...dave, pre: 5 }, { $or: [{ other: 'x' }, { other: 'bar' }] }] }, { _id: { $gt: 0 } }] })).toEqual(
      [1, 2, 3],
    );
    const within = { $geoWithin: { $centerSphere: [[0, 0], 0.1] } };
    expect(await ids({ $or: [{ ...dave, pre: 5 }, { place: within }] })).toEqual([1, 3]);
    const schema = { required: ['other'], properties: { other: { enum: ['bar'] } } };
    expect(await ids({ $or: [{ ...dave, pre: 3 }, { $jsonSchema: schema }] })).toEqual([0, 2, 3]);
  });

  it('has a score where it finds something itself', async () => {
    const projection = { score: { $meta: 'textScore' }, _id: 1 };
    const found = await find(
      { $or: [{ ...dave, pre: 3 }, { other: 'bar' }] },
      { projection, sort: { score: { $meta: 'textScore' }, _id: 1 } },
    );
    expect(found).toEqual([{ _id: 3, score: 1.1 }, { _id: 0, score: 0.75 }, { _id: 2 }]);
  });

  it.each<[string, Document, number]>([
    ['a branch that no index finds', { $or: [{ ...dave, pre: 3 }, { none: 1 }] }, 291],
    ['a branch that no index decides', { $or: [{ ...dave, pre: 3 }, { other: { $size: 1 } }] }, 291],
    ['a branch without the fields in front', { $or: [dave, { other: 'bar' }] }, 291],
    [
      'a second search',
      {
        $or: [
          { ...dave, pre: 3 },
          { $text: { $search: 'joe' }, pre: 4 },
        ],
      },
      2,
    ],
    ['a search under a negation', { $nor: [{ ...dave, pre: 3 }] }, 2],
  ])('is refused with %s', async (_what, filter, code) => {
    await expect(find(filter)).rejects.toMatchObject({ code });
  });
});

describe('a word with more letters than any of the language', () => {
  const found = (search: string): Promise<unknown[]> => harness.db.collection('letters').distinct('_id', { $text: { $search: search } });
  const letters = `${'ab'.repeat(22)}b`;

  beforeAll(async () => {
    const items = harness.db.collection('letters');
    await items.createIndex({ text: 'text' });
    await items.insertMany([`${letters}s`, `${letters.slice(1)}s`, 'y'.repeat(100_000)].map((text, n) => ({ _id: n as never, text })));
  });

  it('is compared as it is', async () => {
    expect(await found(letters)).toEqual([]);
    expect(await found(`${letters}s`)).toEqual([0]);
    expect(await found(letters.slice(1))).toEqual([1]);
  });

  it('may be as long as a document', async () => {
    expect(await found('y'.repeat(100_000))).toEqual([2]);
  });
});

describe('a document with very many words', () => {
  const some = Array.from({ length: 1000 }, (_none, n) => `some${String(n)}`).join(' ');
  const many = Array.from({ length: 16_000 }, (_none, n) => `${'w'.repeat(250)}${String(n)}`).join(' ');
  const tooMany = { code: 16733, message: expect.stringMatching(/4194304 bytes/) };

  it('has an index where most of them come again', async () => {
    const items = harness.db.collection('again-and-again');
    await items.createIndex({ text: 'text' });
    await items.insertOne({ text: `${some} `.repeat(100), _id: 1 as never });
    expect(await items.distinct('_id', { $text: { $search: 'some77' } })).toEqual([1]);
  });

  it('is refused where they are different', async () => {
    const items = harness.db.collection('different');
    await items.createIndex({ text: 'text', title: 'text' });
    await expect(items.insertOne({ text: many })).rejects.toMatchObject(tooMany);
    await items.insertOne({ text: 'short', _id: 1 as never });
    await expect(items.updateOne({}, { $set: { title: many } })).rejects.toMatchObject(tooMany);
    expect(await items.find().toArray()).toEqual([{ text: 'short', _id: 1 }]);
  });

  it('is not refused by an index that leaves it out, and keeps others from being built', async () => {
    const items = harness.db.collection('left-out');
    await items.createIndex({ text: 'text' }, { partialFilterExpression: { kind: 1 } });
    await items.insertOne({ text: many });
    await items.dropIndex('text_text');
    await expect(items.createIndex({ text: 'text' })).rejects.toMatchObject({ code: 16733 });
    expect(await items.indexes()).toHaveLength(1);
  });
});
