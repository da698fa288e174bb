import { describe, expect, it } from '@jest/globals';
import { Hidden, Type, type JSONSchema } from '../../src/index.ts';
import { locationOf, reachable, type Location } from '../../src/record-shape/location.ts';
import { RecordShape } from '../../src/record-shape/record-shape.ts';
import { References } from '../../src/record-shape/references.ts';

const rootOf = (schema: JSONSchema): Location => locationOf(schema, new References(schema));
const titles = (location: Location | undefined): unknown =>
  location?.members.map(({ title }) => title).filter((title) => title !== undefined);
const at = (schema: JSONSchema, path: string): unknown =>
  titles(path.split('.').reduce<Location | undefined>((on, name) => on?.step(name), rootOf(schema)));

const named = (title: string): JSONSchema => ({ title });

describe('every schema that may describe a value is one of its location', () => {
  it.each<[string, JSONSchema]>([
    ...['allOf', 'anyOf', 'oneOf'].map((keyword): [string, JSONSchema] => [keyword, { [keyword]: [named('x'), { allOf: [named('y')] }] }]),
    ['if, then, else', { if: named('x'), then: named('y'), else: {} }],
    ['dependentSchemas', { dependentSchemas: { a: named('x'), default: named('y') } }],
    ['dependencies', { dependencies: { a: named('x'), b: ['a'], enum: named('y') } }],
    ['$ref', { $ref: '#/$defs/x', $defs: { x: { title: 'x', $ref: '#/$defs/y' }, y: named('y') } }],
  ])('%s', (_name, schema) => {
    expect(titles(rootOf(schema))).toEqual(['x', 'y']);
  });

  it('not, and what describes parts, is of no value itself', () => {
    const parts = {
      not: named('a'),
      propertyNames: named('a'),
      contains: named('a'),
      items: named('a'),
      $defs: { a: named('a') },
      additionalProperties: named('a'),
    };
    expect(titles(rootOf(parts))).toEqual([]);
  });

  it('a place in a record that contains itself is one place', () => {
    const tree: JSONSchema = { title: 'tree', properties: { kids: { type: 'array', items: { $ref: '#' } } } };
    const root = rootOf(tree);
    const kid = root.step('kids')?.element();
    expect(titles(kid)).toEqual(['tree']);
    expect(kid?.step('kids')?.element()).toBe(kid);
    expect(root.step('kids')).toBe(root.step('kids'));
    expect(reachable(root)).toBe(reachable(root));
    expect(reachable(root).size).toBe(3);
  });
});

describe('a step', () => {
  it('is remembered by a name of usual length, so that callers do not fill the memory with long ones', () => {
    let looks = 0;
    const schema: JSONSchema = {
      get additionalProperties(): JSONSchema {
        looks += 1;
        return named('value');
      },
    };
    const root = rootOf(schema);
    const looksFor = (name: string): number => {
      root.step(name);
      const before = looks;
      expect(titles(root.step(name))).toEqual(['value']);
      return looks - before;
    };
    expect(looksFor('a'.repeat(100))).toBe(0);
    expect(looksFor('a'.repeat(101))).toBeGreaterThan(0);
  });

  const record: JSONSchema = {
    properties: {
      plain: named('plain'),
      list: { items: { title: 'element', properties: { inner: named('inner') } } },
      matrix: { items: { items: { properties: { inner: named('cell') } } } },
      tuple: { items: [named('first'), { title: 'second', properties: { inner: named('in second') } }], additionalItems: named('rest') },
      map: { additionalProperties: named('value') },
      pattern: { patternProperties: { '^x': named('by pattern') } },
      both: {
        anyOf: [
          { items: { properties: { inner: named('of the element') } } },
          { properties: { inner: named('of the object'), 0: named('zero') } },
        ],
      },
      left: { properties: { a: named('a') }, allOf: [{ properties: { b: named('b') } }], unevaluatedProperties: named('left over') },
    },
    anyOf: [{ properties: { plain: named('again') } }, { additionalProperties: named('any other') }],
  };

  it.each<[string, unknown]>([
    ['plain', ['plain', 'again', 'any other']],
    ['list.inner', ['inner']],
    ['list.0', ['element']],
    ['list.$', ['element']],
    ['list.$[]', ['element']],
    ['list.$[name].inner', ['inner']],
    ['list.$other', undefined],
    ['list.12x', undefined],
    ['list.0.inner', ['inner']],
    ['matrix.inner', ['cell']],
    ['matrix.0.inner', ['cell']],
    ['matrix.0.1.inner', ['cell']],
    ['tuple.0', ['first']],
    ['tuple.1', ['second']],
    ['tuple.2', ['rest']],
    ['tuple.$', ['first', 'second', 'rest']],
    ['tuple.$[]', ['first', 'second', 'rest']],
    ['tuple.inner', ['in second']],
    ['map.whatever', ['value']],
    ['pattern.x1', ['by pattern']],
    ['pattern.y1', undefined],
    ['both.inner', ['of the object', 'of the element']],
    ['both.0.inner', ['of the element']],
    ['left.a', ['a']],
    ['left.b', ['b']],
    ['left.c', ['left over']],
    ['unknown', ['any other']],
    ['unknown.deeper', undefined],
    ['plain.toString', undefined],
  ])('%s', (path, expected) => {
    expect(at(record, path)).toEqual(expected);
  });

  it('knows the same place again for names without bound', () => {
    const map = rootOf(record).step('map');
    const steps = Array.from({ length: 1500 }, (_, index) => map?.step(`name${String(index)}`));
    expect(new Set(steps).size).toBe(1);
    expect(map?.step('name1499')).toBe(steps[0]);
  });
});

describe('what is left over by a schema', () => {
  const a: JSONSchema = { properties: { a: named('a') } };
  const b: JSONSchema = { properties: { b: named('b') } };
  it.each<[string, JSONSchema, string[]]>([
    ['by nothing', {}, ['left over']],
    ['by its own properties', a, ['a']],
    ['by a pattern', { patternProperties: { '^a': named('a') } }, ['a']],
    ['by all parts', { allOf: [b, a] }, ['a']],
    ['by a part of a part', { allOf: [{ allOf: [a] }] }, ['a']],
    ['by a reference', { $ref: '#/$defs/a' }, ['a']],
    ['by each alternative', { anyOf: [a, { ...a, title: 'other' }] }, ['a']],
    ['by each of one', { oneOf: [a, { $ref: '#/$defs/a' }] }, ['a']],
    ['by both sides of a condition', { if: b, then: a, else: a }, ['a']],
    // Where these do not hold the property is left over.
    ['by one alternative', { anyOf: [a, b] }, ['a', 'left over']],
    ['by one of several', { oneOf: [b, a] }, ['a', 'left over']],
    ['by one side of a condition', { if: b, then: a }, ['a', 'left over']],
    ['by the other side', { if: b, else: a }, ['a', 'left over']],
    ['by what no condition leads to', { then: a, else: a }, ['a', 'left over']],
    ['by a condition', { if: a }, ['a', 'left over']],
    ['beside another property', { dependentSchemas: { b: a } }, ['a', 'left over']],
    ['by an alternative of a part', { allOf: [{ anyOf: [a, b] }] }, ['a', 'left over']],
    ['by a reference of an alternative', { anyOf: [{ $ref: '#/$defs/a' }, b] }, ['a', 'left over']],
    ['by no alternative', { anyOf: [] }, ['left over']],
    ['by what contains itself', { allOf: [{ $ref: '#' }] }, ['left over']],
  ])('a property that is described %s', (_how, schema, expected) => {
    expect(at({ ...schema, $defs: { a }, unevaluatedProperties: named('left over') }, 'a')).toEqual(expected);
  });
});

describe('what a location is', () => {
  it.each<[string, JSONSchema, Partial<Location>]>([
    ['nothing said', {}, { open: true, tuple: false, listed: false, secret: false, names: [] }],
    ['an object', { type: 'object' }, { open: true }],
    [
      'an object with properties',
      { properties: { a: {}, b: {} }, anyOf: [{ properties: { a: {}, c: {} } }] },
      { open: false, names: ['a', 'b', 'c'] },
    ],
    ['text', { type: 'string' }, { open: false }],
    ['a list', { type: 'array', items: {} }, { open: false, listed: true, tuple: false }],
    ['a list of nothing', { items: false }, { open: true, listed: false }],
    ['a tuple', { items: [{}] }, { listed: true, tuple: true }],
    ['a tuple of 2020', { prefixItems: [{}] }, { listed: true, tuple: true }],
    ['a tuple beside what says nothing of it', { allOf: [{ title: 'a' }, { prefixItems: [{}] }] }, { listed: true, tuple: true }],
    ['a secret below', { properties: { a: { items: { properties: { b: { writeOnly: true } } } } } }, { secret: true }],
    ['read-only', { properties: { a: { readOnly: true } } }, { secret: false }],
    ['a rule', { properties: { a: { readable: () => true } } }, { secret: true }],
  ])('%s', (_name, schema, expected) => {
    expect(rootOf(schema)).toMatchObject(expected);
  });

  it('names what lies below it', () => {
    const labels = (schema: JSONSchema): string[] =>
      [...rootOf(schema).children()].map(([label, location]) => `${label} ${String(titles(location))}`);
    const schema: JSONSchema = {
      properties: { a: named('a'), no: false as never },
      patternProperties: { '^x': named('x') },
      additionalProperties: named('rest'),
      items: [named('0'), named('1')],
      additionalItems: named('more'),
    };
    expect(labels(schema)).toEqual(['a a', 'no rest', '* x', '* rest', '[] 0,1,more', '[0] 0', '[1] 1']);
    expect(labels({ items: named('i') })).toEqual(['[] i']);
    expect(labels({ type: 'string' })).toEqual([]);
  });

  it('names each element that one of its schemas tells apart, and finds it by its position', () => {
    const prefixItems = Array.from({ length: 12 }, (_, index) => named(`at ${String(index)}`));
    const schema: JSONSchema = { allOf: [{ title: 'list' }, { prefixItems }], title: 'whole' };
    const labels = [...rootOf(schema).children()].map(([label]) => label);
    expect(labels).toEqual(['[]', ...prefixItems.map((_, index) => `[${String(index)}]`)]);
    for (const index of [0, 1, 9, 10, 11]) expect(at(schema, String(index))).toEqual([`at ${String(index)}`]);
    expect(at({ ...schema, properties: { a1: named('by name') } }, 'a1')).toEqual(['by name']);
  });

  it('is not open by what was added alone', () => {
    const record: JSONSchema = { properties: { a: { type: 'object', properties: {} } } };
    const shape = new RecordShape(record).add({ hidden: ['a.b.pin', 'c'] });
    const caller = { params: { provider: 'rest' } };
    expect(shape.root.step('a')?.step('b')?.open).toBe(false);
    expect(shape.refused({ a: { b: { other: 1 } } }, 'create', caller)).toHaveLength(1);
  });

  it('some, elements and parts alone', () => {
    const root = rootOf({ properties: { a: { items: { items: { title: 'cell', hidden: true } } } } });
    expect(root.some(({ marks }) => marks.hidden)).toBe(true);
    expect(root.some(({ marks }) => marks.writeOnly)).toBe(false);
    const list = root.step('a');
    expect([...(list?.elements() ?? [])].map(titles)).toEqual([[], ['cell']]);
    expect([...root.elements()]).toEqual([]);
    expect(root.element()).toBe(root);
    const part = named('part');
    expect(titles(root.within(part))).toEqual(['part']);
    expect(root.within(part)).toBe(root.within(part));
  });

  it('a record of more than 10,000 places is refused', () => {
    const wide = Type.Object(
      Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`p${String(index)}`, Hidden(Type.String())])),
    );
    expect(() => new RecordShape(wide)).toThrow(
      'The record can not be seen through. The record has more than 10000 locations: its references multiply. Describe it with fewer unions of references',
    );
  });
});
