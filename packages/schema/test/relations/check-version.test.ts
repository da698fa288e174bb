import { keywordObjectId } from '@framework/adapter-docdb';
import { describesItself, framework, type CollectionDescription, type ServiceDescription } from '@framework/core';
import { describe, expect, it } from '@jest/globals';
import {
  createAjv,
  DateSchema,
  Hidden,
  Nullable,
  ObjectIdSchema,
  ReadOnly,
  serviceSchema,
  Type,
  type JSONSchema,
} from '../../src/index.ts';

const text = Type.String();

const collection: CollectionDescription = {
  id: 'id',
  paginate: false,
  multi: false,
  cursors: false,
  operators: [],
  filters: [],
  maxSkip: undefined,
  returning: 'records',
  version: 'v',
};

class Notes {
  readonly version = 'v';

  async find(): Promise<object[]> {
    return [];
  }

  [describesItself](): ServiceDescription {
    return { collection };
  }
}

function registered(version: JSONSchema, service: object = new Notes()): Promise<unknown> {
  const app = framework();
  const record = Type.Object({ id: Type.Integer(), text, v: version as never });
  app.use('teams/:team/notes', service, { schema: serviceSchema({ record, ajv: createAjv().addKeyword(keywordObjectId) }) });
  return app.setup();
}

describe('the version of records', () => {
  it.each([
    ['integer', ReadOnly(Type.Integer())],
    ['number that may be missing', Type.Optional(Type.Number())],
    ['number or nothing', Nullable(Type.Number())],
    ['date', DateSchema()],
    ['text of a date', Type.String({ format: 'date-time' })],
    ['object id', ObjectIdSchema()],
    ['certain text', Type.Literal('1')],
    ['choice of texts', Type.Unsafe<string>({ type: 'string', enum: ['a', 'b'] })],
    ['list of texts', Type.Array(text)],
    ['object', Type.Object({ count: Type.Integer() })],
  ])('is no %s: refused at start', async (_what, version) => {
    await expect(registered(version)).rejects.toThrow(
      "The record of 'teams/:team/notes' describes 'v' as something else than any text, and its service keeps the version of each record there, a text that it makes: describe 'v' as ReadOnly(Type.String()), or give the option 'version' another name",
    );
  });

  it.each([
    ['a text', text],
    ['a text that nobody sets', ReadOnly(Type.String({ minLength: 1, maxLength: 64 }))],
    ['a text that nobody sees', Hidden(text)],
    ['a text or nothing', Nullable(Type.Optional(text))],
    ['a text or a number, of a time before', Type.Union([Type.Integer(), text])],
    ['anything', Type.Any()],
  ])('may be %s', async (_what, version) => {
    await expect(registered(version)).resolves.toBeDefined();
  });

  it('need not be described', async () => {
    const app = framework();
    app.use('notes', new Notes(), { schema: serviceSchema({ record: Type.Object({ id: Type.Integer(), text }) }) });
    await expect(app.setup()).resolves.toBeDefined();
  });

  it('is refused where the service comes late, too', async () => {
    const app = framework();
    await app.setup();
    const schema = serviceSchema({ record: Type.Object({ id: Type.Integer(), v: Type.Integer() }) });
    expect(() => app.use('notes', new Notes(), { schema })).toThrow("describes 'v' as something else than any text");
  });

  it('is what it likes in a service that does not describe it', async () => {
    class Counted extends Notes {
      override [describesItself](): ServiceDescription {
        return { collection: { ...collection, version: undefined } };
      }
    }
    await expect(registered(Type.Integer(), new Counted())).resolves.toBeDefined();
  });
});
