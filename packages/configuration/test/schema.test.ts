import { Type } from '@framework/schema';
import * as valibot from 'valibot';
import { z } from 'zod';
import { describe, expect, it } from '@jest/globals';
import { configuration, loadConfiguration, type ConfigurationOptions } from '../src/index.ts';
import { failureOf, load, withoutFolders } from './harness.ts';

const jsonSchema = {
  type: 'object',
  required: ['port', 'authentication'],
  additionalProperties: false,
  properties: {
    port: { type: 'integer', minimum: 1, maximum: 65_535 },
    level: { enum: ['info', 'warn'], default: 'info' },
    debug: { type: 'boolean' },
    limit: { anyOf: [{ type: 'number' }, { type: 'boolean' }] },
    origins: { type: 'array', items: { type: 'string', format: 'uri' } },
    authentication: { type: 'object', required: ['secret'], properties: { secret: { type: 'string', minLength: 32 } } },
  },
};
const variables = {
  port: 'PORT',
  debug: 'DEBUG_IT',
  limit: 'LIMIT',
  origins: 'ORIGINS',
  level: 'LEVEL',
  authentication: { secret: 'AUTH_SECRET' },
};
const SECRET = 'x7'.repeat(16);
const good = { port: 3030, authentication: { secret: SECRET } };

const loaded = (settings: object, env: Record<string, string> = {}, options: ConfigurationOptions = {}) =>
  load({ 'default.json': settings }, env, { schema: jsonSchema, variables, ...options });
const sentenceOf = (settings: object, env: Record<string, string> = {}, options: ConfigurationOptions = {}) =>
  withoutFolders(failureOf(() => loaded(settings, env, options)).message)
    .replace(/set it in \S+\/default/, 'set it in default')
    .replace('<folder>/', '');

describe('a JSON schema', () => {
  it('lets settings pass that fit, and fills in defaults', () => {
    expect(loaded(good)).toEqual({ ...good, level: 'info' });
  });

  it('gives environment variables the type that it asks for', () => {
    const env = { PORT: '8080', DEBUG_IT: 'true', LIMIT: 'false', ORIGINS: '["https://a.example"]', AUTH_SECRET: '1'.repeat(40) };
    expect(loaded(good, env)).toEqual({
      port: 8080,
      debug: true,
      limit: false,
      level: 'info',
      origins: ['https://a.example'],
      authentication: { secret: '1'.repeat(40) },
    });
  });

  it('leaves texts in files as they are', () => {
    expect(sentenceOf({ ...good, port: '3030' })).toBe("The setting 'port' (set in default.json) must be an integer: correct it there.");
  });

  it('takes multiples as they are written', () => {
    const schema = { type: 'object', properties: { fee: { type: 'number', multipleOf: 0.01 } } };
    expect(load({ 'default.json': { fee: 0.07 } }, {}, { schema })).toEqual({ fee: 0.07 });
    expect(() => load({ 'default.json': { fee: 0.075 } }, {}, { schema })).toThrow('must be multiple of 0.01');
  });

  it.each<[string, object, Record<string, string>, string]>([
    ['a missing setting', { port: 1 }, {}, "The setting 'authentication' is missing: set it in default.json."],
    [
      'a missing one that a variable may give',
      { port: 1, authentication: {} },
      {},
      "The setting 'authentication.secret' is missing: set it in default.json or by the environment variable AUTH_SECRET.",
    ],
    [
      'a wrong value in a file',
      { ...good, port: 70_000 },
      {},
      "The setting 'port' (set in default.json) must be <= 65535: correct it there.",
    ],
    [
      'a wrong value of a variable',
      good,
      { PORT: 'hunter2' },
      "The setting 'port' (set by the environment variable PORT) must be an integer: correct it there.",
    ],
    [
      'a number that is too large in a variable',
      good,
      { PORT: '70000' },
      "The setting 'port' (set by the environment variable PORT) must be <= 65535: correct it there.",
    ],
    [
      'a fraction in a variable',
      good,
      { PORT: '1.5' },
      "The setting 'port' (set by the environment variable PORT) must be an integer: correct it there.",
    ],
    [
      'an unknown setting',
      { ...good, prot: 1 },
      {},
      "The setting 'prot' (set in default.json) is not a known setting: remove it or correct its name.",
    ],
    [
      'a text outside a list',
      good,
      { LEVEL: 'hunter2' },
      'The setting \'level\' (set by the environment variable LEVEL) must be one of "info", "warn": correct it there.',
    ],
    [
      'a secret that is too short',
      good,
      { AUTH_SECRET: 'hunter2' },
      "The setting 'authentication.secret' (set by the environment variable AUTH_SECRET) must NOT have fewer than 32 characters: correct it there.",
    ],
    [
      'one of several types',
      { ...good, limit: 'hunter2' },
      {},
      "The setting 'limit' (set in default.json) must be a number or true or false: correct it there.",
    ],
    [
      'an item of a list',
      { ...good, origins: ['https://a.example', 'hunter2'] },
      {},
      'The setting \'origins.1\' (set in default.json) must match format "uri": correct it there.',
    ],
    [
      'several',
      { port: 'hunter2', prot: 1 },
      {},
      "The setting 'authentication' is missing: set it in default.json; also wrong: 'prot', 'port'.",
    ],
  ])('%s is one sentence, and shows no value', (_what, settings, env, sentence) => {
    expect(sentenceOf(settings, env)).toBe(sentence);
  });

  it('names the file of the environment that sets the value', () => {
    const files = { 'default.json': good, 'production.json': { port: 0 } };
    const error = failureOf(() => load(files, { NODE_ENV: 'production' }, { schema: jsonSchema }));
    expect(withoutFolders(error.message)).toBe("The setting 'port' (set in production.json) must be >= 1: correct it there.");
    expect(error.problems).toEqual([
      { path: 'port', source: expect.stringMatching(/production\.json$/), message: 'must be >= 1', mend: 'correct it there' },
    ]);
  });

  it.each([
    ['an unknown keyword', { type: 'object', propertys: {} }, 'unknown keyword'],
    ['an unknown format', { type: 'object', properties: { a: { type: 'string', format: 'odd' } } }, 'unknown format'],
    ['asynchronous', { $async: true, type: 'object' }, 'asynchronous'],
  ])('that is itself wrong is refused: %s', (_what, schema, message) => {
    expect(() => load({ 'default.json': {} }, {}, { schema })).toThrow(message);
  });

  it('may be made by TypeBox', () => {
    const schema = Type.Object({ port: Type.Integer({ minimum: 1 }), name: Type.Optional(Type.String()) });
    expect(load({ 'default.json': {} }, { PORT: '80' }, { schema, variables: { port: 'PORT' } })).toEqual({ port: 80 });
    expect(failureOf(() => load({ 'default.json': {} }, {}, { schema })).message).toContain("'port' is missing");
  });
});

describe('a validator of another library', () => {
  const schemas: [string, object][] = [
    ['zod', z.object({ port: z.number().int(), level: z.enum(['info', 'warn']).default('info'), tags: z.array(z.string()).optional() })],
    [
      'valibot',
      valibot.object({
        port: valibot.pipe(valibot.number(), valibot.integer()),
        level: valibot.optional(valibot.picklist(['info', 'warn']), 'info'),
        tags: valibot.optional(valibot.array(valibot.string())),
      }),
    ],
  ];

  it.each(schemas)('%s gives the settings, and environment variables their types', (_name, schema) => {
    expect(load({ 'default.json': { port: 1 } }, {}, { schema })).toEqual({ port: 1, level: 'info' });
    expect(load({ 'default.json': {} }, { PORT: '80', TAGS: '["a"]' }, { schema, variables: { port: 'PORT', tags: 'TAGS' } })).toEqual({
      port: 80,
      level: 'info',
      tags: ['a'],
    });
  });

  it.each(schemas)('%s is not believed to keep values to itself', (_name, schema) => {
    const options = { schema, variables: { port: 'PORT', level: 'LEVEL' } };
    for (const env of [{ PORT: 'hunter2hunter2' }, { PORT: '80', LEVEL: 'hunter2hunter2' }] as Record<string, string>[]) {
      const error = failureOf(() => load({ 'default.json': {} }, env, options));
      expect(error.message).toMatch(
        /^The setting '(?:port|level)' \(set by the environment variable (?:PORT|LEVEL)\) does not fit the schema/,
      );
      expect(error.message + JSON.stringify(error.problems)).not.toContain('hunter2');
    }
    expect(failureOf(() => load({ 'default.json': {} }, {}, options)).message).toMatch(/^The setting 'port' is missing: set it in /);
  });

  it('whose own text shows a value is not repeated', () => {
    const schema = z.object({
      password: z.string().refine((value) => value.length > 20, { error: (issue) => `'${String(issue.input)}' is too short` }),
    });
    const error = failureOf(() => load({ 'default.json': { password: 'hunter2' } }, {}, { schema }));
    expect(error.message).toMatch(/^The setting 'password' \(set in .*default\.json\) does not fit the schema: correct it there\.$/);
  });

  it.each([
    ['as JSON', (text: string) => `was ${JSON.stringify(text)}`],
    ['in other letters', (text: string) => `was ${text.toUpperCase()}`],
    ['cut off', (text: string) => `was ${text.slice(0, 12)}…`],
  ])('whose text shows a secret %s is not repeated', (_how, tell) => {
    const schema = z.object({ password: z.string().refine(() => false, { error: (issue) => tell(String(issue.input)) }) });
    const error = failureOf(() => load({ 'default.json': { password: 'hunter2\n"hunter2"' } }, {}, { schema }));
    expect(error.problems).toMatchObject([{ message: 'does not fit the schema' }]);
  });

  it('whose text shows another secret is not repeated, however short that is', () => {
    const schema = z.object({ user: z.string().refine(() => false, 'must not be a12, the password'), password: z.string() });
    const error = failureOf(() => load({ 'default.json': { user: 'ann', password: 'a12' } }, {}, { schema }));
    expect(error.problems).toMatchObject([{ path: 'user', message: 'does not fit the schema' }]);
  });

  it.each([
    ['its own value, however short that is', 'must not be ann', 'does not fit the schema'],
    ['a long value of another setting', 'must not be on db.internal.example', 'does not fit the schema'],
    ['a short value of another setting by chance', 'must not be 80 letters', 'does not fit the schema (must not be 80 letters)'],
  ])('whose text shows %s', (_what, text, message) => {
    const schema = z.object({ user: z.string().refine(() => false, text), port: z.number(), host: z.string() });
    const values = { user: 'ann', port: 80, host: 'db.internal.example' };
    expect(failureOf(() => load({ 'default.json': values }, {}, { schema })).problems).toMatchObject([{ path: 'user', message }]);
  });

  it('that is asynchronous is refused', () => {
    const schema = { '~standard': { version: 1 as const, vendor: 'x', validate: async (value: unknown) => ({ value }) } };
    expect(() => load({ 'default.json': {} }, {}, { schema })).toThrow('asynchronous');
  });
});

it('a function made of a schema is refused', () => {
  expect(() => loadConfiguration({ schema: () => true, env: {} })).toThrow('and not a function made of one');
  const app = { settings: {}, set: () => undefined };
  expect(() => configuration((value: unknown) => value)(app)).toThrow('and not a function made of one');
});

it('a validator that brings its schema along is held against the settings', () => {
  const validator = Object.assign(async (value: unknown) => Promise.resolve(value), {
    schema: { type: 'object', required: ['host'], properties: { host: { type: 'string' } } },
  });
  expect(() => load({ 'default.json': {} }, {}, { schema: validator })).toThrow("'host'");
});

it('alternatives that are values are told as alternatives, whatever the schema writes them with', () => {
  const schema = Type.Object({ mode: Type.Union([Type.Literal('one'), Type.Literal('two'), Type.Enum({ three: 3 })]) });
  const { message } = failureOf(() => load({ 'default.json': { mode: 'hunter2' } }, {}, { schema }));
  expect(message).toContain('must be one of "one", "two", 3: correct it there.');
});

it('twenty problems are told at most', () => {
  const values = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`s${String(index)}`, 'x']));
  const schema = { type: 'object', additionalProperties: { type: 'integer' } };
  const { problems, message } = failureOf(() => load({ 'default.json': values }, {}, { schema }));
  expect(problems).toHaveLength(20);
  expect(message).toMatch(/; also wrong: (?:'s\d+', ){4}'s\d+' and more\.$/);
});

it('of a fault of the settings as a whole it is not said that something is missing', () => {
  const [problem] = failureOf(() => load({ 'default.json': { a: 1, b: 2 } }, {}, { schema: z.strictObject({ a: z.number() }) })).problems;
  expect(problem).toMatchObject({ path: '', message: 'does not fit the schema (Unrecognized key: "b")' });
  expect(problem?.mend).toMatch(/^correct it in /);
});
