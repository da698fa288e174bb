import { NotFound } from '@framework/errors';
import { describe, expect, it } from '@jest/globals';
import { resolve, virtual } from '../../src/index.ts';

interface Row {
  name?: string;
  upper?: string;
  count?: number;
}

describe('a resolver', () => {
  it('gives each property its value, the record as it came, the context and its path', async () => {
    const seen: unknown[] = [];
    const told = (...given: unknown[]): undefined => void seen.push(given);
    const record = { name: 'a', count: 1 };
    const resolver = resolve<Row, object>({ name: told, upper: told });
    expect(await resolver.resolve(record, { context: true }, ['name', 'upper'])).toEqual({ count: 1 });
    const properties = ['name', 'upper'];
    expect(seen).toEqual([
      ['a', record, { context: true }, { path: ['name'], properties }],
      [undefined, record, { context: true }, { path: ['upper'], properties }],
    ]);
    expect(record).toEqual({ name: 'a', count: 1 });
  });

  it('leaves out what is undefined, and keeps what is null, empty or false', async () => {
    const values = { a: undefined, b: null, c: '', d: 0, e: false };
    const resolver = resolve<Record<string, unknown>>(
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, async () => value])),
    );
    const made = await resolver.resolve({ a: 1, b: 1, f: 1 }, {});
    expect(Object.entries(made)).toEqual([
      ['b', null],
      ['f', 1],
      ['c', ''],
      ['d', 0],
      ['e', false],
    ]);
  });

  it('works out only the properties that are asked for', async () => {
    const resolver = resolve<Row>({ name: async () => 'new', upper: virtual(async () => 'NEW') });
    expect(await resolver.resolve({ name: 'a' }, {}, ['upper'])).toEqual({ name: 'a', upper: 'NEW' });
    expect(await resolver.resolve({ name: 'a' }, {}, [])).toEqual({ name: 'a' });
  });

  it.each([[{ properties: ['name'] }], [{ path: [], stack: [] }], ['name'], [['name', 1]], [null]])(
    'takes a list of the names that are asked for, and no status as in FeathersJS: %j',
    async (given) => {
      const resolving = resolve<Row>({ upper: () => 'A' }).resolve({ name: 'a' }, {}, given as never);
      await expect(resolving).rejects.toThrow(
        new TypeError("resolver.resolve() takes a list of names behind the context: ['name', 'email']"),
      );
    },
  );

  it('knows which properties are worked out and not stored', () => {
    expect(resolve<Row>({ name: async () => 'new', upper: virtual(() => 'NEW') }).virtualNames).toEqual(['upper']);
  });

  it('gives the very record where there is nothing to work out', async () => {
    const record = { name: 'a' };
    expect(await resolve<Row>({}).resolve(record, {})).toBe(record);
  });

  it.each([[null], ['text'], [5], [undefined], [['a', 'b']], [new Date(0)], [new Map([['a', 1]])], [new Set(['a'])]])(
    'leaves what is no record as it is: %p',
    async (value: unknown) => {
      const resolver = resolve<Row>({ upper: virtual(() => 'NEW') });
      expect(await resolver.resolve(value, {})).toBe(value);
      expect(await resolver.resolveData(value, {})).toBe(value);
    },
  );

  it('converts before it resolves, by the option of either form', async () => {
    const converter = async (record: unknown, context: unknown): Promise<Row> => ({ ...(record as Row), name: String(context) });
    const properties = { upper: virtual<string, Row, unknown>(({ name }) => (name ?? '').toUpperCase()) };
    for (const resolver of [
      resolve<Row>(properties, { converter }),
      resolve<Row>({ properties, converter }),
      resolve<Row>({ properties } as never, { converter }),
    ])
      expect(await resolver.resolve({ count: 1 }, 'context')).toEqual({ count: 1, name: 'context', upper: 'CONTEXT' });
  });

  it('leaves out what a converter adds where other properties are asked for, and gives it to the resolvers of those', async () => {
    const converter = (record: unknown): Row => ({ ...(record as Row), count: 7, name: 'added' });
    const upper = virtual<string, Row, unknown>(({ name }) => (name ?? '').toUpperCase());
    for (const [properties, source, asked, expected] of [
      [{}, { id: 1 }, ['id'], { id: 1 }],
      [{}, { id: 1 }, ['count'], { id: 1, count: 7 }],
      [{}, { id: 1, count: 1 }, ['id'], { id: 1, count: 7 }],
      [{ upper }, { id: 1 }, ['upper', 'count.part'], { id: 1, count: 7, upper: 'ADDED' }],
      [{ upper }, { id: 1 }, ['id'], { id: 1 }],
      [{ upper }, { id: 1 }, undefined, { id: 1, count: 7, name: 'added', upper: 'ADDED' }],
    ] as const)
      expect(await resolve<Row>(properties, { converter }).resolve(source, {}, asked)).toStrictEqual(expected);
    expect(await resolve<Row>({}, { converter: () => 'text' as never }).resolve({}, {}, ['id'])).toBe('text');
  });

  it('tells the error of each property, and keeps the first fault of the server for those who look for it', async () => {
    const broken = new TypeError('the database is away');
    const resolver = resolve<Row>({
      name: async () => Promise.reject(new NotFound('no such name')),
      upper: async () => Promise.reject(broken),
      count: async () => 1,
    });
    const error: unknown = await resolver.resolve({}, {}).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 400,
      message: 'Error resolving data',
      errors: { name: { code: 404, message: 'no such name' }, upper: { code: 500 } },
      cause: broken,
    });
    expect(Object.keys((error as { errors: object }).errors)).toEqual(['name', 'upper']);
    expect(JSON.stringify(error)).not.toContain('away');
    const meant = resolve<Row>({ name: async () => Promise.reject(new NotFound('no such name')) });
    expect(await meant.resolve({}, {}).catch((reason: unknown) => Object.hasOwn(reason as object, 'cause'))).toBe(false);
  });
});

describe('a resolver of documents that make their own JSON', () => {
  class Document {
    name = 'a';
    password = 'p';
    toJSON(): unknown {
      return { name: this.name, count: 1 };
    }
  }

  it('gives what is in the JSON, and asks the document itself for values', async () => {
    const upper = virtual<string, Row, unknown>(({ name }) => (name ?? '').toUpperCase());
    expect(await resolve<Row>({ upper }).resolve(new Document(), {})).toStrictEqual({ name: 'a', count: 1, upper: 'A' });
    const seen: unknown[] = [];
    const document = new Document();
    await resolve<{ password?: string }>({ password: (password, record) => void seen.push(password, record) }).resolve(document, {});
    expect(seen).toEqual(['p', document]);
  });

  it('has nothing to begin with where the JSON is no object', async () => {
    const resolver = resolve<Row>({ upper: virtual(() => 'NEW') });
    for (const json of ['text', null, undefined])
      expect(await resolver.resolve({ name: 'a', toJSON: () => json }, {})).toStrictEqual({ upper: 'NEW' });
  });
});

describe('a resolver of data', () => {
  const resolver = resolve<Row>({ name: (name) => name?.trim(), count: () => 1 });

  it('works on what operators set too, on the properties that are there', async () => {
    expect(await resolver.resolveData({ $set: { name: ' a ' }, $setOnInsert: { count: 5, other: 2 } }, {})).toEqual({
      count: 1,
      $set: { name: 'a' },
      $setOnInsert: { count: 1, other: 2 },
    });
  });

  it('leaves what operators set at paths alone: that is not the whole property', async () => {
    const whole = resolve<{ address?: object }>({ address: (address) => ({ ...address, checked: true }) });
    expect(await whole.resolve({}, {}, ['address.city'])).toEqual({ address: { checked: true } });
    expect(await whole.resolveData({ address: {}, $set: { 'address.city': 'x' } }, {})).toEqual({
      address: { checked: true },
      $set: { 'address.city': 'x' },
    });
  });

  it('leaves other operators, and what sets nothing, alone', async () => {
    const data = { name: ' a ', $unset: { name: '' }, $push: { name: ' a ' }, $set: 'text', $setOnInsert: null };
    expect(await resolver.resolveData(data, {})).toEqual({ ...data, name: 'a', count: 1 });
  });
});

describe('resolve', () => {
  it.each([
    [
      { name: 'text' },
      "The resolver of 'name' is no function: write (value, record, context) => … or virtual(…), or leave the name out where it has none",
    ],
    [
      { properties: {}, validate: 'before' },
      "resolve does not validate: leave 'validate' out and put validateData or validateQuery before the resolver",
    ],
    [
      { properties: {}, converter: null },
      "The option 'converter' of resolve() is a function that gives the record, (record, context) => …",
    ],
    [{ properties: {}, other: 1 }, "resolve() has no option 'other'. It has properties, converter, schema"],
    [
      { name: undefined },
      "The resolver of 'name' is no function: write (value, record, context) => … or virtual(…), or leave the name out where it has none",
    ],
    [
      { properties: { name: null } },
      "The resolver of 'name' is no function: write (value, record, context) => … or virtual(…), or leave the name out where it has none",
    ],
  ])('says how it is to be written: %j', (given, message) => {
    expect(() => resolve(given as never)).toThrow(new TypeError(message));
  });
});
