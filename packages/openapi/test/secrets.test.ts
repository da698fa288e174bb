import { MemoryService } from '@framework/adapter-memory';
import { Random, Variety } from '@framework-internal/random';
import { framework } from '@framework/core';
import { serviceSchema } from '@framework/schema';
import { describe, expect, it } from '@jest/globals';
import { openapiDocument } from '../src/index.ts';

const SEED = Number(process.env.DOCUMENT_SEED ?? 20_261_122);
const ROUNDS = Number(process.env.DOCUMENT_ROUNDS ?? 25);

type Schema = Record<string, unknown>;
const never = (): boolean => false;

/** Makes schemas of records: names that begin with `open` are for everybody, those with `secret` for nobody. */
class Shapes {
  readonly open = new Set<string>();
  readonly #random: Random;
  readonly #variety: Variety;
  readonly #definitions: Schema = {};
  #serial = 0;

  constructor(random: Random, variety: Variety) {
    this.#random = random;
    this.#variety = variety;
  }

  record(): Schema {
    const record = this.#object(1, false);
    return { ...record, properties: { id: { type: 'integer' }, ...(record.properties as object) }, $defs: this.#definitions };
  }

  #object(depth: number, secret: boolean): Schema {
    const properties: Schema = {};
    const required: string[] = [];
    const sample: Schema = {};
    for (let count = 1 + this.#random.below(3); count > 0; count--) {
      const hides = secret || this.#random.oneIn(3);
      const name = this.#name(hides);
      const schema = this.#value(depth, hides);
      properties[name] = hides && !secret ? this.#marked(schema) : schema;
      if (this.#random.oneIn(2)) required.push(name);
      sample[name] = 'text';
    }
    const names = Object.keys(properties);
    const [first = ''] = names;
    const extras = this.#random.pick<Schema>([
      {},
      { required },
      { required, default: sample, examples: [sample] },
      { dependentRequired: { [first]: names } },
      { if: { required: [first] }, then: { properties: { [first]: {} } } },
      { minProperties: names.length, propertyNames: { enum: names } },
      { not: { required: [...names, 'other'] } },
      { patternProperties: { [`^${first}$`]: properties[first] } },
      { anyOf: [{ required: [first] }, {}] },
    ]);
    this.#variety.took(Object.keys(extras).join(' ') || 'plain');
    return { type: 'object', properties, ...extras };
  }

  #value(depth: number, secret: boolean): Schema {
    if (depth > 4) return { type: 'string' };
    switch (this.#random.below(7)) {
      case 0:
        return { type: 'array', items: this.#object(depth + 1, secret) };
      case 1:
        return { allOf: [this.#object(depth + 1, secret), this.#object(depth + 1, secret)] };
      case 2:
        return { anyOf: [this.#object(depth + 1, secret), { type: 'null' }] };
      case 3:
        return secret ? { type: 'string' } : this.#defined(this.#object(depth + 1, false));
      case 4:
        return { oneOf: [this.#object(depth + 1, secret), { type: 'string' }] };
      default:
        return { type: 'string' };
    }
  }

  #marked(schema: Schema): Schema {
    const kind = this.#random.pick(['hidden', 'role', 'definition', 'union', 'intersection']);
    this.#variety.took(`marked as ${kind}`);
    if (kind === 'role') return { ...schema, readable: never, writable: never };
    if (kind === 'definition') return this.#defined({ ...schema, hidden: true }, true);
    if (kind === 'union') return { anyOf: [{ ...schema, hidden: true }, { type: 'null' }] };
    if (kind === 'intersection') return { allOf: [schema, { hidden: true }] };
    return { ...schema, hidden: true };
  }

  #defined(schema: Schema, secret = false): Schema {
    const name = `${secret ? 'secret' : 'definition'}${String(this.#serial++)}_`;
    this.#definitions[name] = schema;
    return { $ref: `#/$defs/${name}` };
  }

  #name(secret: boolean): string {
    const name = `${secret ? 'secret' : 'open'}${String(this.#serial++)}_`;
    if (!secret) this.open.add(name);
    return name;
  }
}

describe(`documents of generated records, seed ${String(SEED)}`, () => {
  it('S7 have no name in them that is kept from callers, and all others', async () => {
    const random = new Random(SEED);
    const variety = new Variety();
    for (let round = 0; round < ROUNDS; round++) {
      const shapes = new Shapes(random, variety);
      const record = shapes.record();
      variety.tried(JSON.stringify(record));
      const app = framework();
      // What an adapter and another service keep is kept too.
      const open = [...shapes.open].filter((name) => name in (record.properties as object));
      const hidden = ['secretOfAdapter', ...open.filter(() => random.oneIn(6)).slice(0, 1)];
      app.use('records', new MemoryService({ hidden, multi: random.oneIn(2), paginate: random.oneIn(2) ? { default: 5 } : false }), {
        schema: serviceSchema({ record }),
      });
      app.use('secretService', new MemoryService(), { methods: [] }).use('secretDrafts', new MemoryService(), { docs: false });
      const version = random.pick(['3.1', '3.2'] as const);
      const text = JSON.stringify(await openapiDocument(app, { version, onWarning: () => undefined }));
      expect([round, /secret\w*/.exec(text)?.[0]]).toEqual([round, undefined]);
      const kept = hidden.filter((name) => name.startsWith('open'));
      for (const name of kept) expect([round, text.includes(name)]).toEqual([round, false]);
      if (kept.length === 0) for (const name of shapes.open) expect([round, name, text.includes(name)]).toEqual([round, name, true]);
      else variety.took('kept by the adapter');
    }
    console.info(variety.report('documents', SEED));
    variety.expect(ROUNDS * 0.9, {
      'marked as hidden': ROUNDS / 3,
      'marked as role': ROUNDS / 3,
      'marked as definition': ROUNDS / 3,
      'marked as union': ROUNDS / 3,
      'marked as intersection': ROUNDS / 3,
      'kept by the adapter': ROUNDS / 12,
      plain: ROUNDS / 6,
    });
  });

  it('change in the part of a record that has changed, and nowhere else', async () => {
    const random = new Random(SEED);
    const variety = new Variety();
    const names = ['alpha', 'beta', 'gamma'];
    const property = (): Schema =>
      random.pick<Schema>([
        { type: 'string', maxLength: 1 + random.below(50) },
        { type: 'integer', minimum: random.below(50) },
        { type: 'boolean' },
        { enum: ['a', `b${String(random.below(50))}`] },
      ]);
    const build = async (records: Readonly<Record<string, Schema>>): Promise<object> => {
      const app = framework();
      for (const name of names)
        app.use(name, new MemoryService({ paginate: { default: 5, max: 9 }, multi: true }), {
          schema: serviceSchema({ record: { type: 'object', properties: { id: { type: 'integer' }, ...records[name] } } }),
        });
      return openapiDocument(app);
    };
    for (let round = 0; round < 16; round++) {
      const records = Object.fromEntries(names.map((name) => [name, { one: property(), two: property() }])) as Record<string, Schema>;
      const chosen = random.pick(names);
      const change = ['add', 'change', 'hide', 'remove'][round % 4] ?? '';
      const { one, ...rest } = records[chosen] as { one: Schema; two: Schema };
      const changed: Schema = {
        add: { one, ...rest, three: property() },
        change: { ...rest, one: { type: 'array', items: one } },
        hide: { ...rest, one: { ...one, hidden: true } },
        remove: rest,
      }[change] as Schema;
      const [before, after] = [await build(records), await build({ ...records, [chosen]: changed })];
      const places = differences(before, after, '');
      variety.tried(`${change} ${places.join()}`);
      variety.took(change);
      const own = new RegExp(`^/(?:components/schemas/${chosen[0]?.toUpperCase() ?? ''}${chosen.slice(1)}|paths/~1${chosen})`);
      expect([change, places.filter((place) => !own.test(place))]).toEqual([change, []]);
      expect(places.length).toBeGreaterThan(0);
    }
    console.info(variety.report('changes', SEED));
    variety.expect(8, { add: 4, change: 4, hide: 4, remove: 4 });
  });
});

/** Places at which two values differ. */
function differences(one: unknown, other: unknown, place: string): string[] {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other ? [] : [place];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((name) =>
    differences(Reflect.get(one, name), Reflect.get(other, name), `${place}/${name.replaceAll('/', '~1')}`),
  );
}
