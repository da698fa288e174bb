import { describe, expect, it } from '@jest/globals';
import { createAjv, getValidator, querySyntax, serviceSchema, type JSONSchema, type Validator } from '../../src/index.ts';
import { RecordChecks } from '../../src/record-checks.ts';

/** Every keyword of JSON Schema and of this package; first those that hold schemas by name, lists of them, data, references and marks, one of each kind. */
const ALL = (
  'properties $defs items const required dependencies hidden $ref default allOf $id definitions ' +
  'additionalItems additionalProperties anyOf contains contentEncoding contentMediaType contentSchema ' +
  'dependentRequired dependentSchemas deprecated description else enum example examples exclusiveMaximum exclusiveMinimum format ' +
  'id if maxContains maxItems maxLength maxProperties maximum minContains minItems minLength minProperties minimum multipleOf ' +
  'not nullable oneOf pattern patternProperties prefixItems propertyNames readOnly readable reference then title type ' +
  'unevaluatedItems unevaluatedProperties uniqueItems writable writeOnly date objectid ' +
  '$anchor $comment $dynamicAnchor $dynamicRef $recursiveAnchor $recursiveRef $schema $vocabulary $async'
).split(' ');
/** How many of them are tried. */
const NAMES = ALL.slice(0, Number(process.env.KEYWORD_RUNS ?? 12));

/** What is called by a keyword has to be what one of these names is: those of callers that begin with `$` are operators and filters. */
const plainLike = (name: string): string => (name.startsWith('$') ? '$plain' : 'plain');

/** What was seen with one name, as it would have been seen with another. */
function renamed(seen: unknown, name: string): unknown {
  const other = (text: string): string =>
    text
      .split('.')
      .map((part) => (part === name ? 'NAME' : part))
      .join('.');
  if (typeof seen === 'string') return other(seen);
  if (Array.isArray(seen)) return seen.map((entry) => renamed(entry, name));
  if (typeof seen !== 'object' || seen === null) return seen;
  return Object.fromEntries(Object.entries(seen).map(([key, value]) => [other(key), renamed(value, name)]));
}

/** What becomes of a value: itself, or the places of the problems with what is wrong there. */
const verdict = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (value) => ({ VALUE: value }),
    (error: unknown) => {
      const { errors } = error as { errors?: { path: string; keyword: string }[] };
      if (errors === undefined) throw error;
      return errors.map(({ path, keyword }) => [path, `is wrong: ${keyword}`]);
    },
  );

/** The properties of a description, by the names that lead there. */
function propertiesOf(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(propertiesOf);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { properties, dependentSchemas, required, ...others } = schema as Readonly<Record<string, unknown>>;
  const inner = Object.entries(others).map(([keyword, value]) => [`KEYWORD ${keyword}`, keyword === '$ref' ? 'REF' : propertiesOf(value)]);
  const named = (schemas: unknown): unknown =>
    Object.fromEntries(Object.entries((schemas ?? {}) as object).map(([name, part]) => [name, propertiesOf(part)]));
  return {
    ...(Object.fromEntries(inner) as object),
    PROPERTIES: named(properties),
    DEPENDENT: named(dependentSchemas),
    REQUIRED: required,
  };
}

const number: JSONSchema = { type: 'integer', maximum: 10 };
const object = (name: string, property: JSONSchema = number): JSONSchema => ({
  type: 'object',
  properties: { [name]: property },
  additionalProperties: false,
});

/** Wherever a property may stand. */
const recordWith = (name: string): JSONSchema => ({
  type: 'object',
  $defs: { [name]: { ...object(name), required: [name], $defs: { [name]: object(name) } } },
  definitions: { [name]: object(name) },
  properties: {
    inInner: { ...object(name), required: [name] },
    inList: { type: 'array', items: object(name) },
    inTuple: { type: 'array', items: [object(name), number] },
    inAll: { allOf: [{ type: 'object', properties: { [name]: number } }, { properties: { other: number } }] },
    inAny: { anyOf: [object(name), { type: 'null' }] },
    inIf: { type: 'object', properties: { [name]: number, other: number }, if: { required: [name] }, then: { required: ['other'] } },
    inDependent: { type: 'object', properties: { [name]: number, other: number }, dependencies: { [name]: { required: ['other'] } } },
    inFurther: { type: 'object', additionalProperties: object(name) },
    inDefinition: { $ref: `#/$defs/${name}` },
    inNestedDefinition: { $ref: `#/$defs/${name}/$defs/${name}` },
    inDefinitions: { type: 'array', items: { $ref: `#/definitions/${name}` } },
    atHidden: object(name, { ...number, hidden: true }),
    atWriteOnly: object(name, { ...number, writeOnly: true }),
    atReadOnly: { ...object(name, { ...number, readOnly: true }), required: [name] },
    atReadOnlies: { type: 'array', items: { ...object(name, { ...number, readOnly: true }), required: [name] } },
    atPreset: object(name, { ...number, default: 5 }),
  },
});

const OBJECTS = 'inInner inAll inAny inIf inDependent inDefinition inNestedDefinition atHidden atWriteOnly atReadOnly atPreset'.split(' ');
const CALLER = { provider: 'rest' };

/** Data in which each part has a value under the name. */
function dataWith(name: string, value: unknown): Record<string, unknown> {
  const part = { [name]: value };
  return {
    ...Object.fromEntries(OBJECTS.map((place) => [place, part])),
    inTuple: [part, 1],
    inList: [part],
    inFurther: { x: part },
    inDefinitions: [part],
    atReadOnlies: [part],
  };
}

/** What becomes of each part alone. */
async function each(parts: Record<string, unknown>, check: (part: Record<string, unknown>) => Promise<unknown>): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (const [place, value] of Object.entries(parts)) seen.push([place, await verdict(check({ [place]: value }))]);
  return seen;
}

/** All that can be seen of records whose properties have a name. */
async function observed(name: string): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {};
  const checks = new RecordChecks({ record: recordWith(name), extensions: {} });
  const query = checks.query({ ...CALLER });
  for (const value of ['5', {}]) {
    const data = dataWith(name, value);
    const at = (what: string): string => `${what} ${JSON.stringify(value)}`;
    seen[at('created')] = await each(data, (part) => checks.validate(part, 'create', { ...CALLER }));
    seen[at('created on the server')] = await each(data, (part) => checks.validate(part, 'create', {}));
    seen[at('changed')] = await each(data, (part) => checks.validate(part, 'patch', { ...CALLER }));
    const paths = Object.keys(data).map((place) => `${place}.${name}`);
    seen[at('asked for')] = await each(Object.fromEntries(paths.map((path) => [path, value])), query);
    seen[at('asked for by operators')] = await each(Object.fromEntries(paths.map((path) => [path, { $gt: value, $in: [value] }])), query);
    seen[at('asked for whole')] = await each(data, query);
  }
  seen.declared = query.declaredPaths;
  seen.shown = checks.shape.redact(dataWith(name, 5), { params: CALLER });
  seen.unseen = checks.shape.unseenBy({ params: CALLER });
  const { query: asked, create, record } = checks.describe({ params: CALLER }, () => true, true);
  const properties = Object.entries(asked.properties).map(([path, schema]) => [path, propertiesOf(schema)]);
  seen.described = [propertiesOf(create), propertiesOf(record), asked.select, ...properties];
  return seen;
}

/** At the top, where the name is one of the record's own. */
async function observedAtTop(name: string): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {};
  const kinds: Readonly<Record<string, JSONSchema>> = {
    plain: number,
    hidden: { ...number, hidden: true },
    readOnly: { ...number, readOnly: true },
    preset: { ...number, default: 5 },
    list: { type: 'array', items: number },
  };
  for (const [kind, property] of Object.entries(kinds)) {
    const record: JSONSchema = { ...object(name, property), required: [name] };
    const extensions = { [name]: { $near: number } };
    const checks = new RecordChecks({ record, extensions });
    const queries: Readonly<Record<string, Validator>> = {
      external: checks.query({ ...CALLER }),
      alone: getValidator({ type: 'object', properties: { ...querySyntax({ [name]: property }) }, additionalProperties: false }),
    };
    const validate = getValidator(record);
    for (const value of ['5', ['5x']]) {
      const data = { [name]: value };
      const at = (what: string): string => `${what} ${kind} ${JSON.stringify(value)}`;
      seen[at('validated')] = await verdict(validate(data));
      seen[at('created')] = await verdict(checks.validate(data, 'create', { ...CALLER }));
      seen[at('changed')] = await verdict(checks.validate(data, 'patch', { ...CALLER }));
      const conditions = [data, { [name]: { $gt: value } }, { [name]: { $near: value } }, { $or: [data] }, { $sort: { [name]: 1 } }];
      for (const [which, check] of Object.entries(queries))
        seen[at(which)] = await Promise.all(conditions.map((condition) => verdict(check(condition))));
    }
    seen[`shown ${kind}`] = checks.shape.redact({ [name]: 5 }, { params: CALLER });
    seen[`nothing ${kind}`] = [await verdict(checks.validate({}, 'create', {})), await verdict(checks.validate({}, 'patch', {}))];
  }
  return seen;
}

const plain = new Map<string, Promise<unknown>>();

/** What is seen of a plain name, by the way in which it is looked at. */
function seenOfPlain(name: string, look: typeof observed): Promise<unknown> {
  const like = plainLike(name);
  const key = `${look.name} ${like}`;
  const known = plain.get(key) ?? look(like).then((seen) => renamed(seen, like));
  plain.set(key, known);
  return known;
}

describe('a property that is called as a keyword is a property', () => {
  const quarters = (names: readonly string[]): string[][] => [0, 1, 2, 3].map((part) => names.filter((_name, at) => at % 4 === part));

  it.each(quarters(NAMES))(
    'inside of others: validated, converted, asked for, hidden, refused and described (%s, %s, …)',
    async (...names) => {
      for (const name of names) expect([name, renamed(await observed(name), name)]).toEqual([name, await seenOfPlain(name, observed)]);
    },
  );

  // An id of the record is read-only by itself.
  it.each(quarters(NAMES.filter((name) => name !== 'id')))('at the top, with all of it (%s, %s, …)', async (...names) => {
    for (const name of names)
      expect([name, renamed(await observedAtTop(name), name)]).toEqual([name, await seenOfPlain(name, observedAtTop)]);
  });

  it('of plain names there is something to see', async () => {
    const seen = await observed('plain');
    expect(seen['created "5"']).toContainEqual(['inInner', { VALUE: { inInner: { plain: 5 } } }]);
    expect(seen['created {}']).toContainEqual(['inDefinition', [['inDefinition.plain', 'is wrong: type']]]);
    expect(seen['created "5"']).toContainEqual(['atHidden', [['atHidden.plain', 'is wrong: additionalProperties']]]);
    expect(seen['created "5"']).toContainEqual(['atReadOnly', [['atReadOnly.plain', 'is wrong: readOnly']]]);
    expect(seen['asked for "5"']).toContainEqual(['inDefinitions.plain', { VALUE: { 'inDefinitions.plain': 5 } }]);
    expect(seen['asked for "5"']).toContainEqual(['atHidden.plain', [['atHidden.plain', 'is wrong: additionalProperties']]]);
    expect(seen.shown).toMatchObject({ atHidden: {}, atWriteOnly: {}, inInner: { plain: 5 } });
    expect(seen.unseen).toEqual(['atHidden.plain', 'atWriteOnly.plain']);
  });
});

describe('the work that a value takes is bounded below a property that is called as a keyword', () => {
  /** Steps that the checks of a list, of tuples and of further properties take when all of their parts are wrong. */
  async function stepsOf(name: string, wrap: (list: JSONSchema) => JSONSchema): Promise<number> {
    let steps = 0;
    const ajv = createAjv();
    ajv.addKeyword({ keyword: 'step', validate: () => ((steps += 1), true) });
    const list: JSONSchema = { type: 'array', items: { type: 'integer', step: true } };
    const validate: Validator = getValidator(wrap({ type: 'object', properties: { [name]: list } }), ajv);
    const value = { [name]: Array.from({ length: 5000 }, () => ({})) };
    await verdict(validate({ a: value }));
    return steps;
  }

  const wraps: readonly ((schema: JSONSchema, name: string) => JSONSchema)[] = [
    (schema) => ({ type: 'object', properties: { a: schema } }),
    (schema, name) => ({ type: 'object', definitions: { [name]: schema }, properties: { a: { $ref: `#/definitions/${name}` } } }),
    (schema) => ({ type: 'object', patternProperties: { '^a$': schema } }),
    (schema) => ({ type: 'object', dependencies: { a: { properties: { a: schema } } } }),
  ];

  it.each([0, 1, 2, 3])('whatever the keyword, in place %i', async (place) => {
    const unbounded: string[] = [];
    for (const name of NAMES) {
      const steps = await stepsOf(name, (schema) => wraps[place]?.(schema, name) ?? {});
      if (steps === 0 || steps > 200) unbounded.push(`${name}: ${String(steps)}`);
    }
    expect(unbounded).toEqual([]);
  });
});

describe('values that look like schemas are values', () => {
  it('are compared with, and set by default, as they are written', async () => {
    for (const name of NAMES) await literalOf(name);
  });

  async function literalOf(name: string): Promise<void> {
    const literal = { [name]: { [name]: { definitions: 1, $id: 'x', $ref: 'urn:nowhere', default: 2 } } };
    const record: JSONSchema = {
      type: 'object',
      $defs: { literal: { const: literal } },
      properties: {
        one: { $ref: '#/$defs/literal' },
        two: { enum: [literal], default: literal },
        three: { type: 'object', default: literal, examples: [literal] },
        four: { $ref: '#/$defs/literal' },
      },
    };
    const { shape } = serviceSchema({ record });
    expect(shape.root.names).toEqual(['one', 'two', 'three', 'four']);
    const checks = new RecordChecks({ record, extensions: {} });
    expect(await checks.validate({ one: literal }, 'create', {})).toEqual({ one: literal, two: literal, three: literal });
    expect(await checks.validate({ one: literal }, 'patch', {})).toEqual({ one: literal });
    const query = checks.query({ ...CALLER });
    expect(await query({ one: literal, two: literal })).toEqual({ one: literal, two: literal });
    expect(await verdict(query({ one: { [name]: 1 } }))).toContainEqual(['one', expect.any(String)]);
  }
});
