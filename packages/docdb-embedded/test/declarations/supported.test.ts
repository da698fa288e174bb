import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commandGroups } from '../../src/declarations/all-commands.ts';
import { stages } from '../../src/declarations/stages.ts';
import { supportedText } from '../../src/declarations/supported.ts';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

const codeOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
  return undefined;
};

describe('the list of what is supported', () => {
  it('is the one that the tables give: run pnpm supported when it is not', () => {
    const path = join(dirname(fileURLToPath(import.meta.url)), '../../SUPPORTED.md');
    expect(readFileSync(path, 'utf8')).toBe(supportedText());
  });

  it('names commands that take no field that it does not name', async () => {
    const strict = Object.values(commandGroups)
      .flat()
      .filter(({ open, target }) => !open && target === 'collection');
    expect(strict.length).toBeGreaterThan(10);
    for (const { name, adminOnly } of strict) {
      const db = harness.client.db(adminOnly ? 'admin' : 'test');
      expect([name, await codeOf(db.command({ [name]: 'things', nobodyKnowsIt: 1 }))]).toEqual([name, 40415]);
    }
  });

  it('names stages; others, and those that are refused, are errors', async () => {
    const items = harness.db.collection('items');
    expect(await codeOf(items.aggregate([{ $nobodyKnowsIt: {} }]).toArray())).toBe(40324);
    for (const [name, { refused }] of Object.entries(stages))
      if (refused !== undefined) expect([name, await codeOf(items.aggregate([{ [name]: {} }]).toArray())]).not.toEqual([name, undefined]);
  });

  it('has declared what each command does with a value of the wrong type', async () => {
    const { db } = harness;
    expect(await codeOf(db.command({ count: 'c', limit: {} }))).toBe(2);
    expect(await codeOf(db.command({ find: 'c', filter: 5 }))).toBe(14);
    expect(await codeOf(db.command({ find: 'c', hint: 5 }))).toBe(9);
    expect(await codeOf(db.command({ find: 5 }))).toBe(73);
    expect(await codeOf(db.command({ distinct: 'c', key: 'a', writeConcern: { w: 1 } }))).toBe(72);
    expect(await codeOf(db.command({ create: 'd', writeConcern: { w: 5 } }))).toBe(2);
    expect(await codeOf(db.command({ ping: 1, maxTimeMS: 1.5 }))).toBe(9);
  });
});

describe('numbers of a caller', () => {
  it('bound no loop: searches and ranges from the ends of the numbers are answered at once', async () => {
    const items = harness.db.collection('bounds');
    await items.insertOne({ text: 'hello', list: [1, 2] });
    const evaluate = (expression: unknown): Promise<unknown> => codeOf(items.aggregate([{ $project: { result: expression } }]).toArray());
    for (const place of [-Infinity, Number.NaN, -(2 ** 40), -1, 0.5]) {
      for (const name of ['$indexOfCP', '$indexOfBytes'])
        expect([name, place, await evaluate({ [name]: ['$text', 'l', place] })]).toEqual([
          name,
          place,
          place === -1 ? 40097 : expect.any(Number),
        ]);
      expect(await evaluate({ $indexOfArray: ['$list', 2, place] })).toEqual(expect.any(Number));
      expect(await evaluate({ $substrCP: ['$text', place, 1] })).toEqual(expect.any(Number));
    }
    expect(await evaluate({ $range: [0, 2_147_483_647] })).toBe(146);
    expect(await evaluate({ $range: [0, Infinity] })).toBe(34446);
    expect(await items.countDocuments()).toBe(1);
  });
});
