import { framework } from '@framework/core';
import { serviceSchema } from '@framework/schema';
import { describe, expect, it } from '@jest/globals';
import { openapiDocument, type OpenApiDocument } from '../src/index.ts';

class Notes {
  async find(): Promise<object[]> {
    return [];
  }
  async create(data: object): Promise<object> {
    return data;
  }
}

const KEYWORDS = [
  'default',
  'enum',
  'const',
  'examples',
  'example',
  'required',
  'dependentRequired',
  'properties',
  '$ref',
  '__proto__',
  'constructor',
];

const documentOf = (app: object): Promise<OpenApiDocument> => openapiDocument(app, { onWarning: () => undefined });

/** References of a document that lead nowhere. */
function dangling(document: OpenApiDocument): string[] {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"(#[^"]*)"/g)].map(([, reference = '']) => reference);
  return references.filter((reference) => {
    let value: unknown = document;
    for (const part of reference.slice(2).split('/'))
      value = Object.hasOwn(Object(value), part) ? Reflect.get(Object(value), part) : undefined;
    return value === undefined;
  });
}

/** A schema with a property of a name, also `__proto__`, that refers to a definition. */
const withProperty = (name: string, more: object = {}): Record<string, unknown> => ({
  type: 'object',
  properties: Object.fromEntries([
    ['id', { type: 'integer' }],
    [name, { $ref: '#/$defs/Place' }],
  ]),
  $defs: { Place: { type: 'object', properties: { city: { type: 'string' } } } },
  ...more,
});

describe('references in the document', () => {
  it.each(KEYWORDS)('of a property called %s in the schema of an author lead to a component', async (name) => {
    const app = framework();
    app.use('notes', new Notes(), { methods: ['create'], docs: { operations: { create: { data: withProperty(name) } } } });
    const document = await documentOf(app);
    const schema: unknown = Reflect.get(
      document.paths['/notes']?.post?.requestBody?.content['application/json']?.schema as object,
      'properties',
    );
    expect(Object.getOwnPropertyDescriptor(schema, name)?.value).toEqual({ $ref: '#/components/schemas/Place' });
  });

  it.each(KEYWORDS)('of a property called %s of records lead somewhere', async (name) => {
    const app = framework();
    const record = withProperty(name, { $id: 'Note' });
    app.use('notes', new Notes(), { methods: ['find', 'create'], schema: serviceSchema({ record }) });
    expect(dangling(await documentOf(app))).toEqual([]);
  });

  it.each(['patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions'])('below %s lead somewhere', async (keyword) => {
    const app = framework();
    const data = { $defs: { Place: { type: 'string' } }, properties: { at: { [keyword]: { default: { $ref: '#/$defs/Place' } } } } };
    app.use('notes', new Notes(), { methods: ['create'], docs: { operations: { create: { data } } } });
    expect(dangling(await documentOf(app))).toEqual([]);
  });

  it.each([
    ['default', { $ref: '#/$defs/Place' }],
    ['const', { $ref: '#/$defs/Place' }],
    ['enum', [{ $ref: '#/$defs/Place' }]],
    ['examples', [{ $ref: '#/$defs/Place' }]],
    ['example', { $ref: '#/$defs/Place' }],
    ['default', { $ref: '#/definitions/Place' }],
    ['const', '#/definitions/Place'],
  ])('are none in the value of %s', async (keyword, value) => {
    const app = framework();
    const data = { $defs: { Place: { type: 'string' } }, properties: { at: { [keyword]: value }, of: { $ref: '#/$defs/Place' } } };
    app.use('notes', new Notes(), { methods: ['create'], docs: { operations: { create: { data } } } });
    const schema = (await documentOf(app)).paths['/notes']?.post?.requestBody?.content['application/json']?.schema;
    expect(schema).toMatchObject({ properties: { at: { [keyword]: value } } });
  });

  it.each(['__proto__', 'constructor', 'toString'])('to a definition called %s lead to it', async (name) => {
    const app = framework();
    const $defs = Object.fromEntries([[name, { type: 'string' }]]);
    const data = { $defs, properties: { at: { $ref: `#/$defs/${name}` }, of: { $ref: '#/$defs/valueOf' } } };
    app.use('notes', new Notes(), { methods: ['create'], docs: { operations: { create: { data } } } });
    expect(dangling(await documentOf(app))).toEqual([]);
  });

  it.each([...KEYWORDS, '$id', '$defs', 'a/b', 'a~b', 'é f', '50%'])('to a definition called %s lead to what it is', async (name) => {
    const app = framework();
    const encoded = encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
    for (const [at, keyword] of ['$defs', 'definitions'].entries()) {
      const data = {
        [keyword]: Object.fromEntries([[name, { type: 'string', description: `the one of ${keyword}` }]]),
        properties: { at: { $ref: `#/${keyword}/${at === 0 ? encoded : encoded.replaceAll('%24', '$')}` } },
      };
      app.use(`notes${String(at)}`, new Notes(), { methods: ['create'], docs: { operations: { create: { data } } } });
    }
    const document = await documentOf(app);
    expect(dangling(document)).toEqual([]);
    const texts = Object.values(document.components.schemas).map((schema) => Object(schema) as { description?: string });
    for (const keyword of ['$defs', 'definitions']) expect(texts.map(({ description }) => description)).toContain(`the one of ${keyword}`);
  });

  it('of queries lead somewhere', async () => {
    const app = framework();
    const city = withProperty('default');
    app.use('notes', new Notes(), { methods: ['find'], docs: { operations: { find: { query: { near: city } } } } });
    expect(dangling(await documentOf(app))).toEqual([]);
  });
});

describe('names that all objects have', () => {
  it.each(['constructor', 'toString', 'hasOwnProperty'])('of a placeholder are described as any: %s', async (name) => {
    const app = framework();
    app.use(`of/:${name}/notes`, new Notes(), { methods: ['find'] });
    const [item] = Object.values((await documentOf(app)).paths);
    expect(JSON.parse(JSON.stringify(item?.get?.parameters))).toEqual([{ name, in: 'path', required: true, schema: { type: 'string' } }]);
  });

  it.each(['constructor', 'toString', '__proto__'])('of a service are described as any: %s', async (name) => {
    const app = framework();
    const record = { $id: name, type: 'object', properties: { id: { type: 'integer' }, [name]: { type: 'string' } } };
    app.use(name, new Notes(), { methods: ['find', 'create'], schema: serviceSchema({ record }) });
    const document = await documentOf(app);
    expect([Object.keys(document.paths), dangling(document)]).toEqual([[`/${name}`], []]);
  });
});
