import { MemoryService } from '@framework/adapter-memory';
import { describesItself, framework } from '@framework/core';
import { serviceSchema, Type } from '@framework/schema';
import { describe, expect, it } from '@jest/globals';
import { openapiDocument } from '../src/index.ts';
import type { OperationObject, ParameterObject } from '../src/document/types.ts';

const text = Type.Object({ id: Type.Integer(), text: Type.String() });

/** Notes with a method of their own, whose author describes queries too. */
class Notes extends MemoryService {
  async count(): Promise<object> {
    return {};
  }
  async list(): Promise<object> {
    return {};
  }
}

async function operationsOf(version: '3.1' | '3.2'): Promise<readonly OperationObject[]> {
  const app = framework();
  app.use('notes', new Notes({ paginate: { default: 10 } }), {
    methods: ['find', 'get', 'create', 'patch', 'count', 'list'],
    schema: serviceSchema({ record: text }),
    docs: {
      operations: {
        find: { query: { text: { type: 'string', description: 'Of the author.' }, near: { type: 'string' }, $limit: { const: 5 } } },
        get: { query: { text: { type: 'string' } } },
        create: { query: { $select: { type: 'string' }, draft: { type: 'boolean' } } },
        count: { query: { by: { type: 'string' } } },
        list: { query: { by: { type: 'integer' } } },
      },
    },
  });
  class Plain {
    async find(): Promise<object> {
      return {};
    }
    [describesItself](): object {
      return { methods: { find: { query: { text: { type: 'string' }, $top: { type: 'integer' } } } } };
    }
  }
  app.use('plain', new Plain(), { docs: { operations: { find: { query: { text: { type: 'integer' } } } } } });
  app.use('a/:x/b/:text', new Plain());
  const { paths } = await openapiDocument(app, { version, onWarning: () => undefined });
  return Object.values(paths).flatMap((item) => Object.values(item) as OperationObject[]);
}

const parametersOf = ({ parameters = [] }: OperationObject): readonly ParameterObject[] =>
  parameters.filter((parameter): parameter is ParameterObject => 'in' in parameter);
const find = (operations: readonly OperationObject[], id: string): OperationObject =>
  operations.find(({ operationId }) => operationId === id) as OperationObject;

describe.each(['3.1', '3.2'] as const)('parameters in OpenAPI %s', (version) => {
  it('are told once each', async () => {
    const all = (await operationsOf(version)).map((one) => parametersOf(one).map(({ name, in: place }) => `${place} ${name}`));
    expect(all.filter((names) => new Set(names).size !== names.length)).toEqual([]);
  });

  it('are not both the whole query and parts of it', async () => {
    const all = (await operationsOf(version)).map((one) => parametersOf(one).map(({ in: place }) => place));
    expect(all.filter((places) => places.includes('querystring') && places.includes('query'))).toEqual([]);
  });

  it('have the whole query once', async () => {
    const all = (await operationsOf(version)).map((one) => parametersOf(one).filter(({ in: place }) => place === 'querystring'));
    expect(all.filter(({ length }) => length > 1)).toEqual([]);
  });
});

describe('what an author says of the query', () => {
  it('counts more than what is known, in OpenAPI 3.1', async () => {
    const parameters = parametersOf(find(await operationsOf('3.1'), 'findNotes'));
    expect(parameters.find(({ name }) => name === 'text')).toEqual({
      name: 'text',
      in: 'query',
      schema: { type: 'string', description: 'Of the author.' },
    });
  });

  it('counts more than what is known, in OpenAPI 3.2', async () => {
    const parameters = parametersOf(find(await operationsOf('3.2'), 'findNotes'));
    expect(parameters.find(({ in: place }) => place === 'querystring')?.content).toMatchObject({
      'application/x-www-form-urlencoded': {
        schema: { properties: { text: { type: 'string', description: 'Of the author.' }, near: { type: 'string' }, $limit: { const: 5 } } },
      },
    });
  });

  it('of several methods of one path stands side by side, in OpenAPI 3.2', async () => {
    const parameters = parametersOf(find(await operationsOf('3.2'), 'createNotes'));
    expect(parameters.find(({ in: place }) => place === 'querystring')?.content).toMatchObject({
      'application/x-www-form-urlencoded': {
        schema: {
          anyOf: [
            { properties: { draft: { type: 'boolean' } } },
            { properties: { by: { type: 'string' } } },
            { properties: { by: { type: 'integer' } } },
          ],
        },
      },
    });
  });
});

describe('operators of a property, in OpenAPI 3.1', () => {
  const Part = Type.Object({ size: Type.Integer() });
  const record = Type.Object({
    id: Type.Integer(),
    tags: Type.Array(Type.String()),
    meta: Part,
    parts: Type.Array(Part),
    either: Type.Union([Part, Type.String(), Type.Null()]),
    anything: Type.Unknown(),
  });
  async function parameters(): Promise<ReadonlyMap<string, ParameterObject>> {
    const app = framework();
    app.use('things', new MemoryService(), { methods: ['find'], schema: serviceSchema({ record }) });
    const { paths } = await openapiDocument(app, { onWarning: () => undefined });
    const all = parametersOf(paths['/things']?.get as OperationObject);
    return new Map(all.map((parameter) => [parameter.name, parameter]));
  }

  it('are told for values that are one text in an address, and for no objects and lists, which have no form there', async () => {
    const all = await parameters();
    const listing = [...all.keys()].filter((name) => name.endsWith('[$in]') || name.endsWith('[$nin]'));
    const single = ['id', 'tags', 'meta.size', 'parts.size', 'either', 'either.size', 'anything'];
    expect(listing.sort()).toEqual(single.flatMap((name) => [`${name}[$in]`, `${name}[$nin]`]).sort());
    expect(all.get('tags[$in]')?.schema).toEqual({ type: 'array', items: { type: 'string' } });
    expect(all.get('either[$in]')?.schema).toEqual({ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } });
    expect(all.get('anything[$in]')?.schema).toEqual({ type: 'array', items: {} });
  });

  it('leave properties of objects and lists the value as a whole', async () => {
    const all = await parameters();
    const operators = (name: string): unknown => JSON.stringify(all.get(name)?.schema).includes('$gt');
    expect(['meta', 'parts', 'tags', 'either', 'id'].map((name) => [name, all.has(name), operators(name)])).toEqual([
      ['meta', true, false],
      ['parts', true, false],
      ['tags', true, true],
      ['either', true, true],
      ['id', true, true],
    ]);
  });
});
