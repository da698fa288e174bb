import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
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
