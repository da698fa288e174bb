import { describe, expect, it } from '@jest/globals';
import { getValidator, Nullable, Type } from '../src/index.ts';
import { RecordChecks } from '../src/record-checks.ts';

describe('a value that may be null', () => {
  const record = Type.Object({
    kind: Nullable(Type.String({ default: 'town' })),
    size: Nullable(Type.Integer({ default: 0 })),
    mayor: Type.Optional(Nullable(Type.String())),
  });

  it('has the default of its schema', async () => {
    const validate = getValidator(record);
    expect(await validate({})).toEqual({ kind: 'town', size: 0 });
    expect(await validate({ kind: null, size: '5', mayor: null })).toEqual({ kind: null, size: 5, mayor: null });
    await expect(validate({ kind: 5 })).rejects.toMatchObject({ code: 400 });
    expect(Nullable(Type.String())).not.toHaveProperty('default');
  });

  it('gets none in a change', async () => {
    const checks = new RecordChecks({ record, extensions: {} });
    expect(await checks.validate({ mayor: 'Ann' }, 'patch', { provider: 'rest' })).toEqual({ mayor: 'Ann' });
    expect(await checks.validate({ mayor: 'Ann' }, 'create', { provider: 'rest' })).toEqual({ mayor: 'Ann', kind: 'town', size: 0 });
  });
});
