import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChangeStreamDocument, Collection, Document } from 'mongodb';
import { start, type Harness } from './harness.ts';

interface Item {
  _id: number;
  text: string;
}

/** Bytes of the largest document, without those of its text. */
const AROUND = 25;
const MOST = 16 * 1024 * 1024;
const WHOLE = { fullDocument: 'required', fullDocumentBeforeChange: 'required' } as const;

let harness: Harness;
let items: Collection<Item>;
beforeAll(async () => {
  harness = await start();
  items = await harness.db.createCollection<Item>('items', { changeStreamPreAndPostImages: { enabled: true } });
});
afterAll(() => harness.stop());

const largest = (letter: string): string => letter.repeat(MOST - AROUND);
const summary = (item: Item | undefined): string => `${String(item?.text.length)} ${String(item?.text[0])}`;

describe('events of documents of the largest size', () => {
  it('come whole', async () => {
    await expect(items.insertOne({ _id: 0, text: `${largest('x')}x` })).rejects.toMatchObject({ code: 10334 });
    const stream = items.watch();
    await stream.tryNext();
    await items.insertOne({ _id: 1, text: largest('a') });
    const event = (await stream.next()) as ChangeStreamDocument<Item> & { fullDocument: Item };
    await stream.close();
    expect([event.operationType, summary(event.fullDocument)]).toEqual(['insert', `${String(MOST - AROUND)} a`]);
  });

  it('come in parts, each with one of the documents, where they have several', async () => {
    await items.replaceOne({ _id: 1 }, { text: largest('b') }, { upsert: true });
    const stream = items.watch([{ $changeStreamSplitLargeEvent: {} }], WHOLE);
    await stream.tryNext();
    await items.replaceOne({ _id: 1 }, { text: largest('c') });
    const parts: Document[] = [];
    do parts.push((await stream.next()) as Document);
    while (parts.length < Number((parts[0]?.splitEvent as { of: number } | undefined)?.of));
    await stream.close();
    const documents = parts.map(({ fullDocument, fullDocumentBeforeChange }) =>
      [fullDocument, fullDocumentBeforeChange].filter((one): one is Item => one !== undefined).map(summary),
    );
    expect(documents).toEqual([[`${String(MOST - AROUND)} c`], [`${String(MOST - AROUND)} b`]]);
  });
});
