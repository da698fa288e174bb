import { delimiter } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { loadConfiguration } from '../src/index.ts';
import { failureOf, folderWith, load, withoutFolders } from './harness.ts';

describe('the files', () => {
  const files = {
    'default.json': { port: 1, list: [1, 2], deep: { a: 1, b: 1 } },
    'production.json': { port: 2, list: [3], deep: { b: 2 } },
    'local.json': { local: true },
    'local-production.json': { local: 'production' },
  };

  it('lie over each other: default, environment, local', () => {
    expect(load(files)).toEqual({ port: 1, list: [1, 2], deep: { a: 1, b: 1 }, local: true });
    expect(load(files, { NODE_ENV: 'production' })).toEqual({ port: 2, list: [3], deep: { a: 1, b: 2 }, local: 'production' });
  });

  it.each([
    ['NODE_ENV', { NODE_ENV: 'production' }, {}],
    ['NODE_CONFIG_ENV before it', { NODE_ENV: 'test', NODE_CONFIG_ENV: 'production' }, {}],
    ['the option before both', { NODE_ENV: 'test', NODE_CONFIG_ENV: 'other' }, { environment: 'production' }],
  ])('are of the environment that %s names', (_what, env, options) => {
    expect(load(files, env, options).port).toBe(2);
  });

  it('need none for the environment', () => {
    expect(load(files, { NODE_ENV: 'staging' }).port).toBe(1);
  });

  it('may be of a host and of an instance', () => {
    const more = { ...files, 'web-1.json': { host: 'web' }, 'default-blue.json': { instance: 'blue' } };
    expect(load(more, { HOST: 'web-1', NODE_APP_INSTANCE: 'blue' })).toMatchObject({ host: 'web', instance: 'blue' });
  });

  it('lie in the folder that the option, NODE_CONFIG_DIR or the working directory names', () => {
    const one = folderWith({ 'default.json': { from: 'one' } });
    const two = folderWith({ 'default.json': { from: 'two', more: true } });
    expect(loadConfiguration({ directory: one, env: { NODE_CONFIG_DIR: two } })).toEqual({ from: 'one' });
    expect(loadConfiguration({ env: { NODE_CONFIG_DIR: two } })).toEqual({ from: 'two', more: true });
    expect(loadConfiguration({ env: { NODE_CONFIG_DIR: [two, one].join(delimiter) } })).toMatchObject({ more: true });
  });

  it('may have comments, and be YAML or JavaScript', () => {
    expect(load({ 'default.json': '{\n// a note\n"a": 1,\n}' })).toEqual({ a: 1 });
    expect(load({ 'default.yaml': 'a: 1\nb:\n  - x\n' })).toEqual({ a: 1, b: ['x'] });
    expect(load({ 'default.cjs': 'module.exports = { a: 1 + 1 };' })).toEqual({ a: 2 });
  });

  it('may work values out of others', () => {
    const program = 'module.exports = ({ defer }) => ({ url: defer((config) => `http://${config.host}/`) });';
    expect(load({ 'default.cjs': program, 'production.json': { host: 'example.com' } }, { NODE_ENV: 'production' }).url).toBe(
      'http://example.com/',
    );
  });

  it('lie below the variable NODE_CONFIG', () => {
    expect(load(files, { NODE_CONFIG: '{"deep":{"a":9}}' }).deep).toEqual({ a: 9, b: 1 });
  });

  it('are read anew by each call, into settings of its own', () => {
    const directory = folderWith({ 'default.json': { deep: { a: 1 } } });
    const first = loadConfiguration({ directory, env: {} });
    expect(loadConfiguration({ directory, env: {} })).toEqual(first);
    expect(loadConfiguration({ directory, env: {} })).not.toBe(first);
  });

  it('give settings that are frozen at every depth', () => {
    const settings = load(files);
    for (const part of [settings, settings.deep, settings.list]) expect(Object.isFrozen(part)).toBe(true);
  });
});

describe('a file that can not be read', () => {
  it.each<[string, Record<string, string>, string]>([
    [
      'malformed JSON',
      { 'default.json': '{ "secret": "hunter2",\n  "port": x }' },
      'The configuration in default.json is not valid JSON at line 2, column 11: correct it there.',
    ],
    ['an empty file', { 'default.json': '' }, 'The configuration in default.json is not valid JSON at line 1, column 1: correct it there.'],
    [
      'malformed YAML',
      { 'default.yaml': 'a: [hunter2\nb: }' },
      'The configuration in default.yaml is not valid YAML at line 2, column 1: correct it there.',
    ],
    ['a list', { 'default.json': '["hunter2"]' }, 'The configuration in default.json must hold an object with settings: correct it there.'],
    [
      'a text',
      { 'production.json': '"hunter2"' },
      'The configuration in production.json must hold an object with settings: correct it there.',
    ],
    [
      'a reserved name',
      { 'default.json': '{"a":{"__proto__":{"hunter2":1}}}' },
      "The configuration in default.json has the reserved name 'a.__proto__': rename it.",
    ],
    [
      'a form without its package',
      { 'default.toml': 'a = "hunter2"' },
      'The configuration in default.toml could not be read: install the package that reads toml files, or write it as JSON.',
    ],
    [
      'a program that throws',
      { 'default.cjs': 'throw new RangeError("hunter2")' },
      'The configuration in default.cjs could not be loaded (RangeError): the cause of this error says why.',
    ],
    [
      'a program that gives no object',
      { 'default.cjs': 'module.exports = "hunter2"' },
      'The configuration in default.cjs must give an object with settings: correct it there.',
    ],
    [
      'a promise',
      { 'default.cjs': 'module.exports = { db: { url: Promise.resolve("hunter2") } }' },
      "The setting 'db.url' is a promise, and settings are read at once: give its value.",
    ],
    [
      'a map of variables that is malformed',
      { 'custom-environment-variables.json': '{' },
      'The configuration in custom-environment-variables.json is not valid JSON at line 1, column 2: correct it there.',
    ],
  ])('%s is one sentence that shows nothing of it', (_what, files, sentence) => {
    const error = failureOf(() => load(files, { NODE_ENV: 'production' }));
    expect(withoutFolders(error.message)).toBe(sentence);
    expect(({} as { hunter2?: unknown }).hunter2).toBeUndefined();
  });

  it('is also said of the variable NODE_CONFIG', () => {
    const error = failureOf(() => load({}, { NODE_CONFIG: '{"secret":hunter2}' }));
    expect(error.message).toBe(
      'The configuration in the environment variable NODE_CONFIG is not valid JSON at line 1, column 11: correct it there.',
    );
  });

  it.each([
    ['that does not parse', "module.exports = { secret: 'hunter2 };"],
    ['that reads JSON which does not parse', "module.exports =\n  JSON.parse('hunter2');"],
  ])('shows nothing of a program %s', (_what, program) => {
    const error = failureOf(() => load({ 'default.cjs': program }));
    expect(`${inspect(error, { showHidden: true })} ${JSON.stringify(error)}`).not.toContain('hunter2');
    expect(error.message).toContain('default.cjs could not be loaded (SyntaxError');
  });

  it('has what a program threw as its cause', () => {
    const error = failureOf(() => load({ 'default.cjs': "throw new RangeError('why')" }));
    expect(error.cause).toMatchObject({ name: 'RangeError', message: 'why' });
  });

  it('may be a folder that is not there', () => {
    const error = failureOf(() => loadConfiguration({ directory: '/no/such/folder', env: {} }));
    expect(error.message).toBe(
      'The configuration has no folder /no/such/folder: make it, or name another one by the option `directory` or by the environment variable NODE_CONFIG_DIR.',
    );
  });
});

it('refuses options that it does not know, and values of the wrong kind', () => {
  expect(() => loadConfiguration({ dir: 'config' } as object)).toThrow("configuration() has no option 'dir'; it has schema, directory");
  expect(() => loadConfiguration({ directory: 5 as never })).toThrow(
    "The option 'directory' of configuration() has a value of the wrong kind",
  );
  expect(() => loadConfiguration({ secrets: 'a' as never })).toThrow("The option 'secrets'");
});

it.each(['new Map([["hunter2", 1]])', 'new Set(["hunter2"])'])(
  'a program whose %s would lose its entries is told how to give it',
  (made) => {
    const { problems } = failureOf(() => load({ 'default.cjs': `module.exports = { deep: { users: ${made} } };` }));
    expect(problems).toMatchObject([{ path: 'deep.users', mend: 'give it by `raw`: module.exports = ({ raw }) => ({ … })' }]);
    expect(load({ 'default.cjs': `module.exports = ({ raw }) => ({ deep: { users: raw(${made}) } });` }).deep.users.size).toBe(1);
  },
);
