import { describe, expect, it } from '@jest/globals';
import type { ConfigurationOptions } from '../src/index.ts';
import { failureOf, load, withoutFolders } from './harness.ts';

const PARTS = {
  type: 'object',
  properties: {
    list: { type: 'array', items: { type: 'integer' } },
    map: { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: false },
  },
};
const MAP = {
  port: { __name: 'PORT', __format: 'number' },
  debug: { __name: 'DEBUG_IT', __format: 'boolean' },
  origins: { __name: 'ORIGINS', __format: 'json' },
  authentication: { secret: 'AUTH_SECRET' },
};
const files = { 'default.json': { port: 1, authentication: { secret: 'from the file' } }, 'custom-environment-variables.json': MAP };

it.each<[string, string, object, object]>([
  ['a list with a wrong element', '["x"]', {}, { path: 'list.0', message: 'must be an integer', mend: 'correct it there' }],
  ['the same over a file', '["x"]', { list: [1] }, { path: 'list.0', message: 'must be an integer', mend: 'correct it there' }],
  ['an object with what is not known', '{"b":1}', { list: [1] }, { path: 'map.b', mend: 'remove it or correct its name' }],
])('of a variable that became a list or an object the variable is told, not a file: %s', (_what, text, values, problem) => {
  const found = failureOf(() =>
    load({ 'default.json': values }, { LIST: text }, { schema: PARTS, variables: { list: 'LIST', map: 'LIST' } }),
  );
  expect(found.problems).toContainEqual(expect.objectContaining({ source: 'the environment variable LIST', ...problem }));
});

it('a text that has a name of prototypes in it becomes no object', () => {
  const options = { schema: { ...PARTS, properties: { map: { type: 'object' } } }, variables: { map: 'MAP' } };
  for (const text of ['{"__proto__":{"a":1}}', '{"deep":[{"__proto__":1}]}']) {
    const { problems } = failureOf(() => load({ 'default.json': { map: { a: 1 } } }, { MAP: text }, options));
    expect(problems).toMatchObject([{ path: 'map', source: 'the environment variable MAP', message: 'must be an object' }]);
  }
});

it('what a variable leaves out of an object is to be set in the variable', () => {
  const options = { schema: { ...PARTS, properties: { map: { ...PARTS.properties.map, required: ['a'] } } }, variables: { map: 'MAP' } };
  const { problems } = failureOf(() => load({ 'default.json': { map: { a: 1 } } }, { MAP: '{}' }, options));
  expect(problems).toEqual([{ path: 'map.a', message: 'is missing', mend: 'set it in the environment variable MAP' }]);
});

describe('environment variables by a map', () => {
  it('lie over the files', () => {
    expect(load(files)).toEqual({ port: 1, authentication: { secret: 'from the file' } });
    expect(load(files, { AUTH_SECRET: 'from the variable' }).authentication.secret).toBe('from the variable');
  });

  it('lie over NODE_CONFIG', () => {
    expect(load(files, { PORT: '2', NODE_CONFIG: '{"port":3}' }).port).toBe(2);
  });

  it('are read in the format of the map', () => {
    const env = { PORT: '3030', DEBUG_IT: 'false', ORIGINS: '["a","b"]' };
    expect(load(files, env)).toMatchObject({ port: 3030, debug: false, origins: ['a', 'b'] });
  });

  it('count as not set when they are empty', () => {
    expect(load(files, { PORT: '', AUTH_SECRET: '' })).toEqual({ port: 1, authentication: { secret: 'from the file' } });
  });

  it('may be named by an option, which wins over the file', () => {
    const variables = { port: { __name: 'HTTP_PORT', __format: 'number' }, data: { folder: 'DATA_DIR' } };
    expect(load(files, { PORT: '2', HTTP_PORT: '3', DATA_DIR: '/data' }, { variables })).toMatchObject({
      port: 3,
      data: { folder: '/data' },
    });
  });

  it('do not reach settings that no map names', () => {
    expect(load({ 'default.json': { home: 1 } }, { HOME: '/root', home: '/root' })).toEqual({ home: 1 });
  });

  it.each([
    [{ PORT: 'hunter2' }, "The setting 'port' (set by the environment variable PORT) must be a number: correct it there."],
    [{ PORT: '12abc' }, "The setting 'port' (set by the environment variable PORT) must be a number: correct it there."],
    [{ PORT: '1e999' }, "The setting 'port' (set by the environment variable PORT) must be a number: correct it there."],
    [{ PORT: ' ' }, "The setting 'port' (set by the environment variable PORT) must be a number: correct it there."],
    [{ DEBUG_IT: 'yes' }, "The setting 'debug' (set by the environment variable DEBUG_IT) must be true or false: correct it there."],
    [{ ORIGINS: 'hunter2' }, "The setting 'origins' (set by the environment variable ORIGINS) must be valid JSON: correct it there."],
  ])('%j does not fit its format', (env, sentence) => {
    expect(failureOf(() => load(files, env)).message).toBe(sentence);
  });

  it('are all looked at, and the problems listed', () => {
    const error = failureOf(() => load(files, { PORT: 'x', DEBUG_IT: 'x', ORIGINS: 'x' }));
    expect(error.message).toMatch(/^The setting 'port' .*: correct it there; also wrong: 'debug', 'origins'\.$/);
    expect(error.problems.map(({ path }) => path)).toEqual(['port', 'debug', 'origins']);
  });

  it.each<[string, object]>([
    ['a number', { port: 5 }],
    ['a name that is none', { port: { __name: 5 } }],
    ['a format that is none', { port: { __name: 'PORT', __format: 5 } }],
    ['a list', { port: ['PORT'] }],
  ])('a map with %s is refused', (_what, map) => {
    const error = failureOf(() => load({ 'custom-environment-variables.json': map }, { PORT: '1' }));
    expect(withoutFolders(error.message)).toBe(
      "The setting 'port' (set in custom-environment-variables.json) must be the name of an environment variable: correct the map.",
    );
  });

  it('a map with an unknown format is refused', () => {
    const map = { port: { __name: 'PORT', __format: 'numeric' } };
    expect(failureOf(() => load({ 'custom-environment-variables.json': map }, { PORT: '1' })).message).toContain(
      "has the unknown format 'numeric'",
    );
  });
});

it('a map that has a value in place of a name does not show it', () => {
  const error = failureOf(() =>
    load(
      { 'default.json': {} },
      {},
      { schema: { type: 'object', required: ['database'] }, variables: { database: 'postgres://app:hunter2@db.example' } },
    ),
  );
  expect(error.message).not.toContain('hunter2');
});

describe('names that would reach the prototype of all objects', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['in a map', JSON.parse('{"__proto__":{"reached":"TEXT"}}'), '__proto__'],
    ['deep in a map', JSON.parse('{"a":{"__proto__":{"reached":"TEXT"}}}'), 'a.__proto__'],
    ['in the text of a variable', { a: { __name: 'TEXT', __format: 'json' } }, '__proto__'],
  ])('are refused %s', (_where, variables, name) => {
    const options = { variables: variables as NonNullable<ConfigurationOptions['variables']> };
    const { message } = failureOf(() => load({ 'default.json': { a: { b: 1 } } }, { TEXT: '{"__proto__":{"reached":1}}' }, options));
    expect(message).toContain(`has the reserved name '${name}': rename it`);
    expect(Reflect.get({}, 'reached')).toBeUndefined();
  });
});

it.each(['constructor', 'toString', '__proto__'])('what every object has is no format of a variable: %s', (format) => {
  const variables = { port: { __name: 'PORT', __format: format } };
  expect(failureOf(() => load({ 'default.json': {} }, { PORT: '1' }, { variables })).message).toContain(
    `has the unknown format '${format}'`,
  );
});

it.each<[string, object, object]>([
  ['by the schema', { schema: { type: 'object', properties: { chat: { type: 'integer' } } } }, { chat: 'CHAT' }],
  ['by the map', {}, { chat: { __name: 'CHAT', __format: 'number' } }],
])('a whole number that has no place among numbers is refused and not changed to its neighbour: %s', (_what, options, variables) => {
  const loaded = (CHAT: string): unknown => load({ 'default.json': {} }, { CHAT }, { ...options, variables: { ...variables } }).chat;
  expect(failureOf(() => loaded('9007199254740993')).problems).toMatchObject([{ path: 'chat', source: 'the environment variable CHAT' }]);
  expect(loaded('-9007199254740991')).toBe(-9_007_199_254_740_991);
});
