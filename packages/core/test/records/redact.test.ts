import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { ALL_REDACT_RULES, NOBODY, originOf, PathRules, Redaction, rememberOrigin, type RedactRules } from '../../src/index.ts';

const viewer = { params: { provider: 'rest' } };
const hiding = (...hidden: string[]): PathRules => new PathRules().add({ hidden });

/** Looks for records of others alone. */
const foreign = (value: unknown, rules: Partial<RedactRules> = {}): unknown =>
  new Redaction(viewer, undefined, undefined, false, { ...ALL_REDACT_RULES, ...rules }).of(value, undefined);

/** A record that hides its `pin`. */
function remembered<T extends object>(record: T): T {
  hiding('pin').remember(record);
  return record;
}

describe('a record that is redacted', () => {
  it.each<[string, unknown, unknown]>([
    ['the first property', { pin: 1, a: 2, b: 3 }, { a: 2, b: 3 }],
    ['the last property', { a: 2, b: 3, pin: 1 }, { a: 2, b: 3 }],
    ['one between others', { a: 2, pin: 1, b: 3 }, { a: 2, b: 3 }],
    ['all there is', { pin: 1 }, {}],
    ['what holds undefined', { pin: undefined, a: undefined }, { a: undefined }],
    ['what is a list', { pin: [1], a: [2] }, { a: [2] }],
    ['the name of an entry of a map', new Map<unknown, unknown>([['pin', 1]]), new Map()],
  ])('loses %s', (_what, record, shown) => {
    expect(hiding('pin').redact(record, viewer)).toEqual(shown);
    expect(Object.keys(hiding('pin').redact(record, viewer) as object)).toEqual(Object.keys(shown as object));
  });

  it('is the same where nothing has to be taken out, and so is each of its parts', () => {
    const same = {
      list: [{ a: 1 }],
      map: new Map([['a', { b: 1 }]]),
      set: new Set([{ c: 1 }]),
      date: new Date(0),
      bytes: Buffer.from('a'),
    };
    const rules = hiding('pin', 'list.pin', 'map.pin', 'set.pin');
    expect(rules.redact(same, viewer)).toBe(same);
    const shown = rules.redact({ ...same, pin: 1 }, viewer) as typeof same;
    for (const name of ['list', 'map', 'set', 'date', 'bytes'] as const) expect(shown[name]).toBe(same[name]);
  });

  it('is copied where something is taken out, and stays as it was', () => {
    const record = { list: [{ a: 1 }, { pin: 2 }, { b: 3 }], pin: 4 };
    const shown = hiding('list.pin').redact(record, viewer) as typeof record;
    expect(shown).toEqual({ list: [{ a: 1 }, {}, { b: 3 }], pin: 4 });
    expect(record).toEqual({ list: [{ a: 1 }, { pin: 2 }, { b: 3 }], pin: 4 });
    expect([shown.list[0] === record.list[0], shown.list[2] === record.list[2]]).toEqual([true, true]);
  });

  it('is looked into in lists of lists, maps and sets', () => {
    const rules = hiding('a.pin');
    expect(rules.redact({ a: [[{ pin: 1, b: 2 }], 3] }, viewer)).toEqual({ a: [[{ b: 2 }], 3] });
    expect(rules.redact({ a: new Set([{ pin: 1, b: 2 }, 3]) }, viewer)).toEqual({ a: new Set([{ b: 2 }, 3]) });
    expect(
      rules.redact(
        new Map<unknown, unknown>([
          ['a', { pin: 1 }],
          ['b', { pin: 2 }],
        ]),
        viewer,
      ),
    ).toEqual(
      new Map<unknown, unknown>([
        ['a', {}],
        ['b', { pin: 2 }],
      ]),
    );
  });

  it('loses its names with dots by each part of the path', () => {
    const rules = hiding('a.pin', 'b');
    const record = { 'a.pin': 1, 'a.pin.c': 2, 'b.c': 3, 'a.other': 4, 'c.pin': 5 };
    expect(rules.redact(record, viewer)).toEqual({ 'a.other': 4, 'c.pin': 5 });
    expect(rules.redact({ 'a.b': { pin: 1 } }, viewer)).toEqual({ 'a.b': { pin: 1 } });
    expect(hiding('a.b.pin').redact({ 'a.b': { pin: 1, c: 2 } }, viewer)).toEqual({ 'a.b': { c: 2 } });
  });

  it('loses functions and a prototype in its copy, which would undo it', () => {
    const record = { ...JSON.parse('{"__proto__":{"pin":1}}'), act: () => 1, pin: 2, a: 3 } as object;
    const made = Object.assign(Object.create(null) as object, record);
    const shown = hiding('pin').redact(made, viewer) as object;
    expect(Reflect.ownKeys(shown)).toEqual(['a']);
    expect(Object.getPrototypeOf(shown)).toBe(Object.prototype);
  });

  it('shows what others get of it: the JSON that it makes', () => {
    const rules = hiding('pin', 'list.pin');
    const json = (made: unknown): object => ({ pin: 'not this', toJSON: () => made });
    expect(rules.redact(json({ pin: 1, a: 2 }), viewer)).toEqual({ a: 2 });
    expect(rules.redact(json('text'), viewer)).toBe('text');
    expect(rules.redact(json(null), viewer)).toBeNull();
    expect(rules.redact(json([{ pin: 1, a: 2 }]), viewer)).toEqual([{ a: 2 }]);
    expect(rules.redact({ list: json([{ pin: 1, a: 2 }]) }, viewer)).toEqual({ list: [{ a: 2 }] });
    const date = new Date(0);
    expect(rules.redact(json(date), viewer)).toBe(date);
    // What makes JSON of what it is itself is copied without that.
    const itself: Record<string, unknown> = { a: 1, pin: 2 };
    itself.toJSON = () => itself;
    expect(rules.redact(itself, viewer)).toEqual({ a: 1 });
  });

  it('may be nested 200 levels deep', () => {
    const nested = (depth: number): object => {
      let record: object = {};
      for (let level = 0; level < depth; level++) record = { inside: record };
      return record;
    };
    expect(() => hiding('pin').redact(nested(200), viewer)).not.toThrow();
    expect(() => hiding('pin').redact(nested(201), viewer)).toThrow('A record is nested deeper than 200 levels, or contains itself');
    const itself: Record<string, unknown> = {};
    itself.list = [itself];
    expect(() => hiding('pin').redact(itself, viewer)).toThrow('contains itself');
  });
});

describe('records of others in a value', () => {
  const record = (): object => remembered({ id: 1, pin: 2 });

  it.each<[string, () => unknown, unknown]>([
    ['by itself', record, { id: 1 }],
    ['in an object', () => ({ a: { b: record() } }), { a: { b: { id: 1 } } }],
    ['in a list', () => [1, record()], [1, { id: 1 }]],
    ['in a set', () => new Set([record()]), new Set([{ id: 1 }])],
    ['in a map', () => new Map([['pin', record()]]), new Map([['pin', { id: 1 }]])],
    ['in what makes JSON', () => ({ toJSON: () => ({ a: record() }) }), { a: { id: 1 } }],
    ['in a list that an object makes', () => ({ toJSON: () => [record()] }), [{ id: 1 }]],
    ['as what an object makes', () => ({ toJSON: record }), { id: 1 }],
    ['in what a list makes', () => Object.assign([1], { toJSON: () => ({ a: record() }) }), { a: { id: 1 } }],
    ['in a list that makes copies', () => Object.assign([record()], { toJSON: () => [{ id: 1, pin: 2 }] }), [{ id: 1 }]],
    ['in what a set makes', () => Object.assign(new Set(), { toJSON: () => [record()] }), [{ id: 1 }]],
    ['as what a map makes', () => Object.assign(new Map(), { toJSON: record }), { id: 1 }],
    ['as what a date makes', () => Object.assign(new Date(0), { toJSON: record }), { id: 1 }],
  ])('keep their rules %s', (_where, make, shown) => {
    expect(foreign(make())).toEqual(shown);
  });

  it.each<[string, () => unknown]>([
    ['what makes JSON', () => ({ toJSON: () => ({ a: 1 }) })],
    ['what makes a text', () => ({ toJSON: () => 'text' })],
    ['a stream', () => Readable.from(['a'])],
    ['a promise', async () => Promise.resolve(1)],
    ['an expression', () => /a/],
    ['an address', () => new URL('http://localhost')],
    ['bytes', () => new Uint8Array(2).buffer],
    [
      'a value of the database',
      () =>
        new (class ObjectId {
          get _bsontype(): string {
            return 'ObjectId';
          }
        })(),
    ],
    ['an empty map', () => new Map()],
  ])('are looked for, and %s stays as it is without them', (_what, make) => {
    const value = make();
    expect(foreign(value)).toBe(value);
    expect((foreign({ value }) as { value: unknown }).value).toBe(value);
  });

  it('are those that were made for others where there is such a thing, and not the records', () => {
    const made = remembered({ id: 1, pin: 2 });
    rememberOrigin(made, { dispatch: { shown: true, pin: 3 } });
    expect(foreign({ made })).toEqual({ made: { shown: true } });
    const text = {};
    rememberOrigin(text, { dispatch: 'a text' });
    remembered(text);
    expect(foreign({ text })).toEqual({ text: 'a text' });
    const bare = {};
    rememberOrigin(bare, { dispatch: { inner: record(), pin: 1 } });
    expect(foreign(bare)).toEqual({ inner: { id: 1 }, pin: 1 });
  });

  it('hide what the place hides where they were put, too', () => {
    expect(hiding('author.salary').redact({ author: remembered({ id: 1, pin: 2, salary: 3 }) }, viewer)).toEqual({ author: { id: 1 } });
  });

  it('are seen by code on the server', () => {
    const own = record();
    expect(new Redaction('internal').of(own, undefined)).toEqual({ id: 1, pin: 2 });
  });

  it.each<[Partial<RedactRules>, () => unknown]>([
    [{ origins: false }, () => ({ a: record() })],
    [{ lists: false }, () => [record()]],
    [{ collections: false }, () => new Map([['a', record()]])],
    [{ collections: false }, () => new Set([record()])],
    [{ json: false }, () => ({ toJSON: () => ({ a: record() }) })],
  ])('would be shown as they are without the rule %j', (rules, make) => {
    const value = make();
    expect(foreign(value, rules)).toBe(value);
    expect(foreign(value)).not.toBe(value);
  });

  it('have no rules in a copy of them', () => {
    expect(originOf({ ...record() })).toBeUndefined();
    expect(hiding('pin').redact(record(), NOBODY)).toEqual({ id: 1 });
  });
});
