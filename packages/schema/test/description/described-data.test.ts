import { Random, Variety } from '@framework-internal/testing';
import { describe, expect, it } from '@jest/globals';
import { createAjv, type JSONSchema } from '../../src/index.ts';
import { RecordChecks } from '../../src/record-checks.ts';
import { someRecord, someRecordValue } from '../record-shape/some-record.ts';
import { described } from './harness.ts';

const text = { type: 'string' };
const METHODS = ['create', 'update', 'patch'] as const;

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

describe('described data', () => {
  it('are those that are taken', async () => {
    const seed = Number(process.env.DATA_SEED ?? Date.now());
    const random = new Random(seed);
    const variety = new Variety();
    for (let round = 0; round < Number(process.env.DATA_RUNS ?? 100); round++) {
      const record = someRecord(random);
      const checks = new RecordChecks({ record, extensions: {} });
      const { definitions, ...description } = checks.describe({ params: {} }, () => true);
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
