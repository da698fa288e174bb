import { describe, expect, it } from '@jest/globals';
import { Hidden, ReadOnly, Type, type JSONSchema } from '../../src/index.ts';
import { CONTRIBUTED, isMarked, isReference, mergedMarks } from '../../src/record-shape/marks.ts';

const none = { sealed: false, hidden: false, writeOnly: false, readOnly: false, readable: [], writable: [] };
const rule = (): boolean => true;
const added = (schema: JSONSchema): JSONSchema => Object.assign(schema, { [CONTRIBUTED]: true });

describe('the marks of a value that several schemas describe', () => {
  it.each<[string, JSONSchema[], object]>([
    ['none', [], {}],
    ['nothing that means something', [{ hidden: false, writeOnly: 1, readOnly: 'x', readable: true, writable: {} } as never], {}],
    ['hidden by one', [{}, { hidden: true }], { hidden: true, sealed: true }],
    ['write-only by one', [{ writeOnly: true }, {}], { writeOnly: true }],
    ['hidden and write-only at once', [{ hidden: true, writeOnly: true }], { hidden: true, writeOnly: true }],
    [
      'hidden by one alternative, write-only by another',
      [{ hidden: true }, { writeOnly: true }],
      { hidden: true, writeOnly: true, sealed: true },
    ],
    ['hidden by what was added to what is write-only', [added({ hidden: true }), { writeOnly: true }], { hidden: true, writeOnly: true }],
    ['hidden by what was added', [added({ hidden: true }), {}], { hidden: true, sealed: true }],
    ['read-only', [{}, { readOnly: true }], { readOnly: true }],
    ['read-only by TypeBox', [Type.Readonly(Type.String())], { readOnly: true }],
    ['optional by TypeBox', [Type.Optional(Type.String())], {}],
    ['rules, all of them', [{ readable: rule }, { readable: rule, writable: rule }], { readable: [rule, rule], writable: [rule] }],
  ])('%s', (_name, schemas, expected) => {
    expect(mergedMarks(schemas)).toEqual({ ...none, ...expected });
  });

  it.each<[boolean, JSONSchema]>([
    [true, Hidden(Type.String())],
    [true, ReadOnly(Type.String())],
    [true, Type.Readonly(Type.String())],
    [true, { writeOnly: true }],
    [true, { readable: rule }],
    [true, { writable: rule }],
    [true, { reference: { service: 'users', as: 'user' } }],
    [false, {}],
    [false, { hidden: false, writeOnly: false, readOnly: false, readable: 'x', writable: true }],
    [false, { reference: { title: 'x' } as never }],
    [false, Type.Optional(Type.String())],
  ])('there is one: %s for %j', (expected, schema) => {
    expect(isMarked(schema)).toBe(expected);
  });

  it('a reference names a service or a property', () => {
    const references: unknown[] = [{ service: 'a' }, { as: 'b' }, { service: 1, as: 2 }, {}, 'users', ['service'], null, undefined];
    expect(references.map((reference) => isReference({ reference: reference as never }))).toEqual([
      true,
      true,
      true,
      ...Array<boolean>(5).fill(false),
    ]);
  });
});
