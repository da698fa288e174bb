import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { folderWith } from './harness.ts';

const built = (name: string): string => pathToFileURL(join(import.meta.dirname, `../../${name}/dist/index.js`)).href;
const START = `
import { configuration } from '${built('configuration')}';
import { framework } from '${built('core')}';
const schema = {
  type: 'object',
  required: ['port', 'authentication'],
  properties: {
    port: { type: 'integer', minimum: 0, maximum: 65535 },
    authentication: { type: 'object', required: ['secret'], properties: { secret: { type: 'string', minLength: 32 } } },
  },
};
const app = framework();
`;
const PRINT = `console.log(JSON.stringify([app.get('port'), app.get('authentication').secret.length]), app.settings);`;
const SECRET = 'kQ9'.repeat(12);
const config = {
  'config/default.json': { port: 3030, authentication: { secret: SECRET } },
  'config/production.json': { port: 80 },
  'config/custom-environment-variables.json': { port: 'PORT', authentication: { secret: 'AUTH_SECRET' } },
};

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program in a folder with its configuration, as a user does, and waits for its end. */
function run(
  files: Readonly<Record<string, object | string>>,
  env: Record<string, string> = {},
  main: string = `${START}app.configure(configuration({ schema }));\n${PRINT}`,
  args: readonly string[] = [],
): Promise<Ended> {
  const cwd = folderWith({ 'main.mjs': main, ...files });
  const child = spawn(process.execPath, ['main.mjs', ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (ended.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (ended.stderr += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ code, ...ended });
    });
  });
}

describe('a program', () => {
  it.each<[string, Record<string, string>, [number, number]]>([
    ['config/default.json', {}, [3030, 36]],
    ['the file of its environment', { NODE_ENV: 'production' }, [80, 36]],
    ['environment variables by the map', { NODE_ENV: 'production', PORT: '8080', AUTH_SECRET: 'x'.repeat(40) }, [8080, 40]],
  ])('takes its settings from %s, and prints no secret with them', async (_what, env, expected) => {
    const ended = await run(config, env);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toContain(JSON.stringify(expected));
    expect(ended.stdout).toContain("secret: '[secret]'");
    expect(ended.stdout).not.toContain(SECRET);
  });

  it.each<[string, Readonly<Record<string, object | string>>, Record<string, string>, string]>([
    [
      'a missing setting',
      { ...config, 'config/default.json': { port: 3030 } },
      {},
      "The setting 'authentication' is missing: set it in config/default.json.",
    ],
    [
      'a missing secret',
      { ...config, 'config/default.json': { port: 3030, authentication: {} } },
      {},
      "The setting 'authentication.secret' is missing: set it in config/default.json or by the environment variable AUTH_SECRET.",
    ],
    [
      'a wrong value in a file',
      { ...config, 'config/production.json': { port: 'hunter2' } },
      { NODE_ENV: 'production' },
      "The setting 'port' (set in config/production.json) must be an integer: correct it there.",
    ],
    [
      'a wrong environment variable',
      config,
      { PORT: 'hunter2' },
      "The setting 'port' (set by the environment variable PORT) must be an integer: correct it there.",
    ],
    [
      'a secret that is too short',
      config,
      { AUTH_SECRET: 'hunter2' },
      "The setting 'authentication.secret' (set by the environment variable AUTH_SECRET) must NOT have fewer than 32 characters: correct it there.",
    ],
    [
      'malformed JSON',
      { ...config, 'config/default.json': '{ "secret": "hunter2" "port": 1 }' },
      {},
      'The configuration in config/default.json is not valid JSON at line 1, column 23: correct it there.',
    ],
    [
      'no folder',
      {},
      {},
      'The configuration has no folder config: make it, or name another one by the option `directory` or by the environment variable NODE_CONFIG_DIR.',
    ],
  ])('ends with one sentence and exit code 1 for %s', async (_what, files, env, sentence) => {
    expect(await run(files, env)).toEqual({ code: 1, stdout: '', stderr: `${sentence}\n` });
  });

  it('also ends so when the error rejects a promise that nobody handles', async () => {
    const main = `${START}const start = async () => { app.configure(configuration({ schema })); };\nstart();`;
    const ended = await run(config, { PORT: 'x' }, main);
    expect(ended).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^The setting 'port' .*\.\n$/) });
  });

  it('may catch the error, and what it throws later is printed as ever', async () => {
    const main = `${START}try { app.configure(configuration({ schema })); } catch (error) { console.log(error.name); }\nthrow new RangeError('later');`;
    const ended = await run(config, { PORT: 'x' }, main);
    expect(ended).toMatchObject({ code: 1, stdout: 'ConfigurationError\n' });
    expect(ended.stderr).toMatch(/RangeError: later\n\s+at /);
  });

  it('that handles uncaught errors itself keeps doing so', async () => {
    const main = `${START}process.on('uncaughtException', (error) => { console.log('own', error.name); process.exit(3); });\napp.configure(configuration({ schema }));`;
    expect(await run(config, { PORT: 'x' }, main)).toEqual({ code: 3, stdout: 'own ConfigurationError\n', stderr: '' });
  });

  it('that prints the error itself shows no value', async () => {
    const main = `${START}try { app.configure(configuration({ schema })); } catch (error) { console.error(error); }`;
    const ended = await run(config, { PORT: 'hunter2' }, main);
    expect(ended.stderr).toContain('ConfigurationError: The setting');
    expect(ended.stderr).not.toContain('hunter2');
  });
});

it('programs among the files are read anew by each call, as the other files are', async () => {
  const main = `
import { loadConfiguration } from '${built('configuration')}';
const read = (PORT) => { process.env.PORT = PORT; return loadConfiguration().port; };
console.log(read('1'), read('2'));`;
  const ended = await run({ 'config/default.cjs': 'module.exports = { port: process.env.PORT };' }, {}, main);
  expect(ended).toMatchObject({ code: 0, stdout: '1 2\n' });
});

describe('arguments of the command', () => {
  const files = {
    ...config,
    'other/default.json': { port: 1, authentication: { secret: SECRET } },
    'config/default-blue.json': { port: 7 },
  };
  it.each<[string, readonly string[], Record<string, string>, number]>([
    ['name the environment', ['--NODE_ENV=production'], { NODE_ENV: 'test' }, 80],
    ['name the environment of the files', ['--NODE_CONFIG_ENV=production'], { NODE_CONFIG_ENV: 'test' }, 80],
    ['name the folder', ['--NODE_CONFIG_DIR=other'], { NODE_CONFIG_DIR: 'config' }, 1],
    ['name the instance', ['--NODE_APP_INSTANCE=blue'], {}, 7],
    ['give settings, over those of NODE_CONFIG', ['-x', '--NODE_CONFIG={"port":9}'], { NODE_CONFIG: '{"port":8}' }, 9],
    ['give no other variables', ['--PORT=9', 'NODE_ENV=production', '--NODE_ENV', 'production'], {}, 3030],
  ])('%s', async (_what, args, env, port) => {
    const { code, stdout, stderr } = await run(files, env, undefined, args);
    expect([code, stderr, JSON.parse(/^\[.*?\]/.exec(stdout)?.[0] ?? 'null')]).toEqual([0, '', [port, 36]]);
  });

  it('are named where they are wrong, and nothing of them is shown', async () => {
    const { code, stderr } = await run(files, {}, undefined, ['--NODE_CONFIG={"authentication":{"secret":"hunter2"}']);
    expect([code, stderr]).toEqual([
      1,
      'The configuration in the argument --NODE_CONFIG is not valid JSON at line 1, column 39: correct it there.\n',
    ]);
    const wrong = await run(files, {}, undefined, ['--NODE_CONFIG={"port":"hunter2"}']);
    expect(wrong.stderr).toBe("The setting 'port' (set by the argument --NODE_CONFIG) must be an integer: correct it there.\n");
  });
});
