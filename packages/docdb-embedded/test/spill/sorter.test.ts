import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { Random, Variety } from '@framework-internal/random';
import { parseSort } from '../../src/query/sort.ts';
import { type Sortable, Sorter } from '../../src/spill/sorter.ts';

const SEED = Number(process.env.SORT_SEED ?? 20261122);
const ROUNDS = Number(process.env.SORT_ROUNDS ?? 20);

interface Item {
  readonly key: number;
  readonly at: number;
  readonly text: string;
}

const form: Sortable<Item> = {
  keysOf: ({ key }) => [key],
  sizeOf: ({ text }) => text.length,
  write: (item) => Buffer.from(JSON.stringify(item)),
  read: (bytes) => JSON.parse(bytes.toString()) as Item,
};

describe('a sort', () => {
  it('gives what a sort in memory gives, whatever went to the disk, and leaves no file behind', () => {
    const random = new Random(SEED);
    const variety = new Variety();
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('docdb-spill-'));
    for (let round = 0; round < ROUNDS; round++) {
      const count = random.below(12_000);
      const keys = 1 + random.below(2000);
      const most = random.oneIn(3) ? Infinity : 1 + random.below(2500);
      const limit = 20_000 + random.below(2_000_000);
      const direction = random.oneIn(2) ? 1 : -1;
      const items = Array.from({ length: count }, (_, at): Item => ({ key: random.below(keys), at, text: 'x'.repeat(random.below(200)) }));
      const sorter = new Sorter(form, { keys: parseSort({ key: direction }), collator: undefined, most }, { allowDiskUse: true, limit });
      let turns = 0;
      for (let from = 0; from < count; from += 500) turns += [...sorter.add(items.slice(from, from + 500))].length;
      const sorted = [...sorter.sorted()].map(({ key, at }) => [key, at]);
      sorter.close();
      const wanted = [...items].sort((a, b) => (a.key - b.key) * direction || a.at - b.at).slice(0, most);
      expect(sorted).toEqual(wanted.map(({ key, at }) => [key, at]));
      variety.tried(`${String(count)} ${String(keys)} ${String(most)} ${String(limit)}`);
      variety.took(turns > 0 ? 'spilled' : 'in memory');
      if (most < count) variety.took('cut');
    }
    console.log(variety.report('SORT_SEED', SEED));
    variety.expect(ROUNDS * 0.9, { spilled: ROUNDS / 6, 'in memory': ROUNDS / 6, cut: ROUNDS / 6 });
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('docdb-spill-'))).toEqual(before);
  });

  it('takes records larger than what is read at once', () => {
    const sorter = new Sorter(form, { keys: parseSort({ key: 1 }), collator: undefined, most: Infinity }, { allowDiskUse: true, limit: 1 });
    const items = [3, 1, 2].map((key, at): Item => ({ key, at, text: String(key).repeat(700_000) }));
    for (const item of items) for (const _turn of sorter.add([item]));
    expect([...sorter.sorted()].map(({ key, text }) => [key, text.length, text[0]])).toEqual([
      [1, 700_000, '1'],
      [2, 700_000, '2'],
      [3, 700_000, '3'],
    ]);
    sorter.close();
  });

  it('answers 292 when it may not use the disk', () => {
    const sorter = new Sorter(
      form,
      { keys: parseSort({ key: 1 }), collator: undefined, most: Infinity },
      { allowDiskUse: false, limit: 1 },
    );
    expect(() => [...sorter.add([{ key: 1, at: 0, text: 'some' }])]).toThrow(expect.objectContaining({ code: 292 }));
  });

  it('keeps those of large items that are wanted, and needs no disk for the others', () => {
    const order = { keys: parseSort({ key: 1 }), collator: undefined };
    const items = Array.from({ length: 500 }, (_, at): Item => ({ key: (at * 7) % 500, at, text: 'x'.repeat(1000) }));
    const first = (most: number): number[] => {
      const sorter = new Sorter(form, { ...order, most }, { allowDiskUse: false, limit: 100_000 });
      try {
        for (let from = 0; from < items.length; from += 50) for (const _turn of sorter.add(items.slice(from, from + 50)));
        return [...sorter.sorted()].map(({ key }) => key);
      } finally {
        sorter.close();
      }
    };
    expect(first(3)).toEqual([0, 1, 2]);
    expect(() => first(200)).toThrow('Sort exceeded memory limit');
  });
});
