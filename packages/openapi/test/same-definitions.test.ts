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
    ['equal ones', { A: { type: 'string' }, A2: { type: 'number' }, A3: { type: 'string' } }, { A: 'A', A2: 'A2', A3: 'A' }],
    ['equal ones that lead to equal ones', { A: to('B'), B: true, A2: to('B2'), B2: true }, { A: 'A', B: 'B', A2: 'A', B2: 'B' }],
    ['ones that lead to others', { A: to('B'), B: true, A2: to('B2'), B2: false }, { A: 'A', B: 'B', A2: 'A2', B2: 'B2' }],
    ['ones that lead to others by name', { A: to('B'), B: true, A2: to('C'), C: true }, { A: 'A', B: 'B', A2: 'A2', C: 'C' }],
    [
      'equal ones that have names of their own',
      { A: true, B: true, A1: true, A02: true, A2: true, A22: true, C3: true, C32: true, C34: true, C4: true },
      { A: 'A', B: 'B', A1: 'A1', A02: 'A02', A2: 'A', A22: 'A', C3: 'C3', C32: 'C3', C34: 'C3', C4: 'C4' },
    ],
    [
      'ones in themselves',
      { A: object({ a: to('A') }), A2: object({ a: to('A3') }), A3: object({ a: to('A2') }) },
      { A: 'A', A2: 'A', A3: 'A' },
    ],
    [
      'circles of which one has more in it',
      { A: object({ a: to('B') }), B: object({ a: to('A') }), A2: object({ a: to('B2') }), B2: object({ a: to('A2'), b: true }) },
      { A: 'A', B: 'B', A2: 'A2', B2: 'B2' },
    ],
    [
      'references to services, and to nothing',
      { A: { $ref: 'service:a' }, A2: { $ref: 'service:b' }, A3: to('X'), A4: to('Y') },
      { A: 'A', A2: 'A2', A3: 'A3', A4: 'A4' },
    ],
    [
      'a property called $ref, and __proto__',
      { A: object({ $ref: true }), A2: object(JSON.parse('{"__proto__":true}')) },
      { A: 'A', A2: 'A2' },
    ],
  ])('are told apart: %s', (_title, definitions, expected) => {
    expect(Object.fromEntries(sameDefinitions(definitions))).toEqual(expected);
    expect(sameDefinitions(definitions)).toBe(sameDefinitions(definitions));
  });
});

describe('a schema that others refer to from several places', () => {
  const namesOf = async (record: object, asked = /^(?:Address|Node)\d*$/): Promise<string[]> => {
    const app = framework();
    app.use('rows', new MemoryService({ multi: true }), { schema: serviceSchema({ record: record as never }) });
    const { components } = await openapiDocument(app, { onWarning: () => undefined });
    return Object.keys(components?.schemas ?? {}).filter((name) => asked.test(name));
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

  it('keeps the name that its author gave it beside others that describe the same', async () => {
    const properties = { id, email: { $ref: '#/$defs/Email' }, name: { $ref: '#/$defs/Name' }, other: { $ref: '#/$defs/Name' } };
    const $defs = { Email: { type: 'string' }, Name: { type: 'string' } };
    expect(await namesOf({ type: 'object', properties, $defs }, /^(?:Email|Name)\d*$/)).toEqual(['Email', 'Name']);
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
