import { describe, expect, it } from '@jest/globals';
import { Random, Variety } from '@framework-internal/random';
import { Double, ObjectId, type Doc, type Value } from '../../src/bson/values.ts';
import { IndexDefinition } from '../../src/storage/index-definition.ts';
import { keyChange } from '../../src/storage/key-change.ts';

const SEED = Number(process.env.KEY_CHANGE_SEED ?? 20261201);
const ROUNDS = Number(process.env.KEY_CHANGE_ROUNDS ?? 4000);

function indexOf(key: Doc, options: Doc = {}): IndexDefinition {
  return new IndexDefinition(1, { name: 'keys', key, ...options });
}

/** @returns the keys of a document, as an index has them */
function bytesOf(index: IndexDefinition, keys: readonly (readonly Value[])[]): Set<string> {
  return new Set(keys.map((key) => index.keyOf(key).bytes.toString('latin1')));
}

describe('the keys that a change of one element of 20,000 touches', () => {
  const many = (make: (n: number) => Value): Doc => ({ _id: 1, x: 1, list: Array.from({ length: 20_000 }, (_none, n) => make(n)) });
  it.each<[string, Doc, (n: number) => Value]>([
    ['a list', { list: 1 }, (n) => n],
    ['a field of its elements', { 'list.a': 1 }, (n) => ({ a: n })],
    ['two of them, beside another field', { x: 1, 'list.a': 1, 'list.b': -1 }, (n) => ({ a: n, b: new ObjectId() })],
    ['all fields', { '$**': 1 }, (n) => n],
  ])('are the one that it had and the one that it gets: %s', (_what, key, make) => {
    const index = indexOf(key);
    const before = many(make);
    index.keysOf(before);
    const list = before.list as Value[];
    const set = { ...before, list: list.with(7000, make(-1)) };
    const { gone, come } = keyChange(index, before, set);
    expect([gone.length, come.length]).toEqual([1, 1]);
    const pushed = keyChange(index, before, { ...before, list: [...list, make(-1)] });
    expect([pushed.gone.length, pushed.come.length]).toEqual([0, 1]);
    const pulled = keyChange(index, before, { ...before, list: list.slice(1) });
    expect([pulled.gone.length, pulled.come.length]).toEqual([1, 0]);
  });

  it('are none where another field is changed, of an index of all fields those of that', () => {
    const before = many((n) => n);
    const after = { ...before, list: [...(before.list as Value[])], y: 2 };
    expect(indexOf({ list: 1 }).isUntouched(before, after)).toBe(true);
    expect(keyChange(indexOf({ '$**': 1 }), before, after)).toEqual({ gone: [], come: [['y', 2]] });
  });
});

const LEAVES: readonly Value[] = [
  ...[1, 2, new Double(1), 'a', 'b', null, true, {}, { a: 1 }, { a: 2, b: 1 }, { a: null }, { b: 3 }, { a: [1, 2] }, { a: [] }, []],
  ...[{ a: [{ c: 1 }, { c: 2 }] }, { a: { c: 1 } }, { a: { c: [3, 4] } }, [1, 2], { 'a.c': 1 }],
];
/** A text that an index does not tell from others. */
const LONG: Value = { a: 'long '.repeat(200) };
const KEYS: readonly [Doc, Doc?][] = [
  ...([[{ list: 1 }], [{ 'list.a': 1 }], [{ 'list.a': 1, 'list.b': -1 }], [{ x: 1, list: 1 }], [{ 'list.a.c': 1 }]] as [Doc][]),
  ...([[{ 'list.a.c': 1, 'list.b': 1, x: -1 }], [{ '$**': 1 }], [{ 'in.list': 1 }], [{ 'in.list.a': 1, 'in.y': 1 }]] as [Doc][]),
  ...([[{ 'list.1': 1 }], [{ 'list.a.0': 1, x: 1 }], [{ list: 1, 'list.a': 1 }]] as [Doc][]),
  [{ list: 1 }, { partialFilterExpression: { x: { $gte: 2 } } }],
  [{ '$**': 1 }, { partialFilterExpression: { x: { $gte: 2 } } }],
  [{ 'list.a': 1 }, { sparse: true }],
  [{ list: 1 }, { collation: { locale: 'en', strength: 2 } }],
];

it('keys that a change takes and gives make those of the document as it was into those that it has', () => {
  const random = new Random(SEED);
  const variety = new Variety();
  for (let round = 0; round < ROUNDS; round++) {
    const leaves = random.oneIn(10) ? [...LEAVES, LONG] : random.oneIn(2) ? LEAVES : LEAVES.slice(0, 12);
    const leaf = (): Value => random.pick(leaves);
    const [key, options] = random.pick(KEYS);
    const index = indexOf(key, options);
    // Other documents have told of lists already.
    index.facts.multikey = !random.oneIn(4);
    const few = [leaf(), leaf(), leaf()];
    const list = Array.from({ length: 30 + random.below(12) }, () => (random.oneIn(3) ? leaf() : random.pick(few)));
    const changed = [...list];
    for (let steps = random.below(4); steps >= 0; steps--) {
      const kind = random.below(4);
      changed.splice(random.below(changed.length), kind === 0 ? 0 : 1, ...(kind === 1 ? [] : [leaf()]));
      if (kind === 3) changed.push(leaf());
    }
    const docOf = (elements: Value[], x: Value): Doc => ({ _id: 1, x, list: elements, in: { list: elements, y: x } });
    const x = random.below(4);
    const [before, after] = [docOf(list, x), docOf(changed, random.oneIn(5) ? 3 : x)];
    const all = index.keysOf(before);
    const had = bytesOf(index, all);
    const { gone, come } = keyChange(index, before, after);
    const [taken, given] = [bytesOf(index, gone), bytesOf(index, come)];
    const made = new Set([...had].filter((bytes) => !taken.has(bytes)).concat(...given));
    const whole = bytesOf(index, index.keysOf(after));
    expect({ key, before, after, keys: [...made].sort() }).toEqual({ key, before, after, keys: [...whole].sort() });
    variety.tried(JSON.stringify([key, before, after]));
    variety.took(gone.length < all.length ? 'a part' : 'the whole');
  }
  console.log(variety.report('changes of keys', SEED));
  variety.expect(ROUNDS * 0.9, { 'a part': ROUNDS / 5, 'the whole': ROUNDS / 5 });
});
