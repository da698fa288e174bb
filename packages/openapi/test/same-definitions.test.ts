import { MemoryService } from '@framework/adapter-memory';
import { framework, type DescribedSchema } from '@framework/core';
import { Hidden, serviceSchema, Type } from '@framework/schema';
import { describe, expect, it } from '@jest/globals';
import { sameDefinitions } from '../src/document/same-definitions.ts';
import { openapiDocument } from '../src/index.ts';

const to = (name: string): DescribedSchema => ({ $ref: `#/$defs/${name}` });
const object = (properties: Record<string, DescribedSchema>): DescribedSchema => ({ type: 'object', properties });

describe('definitions of a description', () => {
  it.each<[string, Record<string, DescribedSchema>, Record<string, string>]>([
    ['none', {}, {}],
    ['one', { A: { type: 'string' } }, { A: 'A' }],
    ['equal ones', { A: { type: 'string' }, B: { type: 'number' }, C: { type: 'string' } }, { A: 'A', B: 'B', C: 'A' }],
    ['equal ones that lead to equal ones', { A: to('B'), B: true, C: to('D'), D: true }, { A: 'A', B: 'B', C: 'A', D: 'B' }],
    ['ones that lead to others', { A: to('B'), B: true, C: to('D'), D: false }, { A: 'A', B: 'B', C: 'C', D: 'D' }],
    ['ones in themselves', { A: object({ a: to('A') }), B: object({ a: to('C') }), C: object({ a: to('B') }) }, { A: 'A', B: 'A', C: 'A' }],
    [
      'circles of which one has more in it',
      { A: object({ a: to('B') }), B: object({ a: to('A') }), C: object({ a: to('D') }), D: object({ a: to('C'), b: true }) },
      { A: 'A', B: 'A', C: 'C', D: 'D' },
    ],
    [
      'references to services, and to nothing',
      { A: { $ref: 'service:a' }, B: { $ref: 'service:b' }, C: to('X'), D: to('Y') },
      { A: 'A', B: 'B', C: 'C', D: 'D' },
    ],
    [
      'a property called $ref, and __proto__',
      { A: object({ $ref: true }), B: object(JSON.parse('{"__proto__":true}')) },
      { A: 'A', B: 'B' },
    ],
  ])('are told apart: %s', (_title, definitions, expected) => {
    expect(Object.fromEntries(sameDefinitions(definitions))).toEqual(expected);
    expect(sameDefinitions(definitions)).toBe(sameDefinitions(definitions));
  });
});

describe('a schema that others refer to from several places', () => {
  const namesOf = async (record: object): Promise<string[]> => {
    const app = framework();
    app.use('rows', new MemoryService({ multi: true }), { schema: serviceSchema({ record: record as never }) });
    const { components } = await openapiDocument(app, { onWarning: () => undefined });
    return Object.keys(components?.schemas ?? {}).filter((name) => /^(?:Address|Node)\d*$/.test(name));
  };
  const id = { type: 'integer' };
  const address = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

  it('is one component where it is sent, and one where nothing else may be sent with it', async () => {
    const places = {
      home: { $ref: '#/$defs/Address' },
      work: { $ref: '#/$defs/Address' },
      all: { type: 'array', items: { $ref: '#/$defs/Address' } },
    };
    expect(await namesOf({ type: 'object', properties: { id, ...places }, $defs: { Address: address } })).toHaveLength(2);
    const closed = { ...address, additionalProperties: false };
    expect(await namesOf({ type: 'object', properties: { id, ...places }, $defs: { Address: closed } })).toEqual(['Address']);
  });

  it('is several where callers see more of it, or set more of it, in one place than in another', async () => {
    const Address = { ...address, properties: { ...address.properties, code: { type: 'string' } }, additionalProperties: false };
    const kept = { allOf: [{ $ref: '#/$defs/Address' }, { properties: { code: Hidden(Type.String()) } }] };
    expect(await namesOf({ type: 'object', properties: { id, a: { $ref: '#/$defs/Address' }, b: kept }, $defs: { Address } })).toHaveLength(
      2,
    );
  });

  it('is as many in a record that contains itself as there are ways to send and to set it', async () => {
    const Node = Type.Recursive(
      (Node) =>
        Type.Object({
          id: Type.Integer(),
          name: Type.String(),
          parts: Type.Array(Node),
          up: Type.Optional(Node),
          down: Type.Optional(Node),
        }),
      { $id: 'Node' },
    );
    // The record; it inside of itself; data; an update, and a patch, which keep the ids inside.
    expect(await namesOf(Node)).toHaveLength(5);
  });
});
