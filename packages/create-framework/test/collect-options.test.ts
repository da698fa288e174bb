import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { packageManagerOf } from '../src/package-manager/commands.ts';
import { packageNameOf } from '../src/package-manager/package-name.ts';
import { questionsOn } from '../src/questions/ask.ts';
import { databaseChoice } from '../src/questions/choices.ts';
import { collectOptions } from '../src/questions/collect-options.ts';

const NPM = packageManagerOf('npm/11.0.0 node/v24.0.0');

/** Answers the questions on a terminal, one line each. */
async function asked(lines: readonly string[], folder?: string, flags = {}): Promise<{ options: unknown; screen: string }> {
  const input = new PassThrough();
  const output = new PassThrough();
  const rest = [...lines];
  let screen = '';
  output.on('data', (chunk: Buffer) => {
    screen += chunk.toString();
    // Each question ends with its default.
    if (!/\) $/.test(chunk.toString())) return;
    const line = rest.shift();
    setImmediate(() => (line === undefined ? input.end() : input.write(`${line}\n`)));
  });
  const questions = questionsOn({ input, output });
  try {
    return { options: await collectOptions(folder, flags, NPM, questions.ask), screen };
  } finally {
    questions.close();
  }
}

describe('the questions', () => {
  it('are four, and empty answers are the defaults', async () => {
    const { options, screen } = await asked(['', '', '', '']);
    expect(options).toMatchObject({
      folder: 'my-api',
      name: 'my-api',
      database: { kind: 'embedded' },
      login: 'local',
      realTime: 'none',
      language: 'ts',
    });
    expect(screen.match(/\([\w-]+\) /g)).toEqual(['(my-api) ', '(embedded) ', '(local) ', '(none) ']);
  });

  it('are those alone that no flag answers', async () => {
    const { options, screen } = await asked(['oauth'], 'shop', { database: 'memory', 'real-time': 'yes', js: true });
    expect(options).toMatchObject({ name: 'shop', database: { kind: 'memory' }, login: 'oauth', realTime: 'sse', language: 'js' });
    expect(screen).not.toContain('Folder');
  });

  it('come again after a wrong answer, with what is wrong', async () => {
    const { options, screen } = await asked(['shop', 'momory', 'memory', '', '']);
    expect(options).toMatchObject({ database: { kind: 'memory' } });
    expect(screen).toContain('Did you mean memory?');
  });

  it('end with the input', async () => {
    await expect(asked(['shop'])).rejects.toThrow('Nothing was written');
  });

  it('are not asked where nobody answers', async () => {
    expect(await collectOptions(undefined, {}, NPM, undefined)).toMatchObject({ folder: 'my-api', login: 'local' });
  });

  it.each([
    [{ js: true, ts: true }, '--js and --ts'],
    [{ login: 'locl' }, 'Did you mean local?'],
    [{ login: '__proto__' }, '--login can not be'],
    [{ 'real-time': 'websockets' }, 'It is none, sse, socketio'],
    [{ database: 'mysql' }, '--database can not be'],
  ])('refuse %j', async (flags, said) => {
    await expect(collectOptions('shop', flags, NPM, undefined)).rejects.toThrow(said);
  });
});

describe('the URL of a database', () => {
  it.each([
    ['mongodb://localhost', 'mongodb://localhost/shop'],
    ['mongodb://localhost:27017/', 'mongodb://localhost:27017/shop'],
    ['mongodb://u:p%40@a:1,b:2/orders?replicaSet=r', 'mongodb://u:p%40@a:1,b:2/orders?replicaSet=r'],
    ['mongodb+srv://c.example.com?w=majority', 'mongodb+srv://c.example.com/shop?w=majority'],
  ])('%s is %s', (typed, url) => {
    expect(databaseChoice(typed, 'shop')).toEqual({ kind: 'mongodb', url });
  });

  it.each([
    ['my.shop', 'my-shop'],
    ['admin', 'admin-app'],
    ['local', 'local-app'],
    ['config', 'config-app'],
  ])('of a project called %s is that of the database %s', (name, database) => {
    expect(databaseChoice('mongodb://localhost', name)).toEqual({ kind: 'mongodb', url: `mongodb://localhost/${database}` });
  });

  it.each([
    'mongodb://',
    'mongodb://a/my.shop',
    'mongodb://a\nSECRET=1',
    "mongodb://a/b'c",
    'mongodb://a/$(x)',
    'mongodb://a#b',
    'mongodb://a/b/c',
    'MONGODB://pass word@a',
  ])('%j is refused, and not repeated', (typed) => {
    expect(() => databaseChoice(typed, 'shop')).toThrow(/^That is no URL of a MongoDB server: mongodb:\/\/host:27017\/name\./);
  });
});

describe('the name of the package', () => {
  it.each([
    ['My Shop!', 'my-shop'],
    ['../other/.hidden', 'hidden'],
    ['express', 'express-app'],
    ['@framework/core', 'core'],
    ['ünïcode-api', 'n-code-api'],
    ['my.shop_api', 'my.shop_api'],
    // Docker takes no image of these names.
    ['a..b', 'a-b'],
    ['a._-b', 'a-b'],
    ['a .b', 'a-b'],
    [`${'x'.repeat(59)}-yyy`, 'x'.repeat(59)],
    // npm takes no new package with the name of a module of Node.js.
    ['http', 'http-app'],
  ])('of %j is %s', (folder, name) => {
    expect(packageNameOf(folder)).toBe(name);
  });

  it.each(['', '/', '...', 'a\nb', 'a\u0000b', 'a"b', 'node_modules', 'CON', '日本', 'x'.repeat(2000), '--x', '-x/y'])(
    'there is none for %j',
    (folder) => {
      expect(() => packageNameOf(folder)).toThrow(/folder/);
    },
  );
});

describe('the package manager', () => {
  it.each([
    ['pnpm/10.34.8 npm/? node/v24.1.0 linux x64', 'pnpm', '10.34.8'],
    ['yarn/1.22.22 npm/? node/v20.0.0', 'yarn', '1.22.22'],
    ['bun/1.4.5 npm/? node/v24', 'bun', '1.4.5'],
    ['npm/11.0.0 node/v24.0.0', 'npm', '11.0.0'],
    ['deno/2.0.0', 'npm', ''],
    [undefined, 'npm', ''],
  ])('of %s is %s %s', (agent, name, version) => {
    expect(packageManagerOf(agent)).toEqual({ name, version });
  });
});
