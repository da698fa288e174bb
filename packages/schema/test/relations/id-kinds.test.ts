import { describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { Nullable, ObjectIdSchema, Type, type JSONSchema } from '../../src/index.ts';
import { locationOf } from '../../src/record-shape/location.ts';
import { References } from '../../src/record-shape/references.ts';
import { idKinds, idsFit, suitedId, type IdKind } from '../../src/relations/id-kinds.ts';

const HEX = '65f0c0ffee0123456789abcd';

/** What ids at a property with a schema can be. */
function kindsOf(property: JSONSchema): IdKind[] {
  const record = { type: 'object', properties: { id: property } };
  const location = locationOf(record, new References(record)).step('id');
  return location ? [...idKinds(location)] : [];
}

describe('what ids can be', () => {
  it.each<[string, JSONSchema, IdKind[]]>([
    ['a text', { type: 'string' }, ['text']],
    ['a number', { type: 'number' }, ['number']],
    ['a whole number', { type: 'integer' }, ['number']],
    ['an object id', ObjectIdSchema(), ['object id']],
    ['something else', { type: 'boolean' }, ['other']],
    ['a text, or nothing', Nullable(Type.String()), ['text']],
    ['a text, or nothing, by a list of types', { type: ['string', 'null'] }, ['text']],
    ['a number or a text', { type: ['integer', 'string'] }, ['number', 'text']],
    ['a list of texts', { type: 'array', items: { type: 'string' } }, ['text']],
    ['a text or a list of them', { type: ['string', 'array'], items: { type: 'string' } }, ['text']],
    ['a list of lists of numbers', { type: 'array', items: { type: 'array', items: { type: 'integer' } } }, ['number']],
    ['a list by positions', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }] }, ['text', 'number']],
    ['one of some texts', { enum: ['a', 'b'] }, ['text']],
    ['one of some texts and numbers, or nothing', { enum: ['a', 5, null] }, ['text', 'number']],
    ['one text', { const: 'a' }, ['text']],
    ['an empty text', { const: '' }, ['text']],
    ['the number 0', { const: 0 }, ['number']],
    ['one large number', { const: 5n }, ['number']],
    ['a value, whatever its type says', { type: 'string', const: 5 }, ['number']],
    ['yes or no', { enum: [true, false] }, ['other']],
    ['nothing', { const: null }, []],
    ['not said', {}, []],
    ['not said of a list', { type: 'array' }, []],
  ])('%s', (_what, schema, kinds) => {
    expect(kindsOf(schema)).toEqual(kinds);
  });
});

describe('ids lead to records', () => {
  const fit = (keys: IdKind[], ids: IdKind[]): boolean => idsFit(new Set(keys), new Set(ids));

  it.each<[boolean, IdKind[], IdKind[]]>([
    [true, ['text'], ['text']],
    [true, ['number'], ['number']],
    [true, ['object id'], ['object id']],
    [true, ['other'], ['other']],
    // The adapter reads the text of an object id, and gives it.
    [true, ['text'], ['object id']],
    [true, ['object id'], ['text']],
    [true, ['number', 'text'], ['text']],
    [true, ['other', 'number'], ['number', 'object id']],
    [true, [], ['number']],
    [true, ['text'], []],
    [true, [], []],
    [false, ['text'], ['number']],
    [false, ['number'], ['text']],
    [false, ['number'], ['object id']],
    [false, ['object id'], ['number']],
    [false, ['other'], ['text']],
    [false, ['other'], ['object id']],
    [false, ['text', 'object id'], ['number', 'other']],
  ])('%s: %j to %j', (expected, keys, ids) => {
    expect(fit(keys, ids)).toBe(expected);
  });
});

describe('an id that is stored is asked for', () => {
  const id = new ObjectId(HEX);
  const suited = (given: unknown, ...kinds: IdKind[]): unknown => suitedId(given, new Set(kinds));

  it.each<[string, unknown, IdKind[], unknown]>([
    ['as it is, where nothing is said', 'a', [], 'a'],
    ['as it is, where nothing is said, also an object id', id, [], id],
    ['as it is, a text by texts', 'a', ['text'], 'a'],
    ['as an object id', id, ['object id'], id],
    ['as an object id where it may be either', id, ['text', 'object id'], id],
    ['as the text of an object id', id, ['text'], HEX],
    ['as the text that means an object id', HEX.toUpperCase(), ['object id'], HEX.toUpperCase()],
    ['as a number', 5, ['number'], 5],
    ['as a number that was large', 5n, ['number'], 5],
    ['not, a text that means no object id', 'abc', ['object id'], undefined],
    ['not, a text with more than that', `${HEX}0`, ['object id'], undefined],
    ['not, a text by numbers', '5', ['number'], undefined],
    ['not, a number by texts', 5, ['text'], undefined],
    ['not, a number by object ids', 5, ['object id'], undefined],
    ['not, an object id by numbers', id, ['number'], undefined],
  ])('%s', (_how, given, kinds, expected) => {
    expect(suited(given, ...kinds)).toBe(expected);
  });

  it('not, where it is none', () => {
    for (const given of [undefined, null, '', NaN, Infinity, true, {}, [], { toHexString: HEX }, { toHexString: () => HEX }])
      for (const kinds of [[], ['text', 'number', 'object id', 'other']] as IdKind[][]) expect(suited(given, ...kinds)).toBeUndefined();
  });
});
