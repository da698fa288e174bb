import { describe, expect, it } from '@jest/globals';
import { Hidden, RecordShape, Type, WriteOnly, type Contribution, type JSONSchema } from '../../src/index.ts';
import { queryable } from '../../src/query/queryable.ts';

const seen = (record: JSONSchema, withHidden = false, added: Contribution = {}): [conditions: string[], select: readonly string[]] => {
  const { conditions, select } = queryable(new RecordShape(record).add(added).root, withHidden);
  return [[...conditions.keys()], select];
};
const both = (...names: string[]): [string[], string[]] => [names, names];
const secret = Type.Object({ open: Type.String(), pin: Hidden(Type.String()) });

describe('what of a record may be queried', () => {
  it.each<[string, JSONSchema, [string[], string[]]]>([
    ['properties, and paths into objects', Type.Object({ a: Type.String(), b: Type.Object({ c: Type.String() }) }), both('a', 'b', 'b.c')],
    ['paths through lists', Type.Object({ a: Type.Array(Type.Object({ b: Type.String() })) }), both('a', 'a.b')],
    ['through lists of lists', Type.Object({ a: Type.Array(Type.Array(Type.Object({ b: Type.String() }))) }), both('a', 'a.b')],
    [
      'through tuples',
      Type.Object({ a: Type.Tuple([Type.Object({ b: Type.String() }), Type.Object({ c: Type.String() })]) }),
      both('a', 'a.b', 'a.c'),
    ],
    ['parts of intersections', Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })]), both('a', 'b')],
    ['nothing that is hidden or write-only', Type.Object({ a: Hidden(Type.String()), b: WriteOnly(Type.String()) }), both()],
    ['of what hides something: parts of it', Type.Object({ a: secret }), [['a.open'], ['a', 'a.open']]],
    ['of lists of it', Type.Object({ a: Type.Array(secret) }), [['a.open'], ['a', 'a.open']]],
    ['nothing that is not listed', Type.Object({ a: Type.Record(Type.String(), Type.Object({ b: Type.String() })) }), both('a')],
  ])('%s', (_name, record, expected) => {
    expect(seen(record)).toEqual(expected);
  });

  it('on the server also what is hidden', () => {
    expect(seen(Type.Object({ a: secret, b: WriteOnly(Type.String()) }), true)).toEqual(both('a', 'a.open', 'a.pin', 'b'));
  });

  it('goes five names deep, and into its own kind once', () => {
    const deep = [1, 2, 3, 4, 5].reduce<JSONSchema>((inner) => ({ type: 'object', properties: { a: inner } }), {
      type: 'object',
      properties: { a: { type: 'string' } },
    });
    expect(seen(deep)).toEqual(both('a', 'a.a', 'a.a.a', 'a.a.a.a', 'a.a.a.a.a'));
    const tree: JSONSchema = { type: 'object', properties: { name: { type: 'string' }, child: { $ref: '#' } } };
    expect(seen(tree)).toEqual(both('name', 'child', 'child.name', 'child.child'));
  });

  it('takes all schemas that describe a value, and not what was only added to it', () => {
    const [a, b]: JSONSchema[] = [{ type: 'string' }, { minLength: 1 }];
    const record = { allOf: [{ properties: { x: a, y: a } }, { properties: { x: b } }] } as JSONSchema;
    const { conditions } = queryable(new RecordShape(record).add({ readOnly: ['x', 'z'], hidden: ['undescribed.key'] }).root, false);
    expect([...conditions]).toEqual([
      ['x', { anyOf: [a, b] }],
      ['y', a],
    ]);
    expect(seen(Type.Object({ a: secret, b: Type.String() }), false, { hidden: ['a', 'b.c'] })).toEqual([[], ['b']]);
  });
});
