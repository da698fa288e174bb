import { describe, expect, it } from '@jest/globals';
import { getValidator, querySyntax, RecordShape, serviceSchema, Type, type JSONSchema } from '../../src/index.ts';
import { RecordChecks } from '../../src/record-checks.ts';

const object = (properties: Record<string, JSONSchema>): JSONSchema => ({ type: 'object', properties, additionalProperties: false });
const number: JSONSchema = { type: 'number' };

describe('properties whose names have dots', () => {
  it.each<[string, JSONSchema, string]>([
    [
      'at the top',
      object({ 'a.b': number }),
      "The record has a property 'a.b', which can not be told from the path to 'b' in 'a': describe an object 'a', or give it a name without a dot",
    ],
    ['beside the same path', object({ 'a.b': number, a: object({ b: { ...number, hidden: true } }) }), "The record has a property 'a.b'"],
    [
      'with several dots',
      object({ 'a.b.c': number }),
      "The record has a property 'a.b.c', which can not be told from the path to 'b.c' in 'a'",
    ],
    ['with nothing but a dot', object({ '.': number }), "The record has a property '.'"],
    ['in an object', object({ x: object({ 'a.b': number }) }), "'x' of the record has a property 'a.b'"],
    ['in a list', object({ x: { type: 'array', items: object({ 'a.b': number }) } }), "'x[]' of the record has a property 'a.b'"],
    ['in a union', object({ x: { anyOf: [number, object({ 'a.b': number })] } }), "'x' of the record has a property 'a.b'"],
    [
      'behind a reference',
      { ...object({ x: { $ref: '#/$defs/a' } }), $defs: { a: object({ 'a.b': number }) } },
      "'x' of the record has a property 'a.b'",
    ],
  ])('are refused at start: %s', (_name, record, message) => {
    expect(() => serviceSchema({ record })).toThrow(message);
  });

  it('may match a pattern, and stand in definitions that nothing refers to', () => {
    const record: JSONSchema = { ...object({}), patternProperties: { '^x\\.': number }, $defs: { unused: object({ 'a.b': number }) } };
    expect(serviceSchema({ record }).shape.root.names).toEqual([]);
  });

  it('declare paths in schemas of data and of queries', async () => {
    const record = Type.Object({ a: Type.Object({ b: Type.Number(), c: Type.Number() }) });
    const checks = new RecordChecks({ record, data: record, patch: object({ 'a.b': number }), extensions: {} });
    expect(await checks.validate({ 'a.b': '1' }, 'patch', { provider: 'rest' })).toEqual({ 'a.b': 1 });
    const verdictOf = (data: object): Promise<unknown> => checks.validate(data, 'patch', { provider: 'rest' });
    await expect(verdictOf({ 'a.b': 'x' })).rejects.toMatchObject({ errors: [{ path: 'a.b', keyword: 'type' }] });
    await expect(verdictOf({ 'a.c': 1 })).rejects.toMatchObject({
      errors: [
        {
          path: 'a.c',
          keyword: 'additionalProperties',
          message: 'a.c can not be set: a name with dots has to be declared by the data schema',
        },
      ],
    });
    await expect(verdictOf({ a: { b: 1 } })).rejects.toMatchObject({ errors: [{ path: 'a', keyword: 'additionalProperties' }] });
    const query = getValidator({ ...object({ ...querySyntax({ 'a.b': number, c: number }) }) });
    expect(await query({ 'a.b': '1', c: { $gt: '2' }, $select: ['a.b'] })).toEqual({ 'a.b': 1, c: { $gt: 2 }, $select: ['a.b'] });
    expect(query.declaredPaths).toEqual(['a.b']);
  });

  it('S10 declare no path that the record hides or has read-only', () => {
    const record = object({ a: object({ pin: { ...number, hidden: true }, level: { ...number, readOnly: true } }) });
    for (const name of ['a.pin', 'a.level'])
      expect(() => new RecordChecks({ record, data: object({}), patch: object({ [name]: number }), extensions: {} })).toThrow(
        `The data takes '${name}', which the record hides or has read-only`,
      );
    const own = new RecordShape({ ...object({ 'a.pin': number, 'b.c': number, a: object({ pin: { ...number, hidden: true } }) }) });
    const refused = (data: object): unknown => own.refused(data, 'patch', { params: {} }).map(({ path, keyword }) => [path, keyword]);
    expect(refused({ 'a.pin': 1, 'b.c': 1 })).toEqual([['a.pin', 'readOnly']]);
    expect(refused({ 'a.other': 1, $set: { 'a.pin': 1 } })).toEqual([
      ['a.other', 'additionalProperties'],
      ['$set.a.pin', 'additionalProperties'],
    ]);
  });

  it('S3 declare no path in a query that the record hides, and none twice', async () => {
    const hides = object({ 'a.b': number, 'a.c': number, a: object({ b: { ...number, hidden: true }, c: number }) });
    const query = getValidator(querySyntax(hides));
    expect(query.declaredPaths).toEqual(['a.c']);
    expect(await query({ 'a.c': '1', $select: ['a.c'] })).toEqual({ 'a.c': 1, $select: ['a.c'] });
    await expect(query({ 'a.b': 1 })).rejects.toMatchObject({ errors: [{ path: 'a.b', keyword: 'additionalProperties' }] });
    expect(getValidator(querySyntax(hides, {}, { hidden: true })).declaredPaths).toEqual(['a.b', 'a.c']);
  });
});
