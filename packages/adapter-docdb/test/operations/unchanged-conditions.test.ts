import { expect, it } from '@jest/globals';
import { unchangedConditions } from '../../src/operations/unchanged-conditions.ts';

it.each<[string, object, object | object[], object[]]>([
  ['what is not touched', { owner: 'me', done: false }, { $set: { done: true } }, [{ owner: 'me' }]],
  ['everything, where nothing is touched', { a: 1, b: 2 }, { $set: { c: 1 } }, [{ a: 1 }, { b: 2 }]],
  ['nothing of what is inside a change', { 'a.b': 1, 'a.c': 1, ab: 1 }, { $set: { a: {} } }, [{ ab: 1 }]],
  ['nothing around a change', { a: { b: 1 }, 'a.b': 1, 'a.b.c': 1, 'a.d': 1 }, { $inc: { 'a.b': 1 } }, [{ 'a.d': 1 }]],
  [
    'nothing of a list of which an element changes',
    { 'list.0.a': 1, 'list.a': 1, 'list.b': 1 },
    { $set: { 'list.$[x].a': 1 } },
    [{ 'list.b': 1 }],
  ],
  ['nothing of a list to which something is added', { list: 'x', other: 1 }, { $push: { list: 'y' } }, [{ other: 1 }]],
  ['neither end of a new name', { a: 1, b: 1, c: 1 }, { $rename: { a: 'b' } }, [{ c: 1 }]],
  [
    'branches that name nothing of it, whole',
    { $or: [{ a: 1 }, { $and: [{ b: 1 }] }] },
    { $set: { c: 1 } },
    [{ $or: [{ a: 1 }, { $and: [{ b: 1 }] }] }],
  ],
  ['no branch that names some of it', { $or: [{ a: 1 }, { $nor: [{ c: 1 }] }], d: 1 }, { $set: { c: 1 } }, [{ d: 1 }]],
  [
    'each of several that all hold',
    { $and: [{ a: 1, b: 1 }, { $and: [{ c: 1 }] }], d: 1 },
    { $set: { b: 1 } },
    [{ a: 1 }, { c: 1 }, { d: 1 }],
  ],
  ['no search, of which nobody knows where it looks', { $text: { $search: 'x' }, a: 1 }, { $set: { c: 1 } }, [{ a: 1 }]],
  ['no branch with a search in it', { $or: [{ $text: { $search: 'x' } }, { a: 1 }] }, { $set: { c: 1 } }, []],
  ['what stages of a pipeline do not set', { a: 1, b: 1, c: 1 }, [{ $set: { a: 1 } }, { $set: { b: 1 } }], [{ c: 1 }]],
  ['nothing where there is nothing', {}, { $set: { a: 1 } }, []],
])('of conditions still holds %s', (_title, filter, change, expected) => {
  expect(unchangedConditions(filter, change)).toEqual(expected);
});
