import { delimiter } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { failureOf, folderWith, load, withoutFolders } from './harness.ts';

describe('with NODE_CONFIG_STRICT_MODE', () => {
  const files = { 'default.json': { port: 1 }, 'production.json': { port: 2 }, 'default-blue.json': {}, 'web-1-staging.json': {} };
  const strict = (env: Record<string, string>, options = {}): Record<string, unknown> =>
    load(files, { NODE_CONFIG_STRICT_MODE: 'true', ...env }, options);

  it.each([
    ['nothing names', {}],
    ['has a file', { NODE_ENV: 'production' }],
    ['has a file for its host', { NODE_ENV: 'staging', HOST: 'web-1' }],
    ['has a file, as has the instance', { NODE_ENV: 'production', NODE_APP_INSTANCE: 'blue' }],
    ['is development', { NODE_ENV: 'development' }],
  ])('an environment is taken that %s', (_what, env: Record<string, string>) => {
    expect(strict(env).port).toBe(env.NODE_ENV === 'production' ? 2 : 1);
  });

  it.each([
    ['prod', { NODE_ENV: 'prod' }, 'NODE_ENV', 'prod'],
    ['PRODUCTION', { NODE_CONFIG_ENV: 'PRODUCTION', NODE_ENV: 'production' }, 'NODE_CONFIG_ENV', 'PRODUCTION'],
    ['one of several', { NODE_ENV: 'production,eu', NODE_CONFIG_STRICT_MODE: '1' }, 'NODE_ENV', 'eu'],
  ])('an environment without a file is an error that names it: %s', (_what, env, variable, name) => {
    const { message } = failureOf(() => strict(env));
    expect(withoutFolders(message)).toBe(
      `The configuration in the environment variable ${variable} names '${name}', for which there is no file in <folder>: ` +
        `correct it there, or make <folder>/${name}.json.`.replaceAll('<folder>/', ''),
    );
  });

  it('so are an instance without a file, and names that stand for all environments', () => {
    expect(failureOf(() => strict({ NODE_APP_INSTANCE: 'green' })).message).toContain(
      "the environment variable NODE_APP_INSTANCE names 'green'",
    );
    for (const name of ['default', 'local'])
      expect(failureOf(() => strict({ NODE_ENV: name })).message).toContain(`names '${name}', whose files are read in every environment`);
    expect(failureOf(() => strict({}, { environment: 'prod' })).message).toContain("the option `environment` names 'prod'");
  });

  it('a file in any of several folders is enough', () => {
    const directory = [folderWith({ 'default.json': {} }), folderWith({ 'eu.json': { port: 5 } })].join(delimiter);
    expect(load({}, { NODE_CONFIG_STRICT_MODE: '1', NODE_ENV: 'eu' }, { directory }).port).toBe(5);
  });

  it.each(['', '0', 'false'])('as %p it asks for nothing', (value) => {
    expect(load(files, { NODE_CONFIG_STRICT_MODE: value, NODE_ENV: 'prod' }).port).toBe(1);
  });
});
