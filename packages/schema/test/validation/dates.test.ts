import { runInNewContext } from 'node:vm';
import { Random } from '@framework-internal/testing';
import { describe, expect, it } from '@jest/globals';
import { DateSchema, getValidator, Type } from '../../src/index.ts';
import { parseDate } from '../../src/validation/date-text.ts';

const SEED = Number(process.env.DATE_SEED ?? 20_261_121);

describe('dates are exact (decisions 0018)', () => {
  it.each([
    ['2020-02-29', '2020-02-29T00:00:00.000Z'],
    ['2020-02-29T10:20:30Z', '2020-02-29T10:20:30.000Z'],
    ['2020-02-29T10:20Z', '2020-02-29T10:20:00.000Z'],
    ['2020-02-29T10:20:30.123456Z', '2020-02-29T10:20:30.123Z'],
    ['2020-02-29T00:30:00+02:00', '2020-02-28T22:30:00.000Z'],
    ['2020-02-29T00:30:00-0530', '2020-02-29T06:00:00.000Z'],
    ['2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['2020-12-31T23:59:59Z', '2020-12-31T23:59:59.000Z'],
    ['2020-01-01T00:00:00+2359', '2019-12-31T00:01:00.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(parseDate(text)?.toISOString()).toBe(expected);
  });

  it.each([
    ...['2020-02-30', '2019-02-29', '1900-02-29', '2020-04-31', '2020-13-01', '2020-00-01', '2020-01-00'],
    ...['2020-02-29T24:00:00Z', '2020-02-29T10:60:00Z', '2020-02-29T10:00:60Z', '2020-02-29T10:00:00+24:00', '2020-02-29T10:00:00+01:60'],
    ...['2020-02-29T10:00:00', '2020-02-29T10:00', '2020-2-9', '2020', '', 'now', '2020-02-29 10:00:00Z', ' 2020-02-29'],
  ])('%p is no date, and 400', async (text) => {
    expect(parseDate(text)).toBeUndefined();
    await expect(getValidator(Type.Object({ at: DateSchema() }))({ at: text })).rejects.toMatchObject({
      code: 400,
      errors: [{ path: 'at', message: expect.stringContaining('a time with its zone') }],
    });
  });

  it(`takes exactly the days that exist, seed ${String(SEED)}`, () => {
    const random = new Random(SEED);
    const seen = { taken: 0, refused: 0 };
    for (let round = 0; round < 5000; round++) {
      const [year, month, day] = [1890 + random.below(250), random.below(15), random.below(34)];
      const text = `${String(year)}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
      const date = new Date(Date.UTC(year, month - 1, day));
      const exists = date.toISOString().startsWith(text);
      expect([text, parseDate(text)?.getTime()]).toEqual([text, exists ? date.getTime() : undefined]);
      seen[exists ? 'taken' : 'refused'] += 1;
    }
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(500);
  });
});

it('a date that is none is refused, also from code on the server', async () => {
  const validate = getValidator(Type.Object({ at: DateSchema() }));
  await expect(validate({ at: new Date('yesterday') })).rejects.toMatchObject({ code: 400, errors: [{ path: 'at', keyword: 'date' }] });
  await expect(validate({ at: new Date(0) })).resolves.toEqual({ at: new Date(0) });
});

describe('values of another realm, such as a structured clone within tests', () => {
  const schema = Type.Object({ at: DateSchema(), inside: Type.Optional(Type.Object({ on: DateSchema(), count: Type.Integer() })) });
  const validate = getValidator(schema);

  it('takes dates of it', async () => {
    const data = structuredClone({ at: new Date(7) });
    expect(await validate(data)).toEqual({ at: new Date(7) });
    await expect(validate({ at: runInNewContext('new Date(NaN)') })).rejects.toMatchObject({ code: 400, errors: [{ path: 'at' }] });
  });

  it('converts texts in objects of it', async () => {
    const data = structuredClone({ at: '2020-02-29', inside: { on: '2020-03-01', count: '3' } });
    expect(await validate(data)).toEqual({
      at: new Date('2020-02-29T00:00:00Z'),
      inside: { on: new Date('2020-03-01T00:00:00Z'), count: 3 },
    });
  });
});
