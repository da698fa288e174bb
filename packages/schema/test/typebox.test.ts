import { describe, expect, it } from '@jest/globals';
import { Default, getValidator, Hidden, Nullable, Type, type TSchema } from '../src/index.ts';
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

describe('a default', () => {
  const record = Type.Object({
    id: Type.Integer(),
    title: Type.String(),
    public: Default(Type.Boolean(), false),
    note: Default(Nullable(Type.String()), null),
    stops: Default(Type.Array(Type.Object({ at: Type.String(), minutes: Default(Type.Integer(), 5) })), []),
    seen: Hidden(Default(Type.Integer(), 0)),
  });

  it.each(['create', 'update'] as const)('is filled in by %s where it is left out', async (operation) => {
    const checks = new RecordChecks({ record, extensions: {} });
    const given = { title: 'a', stops: [{ at: 'Pisa' }] };
    const filled = { title: 'a', public: false, note: null, seen: 0, stops: [{ at: 'Pisa', minutes: 5 }] };
    expect(await checks.validate(given, operation, { provider: 'rest' })).toEqual(filled);
    await expect(checks.validate({ title: 'a', public: 'perhaps' }, operation, { provider: 'rest' })).rejects.toMatchObject({ code: 400 });
    expect(await checks.validate({ note: 'n' }, 'patch', { provider: 'rest' })).toEqual({ note: 'n' });
  });

  it('keeps what else the schema says, and is never undefined', () => {
    const schema = Hidden(Type.String({ minLength: 1 }));
    expect(Default(schema, 'a')).toEqual({ ...schema, default: 'a' });
    expect(schema).not.toHaveProperty('default');
    expect(() => Default(Type.Any(), undefined)).toThrow('got no default: write Type.Optional()');
    expect(() => Default('string' as unknown as TSchema, 'a')).toThrow('Default() takes the schema of a value, and not a string');
  });
});
