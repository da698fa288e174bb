import { describe, expect, it } from '@jest/globals';
import { createAjv, getValidator, RecordShape, serviceSchema, type JSONSchema } from '../../src/index.ts';
import { References } from '../../src/record-shape/references.ts';

const unresolved = (reference: string): string =>
  `The reference '${reference}' does not resolve: put the schema into '$defs' of the record, or make a validator of it before, with the same ajv`;

const messageOf = (work: () => unknown): string => {
  try {
    work();
    return 'nothing was thrown';
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
};

describe('a reference that can not be read is refused as one that leads nowhere', () => {
  it.each([
    ...['#/definitions/none', '#none', 'none', 'urn:x:none', 'none#', 'none#/a', '#/none/a', '#/definitions/named/title'],
    ...['#/definitions/%zz', '#/definitions/a%7', '#%zz', '%zz', '%zz#/a', 'urn:x:%zz', '#/%', '#/definitions/%E0%A4'],
    ...['#/definitions/a~2b', '#/definitions/a~', '#/definitions/~', '#/definitions/a%7E2b', '#/definitions/named~3'],
    ...['#/definitions/named#', '#/definitions/named#x', '##', 'urn:x:whole#/definitions/named#'],
    ...['#/allOf/length', '#/allOf/00', '#/allOf/-1', '#/required', '#/required/0', '#/definitions/__proto__', '#/definitions/constructor'],
    '',
  ])("'%s'", (reference) => {
    const record = (more: JSONSchema): JSONSchema => ({
      $id: 'urn:x:whole',
      type: 'object',
      allOf: [{ title: 'first' }],
      required: ['a'],
      definitions: { named: { title: 'named' }, 'a~2b': {}, 'a~': {}, '~': {}, 'a%7': {}, '%zz': {}, 'named~3': {} },
      ...more,
    });
    const inside = record({ properties: { a: { type: 'array', items: { $ref: reference } } } });
    const outside = record({ $ref: reference });
    const refusal = unresolved(reference);
    expect(messageOf(() => new RecordShape(inside))).toBe(`Error: 'a' of the record can not be seen through. ${refusal}`);
    expect(messageOf(() => serviceSchema({ record: inside }))).toBe(`Error: 'a' of the record can not be seen through. ${refusal}`);
    expect(messageOf(() => serviceSchema({ record: inside, ajv: createAjv() }))).toContain(refusal);
    for (const schema of [inside, outside]) expect(messageOf(() => getValidator(schema))).toBe(`Error: ${refusal}`);
    expect(messageOf(() => new RecordShape(outside))).toBe(`Error: ${refusal}`);
  });

  it('wherever it stands', () => {
    for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef'])
      for (const schema of [
        { not: { [keyword]: '#/%zz' } },
        { patternProperties: { a: { [keyword]: '#/%zz' } } },
        { contains: { [keyword]: '#/%zz' } },
      ])
        expect(messageOf(() => getValidator(schema as JSONSchema))).toBe(`Error: ${unresolved('#/%zz')}`);
    expect(messageOf(() => getValidator({ const: { $ref: '#/%zz' }, properties: { $ref: { type: 'string' } } }))).toBe(
      'nothing was thrown',
    );
  });

  it('says what the validator says of a name that it can not read, and of a schema that it can not compile', () => {
    const foreign = (): never => {
      throw new Error('the host is malformed');
    };
    expect(messageOf(() => new References({}, foreign).of({ $ref: 'http://[' }))).toBe(
      "Error: The reference 'http://[' does not resolve (the host is malformed): put the schema into '$defs' of the record, or make a validator of it before, with the same ajv",
    );
  });
});

describe('what a reference leads to', () => {
  const named: JSONSchema = { title: 'named' };
  const root: JSONSchema = {
    $id: 'https://example.org/schemas/root.json',
    allOf: [named, { properties: { a: { title: 'property' } } }],
    $defs: {
      plain: named,
      '': { title: 'nameless' },
      'a/b': { title: 'slash' },
      'a~b': { title: 'tilde' },
      'a~1b': { title: 'tilde and one' },
      '100%': { title: 'percent' },
      'two words': { title: 'words' },
      anchored: { $anchor: 'here', title: 'anchored' },
      dynamic: { $dynamicAnchor: 'node', title: 'dynamic' },
      again: { $dynamicAnchor: 'node', title: 'dynamic again' },
      old: { $id: '#old', title: 'old anchor' },
      inner: { $id: 'urn:inner', title: 'inner', definitions: { deep: { title: 'deep' } } },
      numbered: { $id: 'part.json', $defs: { x: { title: 'by the end of its id' } } },
      hashed: { $id: 'urn:hashed#', title: 'hashed' },
      recursive: { $recursiveAnchor: true, title: 'recursive' },
      no: false as never,
      yes: true as never,
    },
    components: { schemas: { Elsewhere: { title: 'elsewhere' } } },
  };
  const references = new References(root, (reference) => (reference === 'urn:foreign' ? { title: 'foreign' } : undefined));
  const titles = (schema: JSONSchema): unknown[] => references.of(schema).map((target) => (target === root ? 'root' : target.title));

  it.each<[string, unknown]>([
    ['#', 'root'],
    ['https://example.org/schemas/root.json', 'root'],
    ['https://example.org/schemas/root.json#', 'root'],
    ['#/$defs/plain', 'named'],
    ['#/allOf/0', 'named'],
    ['#/allOf/1/properties/a', 'property'],
    ['#/$defs/', 'nameless'],
    ['#/$defs/a~1b', 'slash'],
    ['#/$defs/a~0b', 'tilde'],
    ['#/$defs/a~01b', 'tilde and one'],
    ['#/$defs/a%7E0b', 'tilde'],
    ['#/$defs/a%7e1b', 'slash'],
    ['#/$defs/100%25', 'percent'],
    ['#/$defs/two%20words', 'words'],
    ['#here', 'anchored'],
    ['urn:inner#here', 'anchored'],
    ['#old', 'old anchor'],
    ['urn:inner', 'inner'],
    ['urn:inner#', 'inner'],
    ['urn:inner#/definitions/deep', 'deep'],
    ['https://example.org/schemas/part.json#/$defs/x', 'by the end of its id'],
    ['urn:hashed', 'hashed'],
    ['urn:foreign', 'foreign'],
    ['#/components/schemas/Elsewhere', 'elsewhere'],
  ])('%s: %s', (reference, title) => {
    expect(titles({ $ref: reference })).toEqual([title]);
  });

  it('a dynamic reference leads to all schemas that it may mean, a recursive one to the whole and to what is marked', () => {
    expect(titles({ $dynamicRef: '#node' })).toEqual(['dynamic', 'dynamic again']);
    expect(titles({ $dynamicRef: 'urn:any#node' })).toEqual(['dynamic', 'dynamic again']);
    expect(titles({ $dynamicRef: '#here' })).toEqual(['anchored']);
    expect(titles({ $recursiveRef: '#' })).toEqual(['root', 'recursive']);
    expect(titles({ $ref: '#old', $dynamicRef: '#here', $recursiveRef: '#' })).toEqual(['old anchor', 'root', 'recursive', 'anchored']);
    expect(titles({ $ref: { type: 'string' }, $dynamicRef: 5, $recursiveRef: true })).toEqual([]);
    expect(messageOf(() => references.of({ $dynamicRef: '#none' }))).toBe(`Error: ${unresolved('#none')}`);
  });

  it('to a definition that takes everything, or nothing', async () => {
    expect(references.of({ $ref: '#/$defs/yes' })).toEqual([{}]);
    expect(references.of({ $ref: '#/$defs/no' })).toEqual([{ not: {} }]);
    const record: JSONSchema = {
      type: 'object',
      $defs: { yes: true as never, no: false as never },
      properties: { any: { $ref: '#/$defs/yes' }, none: { $ref: '#/$defs/no' } },
    };
    const validate = getValidator(record);
    expect(await validate({ any: { a: ['b'] } })).toEqual({ any: { a: ['b'] } });
    await expect(validate({ none: 1 })).rejects.toMatchObject({ code: 400, errors: [{ path: 'none' }] });
    const { shape } = serviceSchema({ record });
    expect(shape.root.names).toEqual(['any', 'none']);
    expect(shape.property(['any', 'deeper'], 'internal')).toBeUndefined();
    expect(shape.refused({ any: { deeper: 1 } }, 'create', { params: { provider: 'rest' } })).toEqual([]);
  });

  it('a schema of another document refers to what lies beside it, and not to what has that name here', () => {
    const foreign: Record<string, JSONSchema> = {
      'https://other.example/u.json': { $id: 'https://other.example/u.json', properties: { a: { $ref: 'v.json' } } },
      'https://other.example/v.json': { $id: 'https://other.example/v.json', title: 'beside it' },
      'v.json': { title: 'by its name alone' },
    };
    const record: JSONSchema = { $id: 'https://example.org/', $defs: { v: { $id: 'v.json', title: 'of the record' } } };
    const found = new References(record, (reference) => foreign[reference]);
    const [other] = found.of({ $ref: 'https://other.example/u.json' });
    expect(found.of(other?.properties?.a as JSONSchema)).toEqual([foreign['https://other.example/v.json']]);
    expect(found.of(record)).toEqual([]);
    const asked: string[] = [];
    const noting = new References(record, (reference) => (asked.push(reference), foreign[reference] ?? { title: reference }));
    const [whole] = noting.of({ $ref: 'https://other.example/u.json' });
    expect(noting.of(whole?.properties?.a as JSONSchema)).toEqual([foreign['https://other.example/v.json']]);
    const inside: JSONSchema = { $ref: '../w.json#/$defs/x' };
    foreign['https://other.example/u.json'] = { properties: { a: inside } };
    noting.of({ $ref: 'https://other.example/u.json' });
    expect(noting.of(inside)).toEqual([{ title: 'https://other.example/w.json#/$defs/x' }]);
    // What begins nowhere is asked for as it is written.
    expect(new References({ items: { $ref: 'alone' } }, (reference) => ({ title: reference })).of({ $ref: 'alone' })).toEqual([
      { title: 'alone' },
    ]);
    const alone: JSONSchema = { $ref: 'alone#/$defs/y' };
    expect(new References({ items: alone }, (reference) => ({ title: reference })).of(alone)).toEqual([{ title: 'alone#/$defs/y' }]);
    expect(asked).toEqual([
      'https://other.example/u.json',
      'https://other.example/v.json',
      'https://other.example/u.json',
      'https://other.example/w.json#/$defs/x',
    ]);
    const named: Record<string, JSONSchema> = { User: { $id: 'User', items: { $ref: 'Address' } }, Address: { title: 'address' } };
    const names = new References({}, (reference) => named[reference]);
    const [user] = names.of({ $ref: 'User' });
    expect(names.of(user?.items as JSONSchema)).toEqual([named.Address]);
  });

  it('a schema of another document that refers into itself by pointers is refused, with the cure', () => {
    const foreign = (): JSONSchema => ({ properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: {} } });
    expect(messageOf(() => new References({}, foreign).of({ $ref: 'urn:other' }))).toBe(
      "Error: The schema 'urn:other' has references of its own document: write them with its '$id', or put it into '$defs' of the record",
    );
    // By these the record itself would be meant, which hides other properties.
    for (const keyword of ['$recursiveRef', '$dynamicRef'])
      expect(messageOf(() => new References({}, () => ({ properties: { a: { [keyword]: '#' } } })).of({ $ref: 'urn:other' }))).toBe(
        "Error: The schema 'urn:other' has references of its own document: write them with its '$id', or put it into '$defs' of the record",
      );
    const plain = { properties: { a: { $ref: 'urn:another' }, b: { title: '#/$defs/a' } } };
    expect(new References({}, () => plain).of({ $ref: 'urn:other' })).toEqual([plain]);
    expect(messageOf(() => new References({}, () => 'text').of({ $ref: 'urn:other' }))).toBe(`Error: ${unresolved('urn:other')}`);
  });
});

describe('a schema that contains itself', () => {
  const integer: JSONSchema = { type: 'integer' };
  const whole = (next: JSONSchema, more: JSONSchema = {}): JSONSchema => ({
    type: 'object',
    properties: { count: integer, next },
    ...more,
  });
  const $id = 'https://example.org/tree';
  it.each<[string, JSONSchema]>([
    ['by #', whole({ $ref: '#' })],
    ['by # in a union', whole({ anyOf: [{ $ref: '#' }, { type: 'null' }] })],
    ['by # with an id', whole({ $ref: '#' }, { $id })],
    ['by its id', whole({ $ref: $id }, { $id })],
    ['by its id and #', whole({ $ref: `${$id}#` }, { $id })],
    ['by a pointer behind its id', whole({ properties: { count: { $ref: `${$id}#/properties/count` } } }, { $id })],
    [
      'by an anchor behind its id',
      whole({ properties: { count: { $ref: `${$id}#number` } } }, { $id, $defs: { a: { $anchor: 'number', ...integer } } }),
    ],
    ['by a recursive reference', whole({ $recursiveRef: '#' }, { $recursiveAnchor: true })],
    ['by a dynamic reference', whole({ $dynamicRef: '#node' }, { $dynamicAnchor: 'node' })],
  ])('is checked and converted at any depth: %s', async (_how, record) => {
    const validate = getValidator(record);
    expect(await validate({ count: '1', next: { count: '2' } })).toEqual({ count: 1, next: { count: 2 } });
    await expect(validate({ next: { count: 'x' } })).rejects.toMatchObject({
      code: 400,
      errors: expect.arrayContaining([expect.objectContaining({ path: 'next.count' })]),
    });
    expect(serviceSchema({ record }).shape.references.size).toBe(0);
  });
});

describe('schemas with ids inside of others', () => {
  const record = (more: JSONSchema = {}): JSONSchema => ({
    $id: 'https://example.org/post',
    type: 'object',
    properties: { author: { $ref: 'https://example.org/user' }, pin: { $ref: '#/$defs/pin' }, code: { $ref: '#code' } },
    $defs: {
      pin: { type: 'integer' },
      code: { $anchor: 'code', type: 'integer' },
      top: { type: 'string' },
      user: {
        $id: 'https://example.org/user',
        type: 'object',
        properties: {
          pin: { $ref: '#/$defs/pin' },
          code: { $ref: '#code' },
          top: { $ref: '#/$defs/top' },
          friend: { $ref: '#' },
          named: { $ref: 'https://example.org/post#code' },
        },
        $defs: { pin: { type: 'string', hidden: true }, code: { $anchor: 'code', type: 'string', hidden: true } },
      },
      ...more,
    },
  });
  const caller = { params: { provider: 'rest' } };

  it('refer to their own parts first, so that what is hidden there is hidden', () => {
    for (const $defs of [{}, { later: { $id: 'urn:later', $defs: { code: { $anchor: 'code' }, pin: {} } } }]) {
      const shape = new RecordShape(record($defs));
      const author = { pin: 'p', code: 'c', top: 't', friend: { pin: 'p', code: 'c', name: 'n' }, named: 5 };
      expect(shape.redact({ pin: 1, code: 2, author }, caller)).toEqual({
        pin: 1,
        code: 2,
        author: { top: 't', friend: { name: 'n' }, named: 5 },
      });
      expect(shape.unseenBy(caller)).toEqual(['author.code', 'author.friend.code', 'author.friend.pin', 'author.pin']);
    }
  });

  it.each<[string, string | undefined, Record<string, JSONSchema>, string]>([
    ['by folders', 'https://example.org/', { A: { $id: 'a/' }, B: { $id: 'b/' } }, 'a/user.json'],
    ['by folders of a record without an id', undefined, { A: { $id: 'a/' }, B: { $id: 'b/' } }, 'a/user.json'],
    ['by documents', 'https://example.org/post.json', { A: { $id: 'a/x.json' }, B: { $id: 'b/x.json' } }, 'a/user.json'],
    ['by a way back', 'https://example.org/c/post.json', { A: { $id: '../a/x.json' }, B: { $id: '../b/x.json' } }, '../a/user.json'],
    [
      'by hosts',
      'https://example.org/',
      { A: { $id: 'https://a.example/' }, B: { $id: 'https://b.example/' } },
      'https://a.example/user.json',
    ],
  ])('of the same name are told apart %s', async (_how, $id, { A, B }, reference) => {
    const user = (pin: JSONSchema): JSONSchema => ({ $id: 'user.json', type: 'object', properties: { pin } });
    const hiding: JSONSchema = { ...A, $defs: { user: user({ type: 'integer', hidden: true }), own: { $ref: 'user.json' } } };
    const showing: JSONSchema = { ...B, $defs: { user: user({ type: 'string' }), own: { $ref: 'user.json' } } };
    for (const definitions of [
      { A: hiding, B: showing },
      { B: showing, A: hiding },
    ]) {
      const record: JSONSchema = {
        ...($id === undefined ? {} : { $id }),
        type: 'object',
        properties: { author: { $ref: reference }, inner: { $ref: '#/$defs/A/$defs/own' }, other: { $ref: '#/$defs/B/$defs/own' } },
        $defs: definitions,
      };
      const shape = new RecordShape(record);
      const given = { author: { pin: 1 }, inner: { pin: 1 }, other: { pin: 'x' } };
      expect(shape.redact(given, caller)).toEqual({ author: {}, inner: {}, other: { pin: 'x' } });
      expect(await getValidator(record)(given)).toEqual(given);
    }
  });

  it('contain themselves, and not the whole, by a recursive reference', () => {
    const shape = new RecordShape({
      type: 'object',
      properties: { author: { $ref: 'https://example.org/user' }, pin: { type: 'integer' } },
      $defs: {
        user: {
          $id: 'https://example.org/user',
          type: 'object',
          properties: { name: { type: 'string' }, pin: { type: 'string', hidden: true }, friend: { $recursiveRef: '#' } },
        },
      },
    });
    const author = { name: 'a', pin: 'p', friend: { name: 'b', pin: 'q', friend: { pin: 'r' } } };
    expect(shape.redact({ pin: 1, author }, caller)).toEqual({ pin: 1, author: { name: 'a', friend: { name: 'b', friend: {} } } });
  });

  it('are checked as they are shown', async () => {
    const validate = getValidator(record());
    const author = { pin: 'p', code: 'c', top: 't', friend: { pin: 'p' }, named: 5 };
    expect(await validate({ pin: '1', code: '2', author })).toEqual({ pin: 1, code: 2, author });
    for (const wrong of [
      { pin: 'x' },
      { author: { pin: 5 } },
      { author: { code: 5 } },
      { author: { named: 'x' } },
      { author: { friend: { pin: 5 } } },
    ])
      await expect(validate(wrong)).rejects.toMatchObject({ code: 400 });
  });
});
