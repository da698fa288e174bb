import { Random, Variety } from '@framework-internal/testing';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { getValidator, type JSONSchema } from '../../src/index.ts';
import { RecordChecks } from '../../src/record-checks.ts';
import { someRecord, someRecordValue } from './some-record.ts';

const params = { provider: 'rest' };
const checksOf = (record: unknown): RecordChecks => new RecordChecks({ record, extensions: {} });
const keywords = async (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) =>
    (error as { errors: { path: string; keyword: string }[] }).errors.map(({ path, keyword }) => [path, keyword]),
  );

const text: JSONSchema = { type: 'string' };
const count: JSONSchema = { type: 'integer' };

describe('a record whose alternatives exclude each other', () => {
  it('is changed in what they have in common, and in what one of them has', async () => {
    const common = { id: z.string(), note: z.string() };
    const payment = z.discriminatedUnion('kind', [
      z.object({ ...common, kind: z.literal('card'), digits: z.number() }),
      z.object({ ...common, kind: z.literal('bill'), days: z.number() }),
    ]);
    const checks = checksOf(payment);
    for (const change of [{ note: 'x' }, { digits: 5 }, { kind: 'bill' }, { kind: 'bill', days: 5 }])
      expect(await checks.validate(change, 'patch', params)).toEqual(change);
    expect(await keywords(checks.validate({ kind: 'cash' }, 'patch', params))).toEqual([
      ['kind', 'const'],
      ['kind', 'const'],
    ]);
    expect(await keywords(checks.validate({ note: 'x', kind: 'card', days: 5 }, 'create', params))).toContainEqual(['digits', 'required']);
  });

  it('is created where what tells them apart is set by the server alone, and else by one of them', async () => {
    const record = (more: object): JSONSchema => ({
      type: 'object',
      properties: { state: { ...text, ...more }, note: text },
      oneOf: [{ properties: { state: { const: 'open' } } }, { properties: { state: { const: 'closed' } }, required: ['note'] }],
    });
    expect(await checksOf(record({ readOnly: true })).validate({ note: 'x' }, 'create', params)).toEqual({ note: 'x' });
    expect(await keywords(checksOf(record({})).validate({ note: 'x' }, 'create', params))).toEqual([['', 'oneOf']]);
  });
});

describe('a condition', () => {
  const record: JSONSchema = {
    type: 'object',
    properties: { name: text, approved: { ...text, readOnly: true }, reason: text, limit: count },
    required: ['name'],
    if: { required: ['approved'] },
    then: { required: ['reason'] },
  };

  it('on what only the server sets asks for nothing', async () => {
    const checks = checksOf(record);
    expect(await checks.validate({ name: 'x' }, 'create', params)).toEqual({ name: 'x' });
    expect(await checks.validate({ reason: 'x' }, 'patch', params)).toEqual({ reason: 'x' });
    const denied = checksOf({ ...record, if: {}, not: { properties: { approved: { const: 'x' } } } });
    expect(await keywords(denied.validate({ name: 'x' }, 'create', params))).toEqual([['reason', 'required']]);
    expect(await denied.validate({ name: 'x', reason: 'y' }, 'create', params)).toEqual({ name: 'x', reason: 'y' });
  });

  it('holds in a change that has all that it asks about', async () => {
    const limited = checksOf({
      type: 'object',
      properties: { kind: text, limit: count },
      if: { properties: { kind: { const: 'small' } } },
      then: { properties: { limit: { maximum: 10 } } },
      else: { properties: { limit: { minimum: 100 } } },
      not: { properties: { kind: { const: 'none' } }, required: ['kind'] },
    });
    for (const change of [{ limit: 5 }, { limit: 500 }, { kind: 'small' }, { kind: 'small', limit: 5 }, { kind: 'large', limit: 500 }])
      expect(await limited.validate(change, 'patch', params)).toEqual(change);
    expect(await keywords(limited.validate({ limit: 50 }, 'patch', params))).toEqual([
      ['limit', 'maximum'],
      ['limit', 'minimum'],
    ]);
    expect(await keywords(limited.validate({ kind: 'small', limit: 50 }, 'patch', params))).toEqual([['limit', 'maximum']]);
    expect(await keywords(limited.validate({ kind: 'none' }, 'patch', params))).toEqual([['', 'not']]);
    const counted = checksOf({ ...record, if: { minProperties: 3 }, then: { required: ['limit'] } });
    expect(await counted.validate({ name: 'x', reason: 'y', limit: 1 }, 'patch', params)).toEqual({ name: 'x', reason: 'y', limit: 1 });
  });

  it('stays where references lead through it', async () => {
    const schema: JSONSchema = {
      ...record,
      if: { required: ['limit'] },
      then: { required: ['reason'] },
      properties: { ...record.properties, other: { $ref: '#/if' } },
    };
    const checks = checksOf(schema);
    expect(await keywords(checks.validate({ name: 'x', limit: 1 }, 'create', params))).toEqual([['reason', 'required']]);
    expect(await checks.validate({ limit: 1 }, 'patch', params)).toEqual({ limit: 1 });
  });

  it('may describe properties, which nothing else does', async () => {
    const schema = (then: JSONSchema): JSONSchema => ({
      type: 'object',
      properties: { kind: text },
      if: { properties: { kind: { const: 'card' } } },
      then,
      dependentSchemas: { kind: { properties: { since: count } } },
    });
    const checks = checksOf(schema({ properties: { digits: count } }));
    const card = { kind: 'card', digits: 5, since: 6 };
    for (const provider of ['rest', undefined]) {
      expect(await checks.validate(card, 'create', { provider })).toEqual(card);
      expect(await checks.validate(card, 'patch', { provider })).toEqual(card);
      expect(await keywords(checks.validate({ ...card, digits: 'x' }, 'create', { provider }))).toEqual([['digits', 'type']]);
      expect(await keywords(checks.validate({ ...card, other: 5 }, 'create', { provider }))).toEqual([['other', 'additionalProperties']]);
    }
    const open = checksOf(schema({ patternProperties: { '^x': count } }));
    expect(await open.validate({ kind: 'card', x1: 5 }, 'create', params)).toEqual({ kind: 'card', x1: 5 });
  });
});

describe('a record that is right', () => {
  it('is created without what only the server sets, and changed by any part of it', async () => {
    const seed = Number(process.env.PART_SEED ?? 20_261_130);
    const random = new Random(seed);
    const variety = new Variety();
    for (let round = 0; round < Number(process.env.PARTS ?? 60); round++) {
      const record = someRecord(random);
      const right = getValidator(record);
      const checks = checksOf(record);
      for (let turn = 0; turn < 40; turn++) {
        const whole = someRecordValue(random);
        if (
          !(await right(whole).then(
            () => true,
            () => false,
          ))
        )
          continue;
        const { server: _server, ...sent } = whole;
        const part = Object.fromEntries(Object.entries(sent).filter(() => random.oneIn(2)));
        const seen = `seed ${String(seed)}: ${JSON.stringify([record, whole, part])}`;
        expect([seen, await keywords(checks.validate(sent, 'create', params))]).toEqual([seen, sent]);
        expect([seen, await keywords(checks.validate(part, 'patch', params))]).toEqual([seen, part]);
        variety.tried(seen);
        for (const [, keyword = ''] of JSON.stringify(record).matchAll(/"(\w+)":/g)) variety.took(keyword);
      }
    }
    console.log(variety.report('Parts of records', seed));
    variety.expect(200, { oneOf: 40, anyOf: 40, allOf: 40, not: 40, if: 40, dependentSchemas: 20, dependentRequired: 20 });
  });
});
