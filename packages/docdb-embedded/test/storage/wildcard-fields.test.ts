import { expect, it } from '@jest/globals';
import { Random, Variety } from '@framework-internal/random';
import type { Doc } from '../../src/bson/values.ts';
import { pathsInWildcard } from '../../src/storage/wildcard-fields.ts';

const SEED = Number(process.env.WILDCARD_SEED ?? 20261130);
const NAMES = ['a', 'b', 'ab', '_id', 'a.b'];

it.each<[Doc, string[], string[]]>([
  [{ key: { '$**': 1 } }, ['a', 'a.b', '_idx'], ['_id', '_id.a']],
  [{ key: { 'a.$**': 1, c: 1 } }, ['a', 'a.b', 'c'], ['ab', 'c.d', '_id']],
  [{ key: { '$**': 1 }, wildcardProjection: { 'a.b': 1, _id: 1 } }, ['a.b', 'a.b.c', '_id', '_id.x'], ['a', 'a.bc', 'b']],
  [{ key: { '$**': 1, c: 1 }, wildcardProjection: { c: 0, 'a.b': 0 } }, ['a', 'a.c', 'c', 'b'], ['a.b', 'a.b.c', 'c.d', '_id']],
  [{ key: { '$**': 1 }, wildcardProjection: { a: { b: 1 } } }, ['a.b', 'a.b.c'], ['a', 'a.c', 'b', '_id']],
  [
    { key: { '$**': 1 }, wildcardProjection: { a: { b: { c: 1 }, 'd.e': true }, _id: 1 } },
    ['a.b.c', 'a.d.e.f', '_id'],
    ['a.b', 'a.d', 'x'],
  ],
  [{ key: { '$**': 1 }, wildcardProjection: { a: { b: 0 } } }, ['a', 'a.c', 'x'], ['a.b', 'a.b.c', '_id']],
])('an index of %j has the paths that it says', (spec, held, left) => {
  const holds = pathsInWildcard(spec);
  expect(held.filter(holds)).toEqual(held);
  expect(left.filter(holds)).toEqual([]);
});

it('a path is in it when what is listed is one that it begins with', () => {
  const random = new Random(SEED);
  const variety = new Variety();
  const name = (): string => NAMES[random.below(NAMES.length)] ?? '';
  const path = (): string => Array.from({ length: 1 + random.below(3) }, name).join('.');
  for (let turn = 0; turn < 2000; turn++) {
    const listed = Array.from({ length: 1 + random.below(4) }, path).filter((each) => !each.startsWith('_id'));
    if (listed.length === 0) listed.push('a');
    const includes = random.below(2) === 0;
    const holds = pathsInWildcard({
      key: { '$**': 1 },
      wildcardProjection: Object.fromEntries(listed.map((each) => [each, includes ? 1 : 0])),
    });
    const asked = path();
    const isId = asked === '_id' || asked.startsWith('_id.');
    const isListed = listed.some((each) => asked === each || asked.startsWith(`${each}.`));
    variety.tried(JSON.stringify([listed, includes, asked]));
    variety.took(isId ? 'id' : `${includes ? 'included' : 'excluded'} ${isListed ? 'listed' : 'other'}`);
    expect([listed, includes, asked, holds(asked)]).toEqual([listed, includes, asked, !isId && isListed === includes]);
  }
  console.log(variety.report('WILDCARD_SEED', SEED));
  variety.expect(1800, { id: 300, 'included listed': 100, 'included other': 300, 'excluded listed': 100, 'excluded other': 300 });
});

it('what is listed is looked at once, however many paths are asked for', () => {
  let looks = 0;
  const wildcardProjection = new Proxy<Doc>(Object.fromEntries(Array.from({ length: 100 }, (_none, n) => [`f${n}`, 1])), {
    get(target, name: string) {
      looks += 1;
      return target[name];
    },
  });
  const holds = pathsInWildcard({ key: { '$**': 1 }, wildcardProjection });
  const before = looks;
  for (let n = 0; n < 200; n++) expect(holds(`f${n}.a`)).toBe(n < 100);
  expect(looks).toBe(before);
});
