import { framework, keepsPaths } from '@framework/core';
import { Random, Variety } from '@framework-internal/testing';
import { describe, expect, it } from '@jest/globals';
import { createAjv, Field, serviceSchema, Type, type JSONSchema } from '../../src/index.ts';
import { RecordChecks } from '../../src/record-checks.ts';
import { someRecord, someRecordValue } from '../record-shape/some-record.ts';
import { ADMIN, admin, described } from './harness.ts';

const text = { type: 'string' };
/** Gives back what it gets. */
class Keeping {
  readonly [keepsPaths] = true;

  async create(data: object): Promise<object> {
    return data;
  }

  async update(_id: number, data: object): Promise<object> {
    return data;
  }

  async patch(_id: number, data: object): Promise<object> {
    return data;
  }
}

const METHODS = ['create', 'update', 'patch'] as const;

describe('data of what a rule keeps from some callers', () => {
  const ruled = Type.Object({
    id: Type.Integer(),
    text: Type.String(),
    level: Field(Type.Integer(), { writable: admin as never }),
    inside: Type.Object({ open: Type.String(), level: Field(Type.Integer(), { writable: admin as never }) }),
  });
  const nobody = { params: { provider: 'rest' } };
  const anAdmin = { params: { provider: 'rest', ...(ADMIN as { params: object }).params } };
  const required = (schema: unknown): unknown => {
    const { required: names, properties } = schema as { required?: readonly string[]; properties: { inside: { required?: unknown } } };
    return [names ?? [], properties.inside.required];
  };

  it('ask nobody for it who can not set it, where the service keeps what is stored', async () => {
    const [all, inside] = [
      ['text', 'level', 'inside'],
      ['open', 'level'],
    ];
    const forNobody = described(ruled, { viewer: nobody });
    expect([required(forNobody.update), required(forNobody.patch)]).toEqual([
      [['text', 'inside'], ['open']],
      [[], ['open']],
    ]);
    const forAdmin = described(ruled, { viewer: anAdmin });
    expect([required(forAdmin.update), required(forAdmin.patch)]).toEqual([
      [all, inside],
      [[], inside],
    ]);
    expect([required(forNobody.create), required(described(ruled, { viewer: nobody, keeps: false }).update)]).toEqual([
      [all, inside],
      [all, inside],
    ]);
  });

  it('are taken and refused as they are described', async () => {
    const checks = new RecordChecks({ record: ruled, extensions: {} });
    const taken = async (method: 'create' | 'update' | 'patch', viewer: { readonly params: object }, keeps: boolean): Promise<boolean> =>
      checks.validate({ text: 'a', inside: { open: 'b' } }, method, viewer.params, undefined, keeps).then(
        () => true,
        () => false,
      );
    expect([await taken('update', nobody, true), await taken('patch', nobody, true)]).toEqual([true, true]);
    expect([await taken('update', anAdmin, true), await taken('patch', anAdmin, true)]).toEqual([false, false]);
    expect([await taken('create', nobody, true), await taken('update', nobody, false)]).toEqual([false, false]);
  });
});

describe('data with conditions', () => {
  const properties = { kind: text, reason: text, approved: { ...text, readOnly: true } };

  it('have conditions that are not about what they have not', () => {
    const denied = { properties: { kind: { const: 'x' } }, required: ['kind'] };
    expect(described({ type: 'object', properties: { kind: text }, not: denied })).toMatchObject({
      create: { not: denied },
      record: { not: denied },
    });
    const condition = { required: ['approved'] };
    const { record, create, patch } = described({ type: 'object', properties, if: condition, then: { required: ['reason'] } });
    expect(record).toMatchObject({ if: condition, then: { required: ['reason'] } });
    for (const data of [create, patch]) expect(data).not.toHaveProperty('if');
    const { [0]: untold } = (create as { allOf: readonly unknown[] }).allOf;
    expect(untold).toEqual({ anyOf: [{ required: ['reason'] }, {}] });
  });

  it('ask a change for nothing', () => {
    const needing = {
      type: 'object',
      properties,
      dependentSchemas: { kind: { required: ['reason'] } },
      dependentRequired: { reason: ['kind'] },
    };
    const { create, patch } = described(needing);
    expect(create).toMatchObject({ dependentSchemas: { kind: { required: ['reason'] } }, dependentRequired: { reason: ['kind'] } });
    expect(patch).toMatchObject({ dependentSchemas: { kind: {} } });
    expect(JSON.stringify(patch)).not.toContain('equired"');
    const either = described({ type: 'object', properties, oneOf: [{ required: ['kind'] }, { required: ['reason'] }] });
    expect(either.create).toHaveProperty('oneOf');
    expect(either.patch).not.toHaveProperty('oneOf');
  });

  it('name what a condition alone describes', () => {
    const { create } = described({
      type: 'object',
      properties: { kind: text },
      if: { required: ['kind'] },
      then: { properties: { digits: text } },
    });
    expect(create).toMatchObject({
      properties: { kind: text, digits: {} },
      additionalProperties: false,
      then: { properties: { digits: text } },
    });
  });
});

describe('data that several schemas describe', () => {
  const integer = { type: 'integer' };
  const object = (properties: object, required = Object.keys(properties)): object => ({ type: 'object', properties, required });
  const point = object({ x: integer });
  const size = object({ y: integer });
  const tree = { type: 'object', properties: { name: text, kids: { type: 'array', items: { $ref: '#/$defs/tree' } } } };
  const held = { type: 'object', properties: { city: text, since: { ...integer, readOnly: true } } };

  it.each<[string, object, unknown, unknown]>([
    ['an intersection', { allOf: [point, size] }, { x: 1, y: 2 }, { x: 1, y: 2, z: 3 }],
    ['a union', { anyOf: [point, size] }, { y: 2 }, { y: 2, z: 3 }],
    ['one of several', { oneOf: [point, size] }, { y: 2 }, { y: 2, z: 3 }],
    ['what may be nothing', { anyOf: [point, { type: 'null' }] }, null, { x: 1, z: 3 }],
    ['a reference', { $ref: '#/$defs/tree' }, { kids: [{ name: 'a' }] }, { kids: [{ z: 3 }] }],
    ['a reference that may be nothing', { anyOf: [{ $ref: '#/$defs/tree' }, { type: 'null' }] }, { name: 'a' }, { name: 'a', z: 3 }],
    ['elements', { type: 'array', items: { anyOf: [point, size] } }, [{ x: 1 }, { y: 2 }], [{ x: 1, z: 3 }]],
  ])('have nothing that none of them describes, as the server takes it: %s', async (_what, schema, fits, unknown) => {
    expect(await taken(schema, fits)).toEqual({ server: [true, true, true], document: [true, true, true] });
    expect(await taken(schema, unknown)).toEqual({ server: [false, false, false], document: [false, false, false] });
  });

  it.each<[string, object, unknown, boolean]>([
    ['an object', held, { city: 'Rome' }, true],
    ['nothing', { anyOf: [held, { type: 'null' }] }, null, false],
    ['a text', { anyOf: [held, text] }, 'Rome', false],
    ['an object in place of a union', { anyOf: [held, text] }, { city: 'Rome' }, true],
    ['names of any kind', { type: 'object', additionalProperties: held }, { a: { city: 'Rome' } }, false],
    ['a list', { type: 'array', items: held }, [{ city: 'Rome' }], false],
  ])('have in place of what is kept what can take its place: %s', async (_what, schema, data, isTaken) => {
    expect(await taken(schema, data)).toEqual({ server: [true, isTaken, isTaken], document: [true, isTaken, isTaken] });
  });

  it('have the whole list in an update of a service that keeps nothing', () => {
    const record = { type: 'object', properties: { list: { type: 'array', items: held } }, required: ['list'] };
    const { create, update, patch } = described(record, { keeps: false });
    expect(update).toEqual(create);
    expect(update).toMatchObject({ properties: { list: { type: 'array' } }, required: ['list'] });
    expect(patch).toEqual({ type: 'object', properties: {}, additionalProperties: false });
  });

  /** Whether each of the methods takes a property, by a service that keeps what callers can not send, and by what is said of its data. */
  async function taken(schema: object, value: unknown): Promise<{ server: boolean[]; document: boolean[] }> {
    const record = { type: 'object', properties: { value: schema }, $defs: { tree } } as JSONSchema;
    const { definitions, ...description } = described(record);
    const app = framework();
    app.use('things', new Keeping(), { schema: serviceSchema({ record }) });
    const things = app.service('things');
    const [data, params] = [{ value }, { provider: 'rest' }];
    const calls = [things.create(data, params), things.update(1, data, params), things.patch(1, data, params)];
    const ajv = createAjv({}, '2020-12');
    return {
      server: (await Promise.allSettled(calls)).map(({ status }) => status === 'fulfilled'),
      document: METHODS.map((method) => ajv.compile({ ...(description[method] as JSONSchema), $defs: definitions })(data)),
    };
  }
});

describe('described data', () => {
  it('are those that are taken', async () => {
    const seed = Number(process.env.DATA_SEED ?? 20_261_130);
    const random = new Random(seed);
    const variety = new Variety();
    for (let round = 0; round < Number(process.env.DATA_RUNS ?? 40); round++) {
      const record = someRecord(random);
      const checks = new RecordChecks({ record, extensions: {} });
      const { definitions, ...description } = checks.describe({ params: {} }, () => true, true);
      const ajv = createAjv({}, '2020-12');
      for (const method of METHODS) {
        const takes = ajv.compile({ ...(description[method] as JSONSchema), $defs: definitions });
        for (let turn = 0; turn < 10; turn++) {
          const { server: _server, ...data } = someRecordValue(random);
          const seen = `seed ${String(seed)}: ${method} ${JSON.stringify([data, record, description[method]])}`;
          const taken = await checks.validate(data, method, { provider: 'rest' }).then(
            () => true,
            () => false,
          );
          expect([seen, takes(data)]).toEqual([seen, taken]);
          variety.tried(seen);
          variety.took(`${method} ${String(taken)}`);
        }
      }
    }
    console.log(variety.report('Described data', seed));
    variety.expect(400, Object.fromEntries(METHODS.flatMap((method) => [true, false].map((taken) => [`${method} ${String(taken)}`, 20]))));
  });
});
