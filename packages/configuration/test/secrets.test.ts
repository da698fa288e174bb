import { format, inspect } from 'node:util';
import { framework } from '@framework/core';
import { Hidden, Type } from '@framework/schema';
import express from '@framework/transport-express';
import { describe, expect, it } from '@jest/globals';
import { configuration } from '../src/index.ts';
import { folderWith, load } from './harness.ts';

const settings = {
  port: 3030,
  authentication: {
    secret: 'hunter2',
    keys: [{ kid: '1', secret: 'hunter2' }],
    local: { usernameField: 'email', passwordField: 'password' },
    oauth: { github: { key: 'id', secret: 'hunter2' } },
    allowWeakSecret: true,
  },
  mail: { host: 'mail.example', smtpPassword: 'hunter2', apiKey: 'hunter2', ACCESS_TOKEN: 'hunter2' },
  database: 'mongodb://app:hunter2@db.example:27017/app?a=b',
  hosts: ['amqp://app:hunter2@queue.example', 'amqp://app:odd@hunter2@queue.example'],
  licence: { number: 'hunter2' },
  pepper: 'hunter2',
  nothing: { secret: null },
};
const options = {
  schema: { type: 'object', properties: { licence: { type: 'object', properties: { number: { type: 'string', writeOnly: true } } } } },
  secrets: ['pepper'],
};

describe('secrets', () => {
  const loaded = load({ 'default.json': settings }, {}, options);

  it('can be read', () => {
    expect(loaded).toEqual(settings);
    expect({ ...loaded.authentication }).toEqual(settings.authentication);
  });

  it.each([
    ['inspect', (value: object) => inspect(value, { depth: 20 })],
    ['a format', (value: object) => format('%o %O %s', value, value, value)],
    ['an error with the settings', (value: object) => inspect(Object.assign(new Error('failed'), { value }))],
    ['JSON', (value: object) => JSON.stringify(value)],
    ['a plain inspection', (value: object) => inspect(value, { depth: 20, customInspect: false })],
    ['an inspection of all', (value: object) => inspect(value, { depth: 20, customInspect: false, showHidden: true, showProxy: true })],
  ])('are not shown by %s, of all settings or a part', (_how, print) => {
    for (const part of [loaded, loaded.authentication, loaded.authentication.oauth, loaded.mail, { some: [loaded] }]) {
      expect(print(part)).not.toContain('hunter2');
    }
    expect(print(loaded)).toContain('3030');
    expect(print(loaded)).toContain('mail.example');
  });

  it('can be copied, and not changed', () => {
    expect(structuredClone(loaded)).toEqual(settings);
    expect(() => Object.assign(loaded.authentication, { secret: 'another' })).toThrow(TypeError);
    expect(loaded.authentication.secret).toBe('hunter2');
  });

  it('of an application are not shown by plain inspections either, and can be set anew', () => {
    const [app, inner] = [express(framework()), express(framework())];
    app.configure(configuration({ ...options, directory: folderWith({ 'default.json': settings }), env: {} }));
    app.use('/inner', inner);
    const shown = () => inspect([app.settings, inner.settings], { depth: 20, customInspect: false, showHidden: true });
    expect(shown()).not.toContain('hunter2');
    inner.set('pepper', 'hunter2 of the inner one');
    expect([app.get('pepper'), inner.get('pepper'), inner.get('database')]).toEqual([
      'hunter2',
      'hunter2 of the inner one',
      settings.database,
    ]);
    app.set('pepper', 'hunter2 anew');
    expect([app.get('pepper'), inner.get('pepper')]).toEqual(['hunter2 anew', 'hunter2 of the inner one']);
    expect(shown()).not.toContain('hunter2');
  });

  it('have [secret] in their place, and what only speaks of them stays', () => {
    const text = inspect(loaded, { depth: 20 });
    expect(text).toContain("secret: '[secret]'");
    expect(text).toContain("database: 'mongodb://app:***@db.example:27017/app?a=b'");
    expect(text).toContain("passwordField: 'password'");
    expect(text).toContain('allowWeakSecret: true');
    expect(text).toContain('nothing: { secret: null }');
  });

  it('may be marked by the schema, also with Hidden of TypeBox schemas', () => {
    const schema = Type.Object({ pin: Hidden(Type.String()), code: Type.String({ format: 'password' }), open: Type.String() });
    const marked = load({ 'default.json': { pin: 'hunter2', code: 'hunter2', open: 'seen' } }, {}, { schema });
    expect(inspect(marked)).toBe("{ pin: '[secret]', code: '[secret]', open: 'seen' }");
    expect(JSON.stringify(marked)).toBe('{"open":"seen"}');
  });

  it.each([
    ['an application', () => framework()],
    ['an application on Express', () => express(framework())],
  ])('are not shown when %s is printed, also after a part was set anew', (_what, make) => {
    const app = make();
    app.configure(configuration({ ...options, directory: folderWith({ 'default.json': settings }), env: {} }));
    app.set('authentication', { ...settings.authentication, more: 1 });
    app.set('later', { password: 'hunter2' });
    expect(inspect(app, { depth: 10 })).not.toContain('hunter2');
    expect(inspect(app.settings)).toContain('3030');
    expect(JSON.stringify(app.settings)).not.toContain('hunter2');
    expect(app.get('pepper')).toBe('hunter2');
  });

  it('of a parent are not shown for a mounted application, which shows its own settings', () => {
    const parent = express(framework());
    parent.configure(configuration({ ...options, directory: folderWith({ 'default.json': settings }), env: {} }));
    const child = express();
    child.set('own', 'seen');
    parent.use('/child', child);
    expect(inspect(child.settings)).toContain("own: 'seen'");
    expect(inspect(child.settings)).not.toContain('hunter2');
  });
});

describe('what is printed of settings', () => {
  const printed = (value: unknown): string => `${inspect(value, { depth: 20 })} ${JSON.stringify(value)}`;

  it.each([
    ['the password of a mail server', { mail: { auth: { user: 'app', pass: 'hunter2' } } }],
    ['a password called after what it is for', { smtpPass: 'hunter2', db_pass: 'hunter2' }],
    ['keys', { signingKey: 'hunter2', encryption_key: 'hunter2', cookieKeys: ['hunter2'], masterKey: 'hunter2' }],
    ['a password with letters that addresses do not have', { database: 'postgres://app:hun/hunter2?#@db.example/app' }],
    ['a password with a blank', { database: 'postgres://app:hunter 2hunter2@db.example/app' }],
    ['a password without a user', { cache: 'redis://:hunter2@cache.example' }],
    ['a password in an address without a protocol', { proxy: '//app:hunter2@proxy.example' }],
    ['a password in the query of an address', { database: 'postgres://db.example/app?user=app&password=hunter2&ssl=true' }],
    ['a token in the query of an address', { hook: 'https://hook.example/?access_token=hunter2' }],
    ['a password between spaces', { database: 'host=db.example user=app password=hunter2 dbname=app' }],
    ['a password in quotes', { database: "host=db.example password='a b;hunter2 c' dbname=app" }],
    ['a password of two words', { database: 'Server=db.example; Password = a hunter2;Encrypt=true' }],
    ['a password in a list of properties', { database: 'Server=db.example;User Id=app;Password=hunter2;Encrypt=true' }],
    ['a header', { headers: { authorization: 'Bearer hunter2hunter2' } }],
    ['a private key in a text', { text: '-----BEGIN RSA PRIVATE KEY-----\nhunter2\n-----END RSA PRIVATE KEY-----' }],
  ])('has nothing of %s', (_what, values) => {
    expect(printed(load({ 'default.json': values }))).not.toContain('hunter2');
  });

  it.each([
    ['addresses with a port', 'http://api.example:3030/users/@me?mail=a@b.example'],
    ['addresses with a user', 'mongodb://app@db.example/app'],
    ['texts with an equals sign', 'a=b; c=d&max=3'],
  ])('leaves %s as they are', (_what, text) => {
    expect(inspect(load({ 'default.json': { text } }))).toBe(inspect({ text }));
  });

  it('are looked for once in a long text, such as a file in base64url', () => {
    const text = 'Ab-9'.repeat(500_000);
    const loaded = load({ 'default.json': { text, other: `${text}=a;Password=hunter2` } });
    expect(loaded.text === text).toBe(true);
    expect(inspect(loaded, { maxStringLength: Infinity })).not.toContain('hunter2');
  });

  it('leaves public keys and what only speaks of keys', () => {
    const values = { publicKey: 'seen', primaryKey: 'seen', keyField: 'seen', bypass: 'seen' };
    expect(inspect(load({ 'default.json': values }))).toBe(inspect(values));
  });

  it('has nothing of a list that is printed by itself', () => {
    const { hosts, apiKeys } = load({ 'default.json': { hosts: ['amqp://app:hunter2@queue.example'], apiKeys: ['hunter2'] } });
    expect([printed(hosts), printed(apiKeys)]).toEqual([
      '[ \'amqp://app:***@queue.example\' ] ["amqp://app:***@queue.example"]',
      "'[secret]' undefined",
    ]);
  });

  it.each([
    ['an address', new URL('https://app:hunter2@api.example/')],
    [
      'a map',
      new Map([
        ['password', 'hunter2'],
        ['address', 'https://app:hunter2@api.example/'],
      ]),
    ],
    ['a set', new Set(['https://app:hunter2@api.example/'])],
  ])('has nothing of %s that is set later', (_what, value) => {
    const app = framework();
    app.configure(configuration({ directory: folderWith({ 'default.json': {} }), env: {} }));
    app.set('service', { value });
    expect(printed(app.settings)).not.toContain('hunter2');
  });

  it.each([
    [
      'of items of a list',
      { accounts: { type: 'array', items: { type: 'object', properties: { pin: { type: 'string', writeOnly: true } } } } },
    ],
    [
      'of any property',
      { accounts: { type: 'object', additionalProperties: { properties: { pin: { writeOnly: true } }, type: 'object' } } },
    ],
    ['of properties by a pattern', { accounts: { type: 'object', patternProperties: { '.': { $ref: '#/definitions/account' } } } }],
    ['behind a reference', { accounts: { type: 'array', items: { $ref: '#/definitions/account' } } }],
    ['in a condition', { accounts: { type: 'array', items: { if: true, then: { $ref: '#/definitions/account' } } } }],
  ])('has nothing of what a schema marks as secret: %s', (title, properties) => {
    const definitions = { account: { type: 'object', properties: { pin: { type: 'string', writeOnly: true } } } };
    const accounts = title.startsWith('of any') || title.includes('pattern') ? { ann: { pin: 'hunter2' } } : [{ pin: 'hunter2' }];
    expect(printed(load({ 'default.json': { accounts } }, {}, { schema: { type: 'object', properties, definitions } }))).not.toContain(
      'hunter2',
    );
  });

  const account = { type: 'object', properties: { pin: { type: 'string', writeOnly: true } } };
  it.each([
    [
      'its $id',
      {
        properties: { account: { $ref: 'Account' } },
        $defs: { Account: { $id: 'Account', ...account } },
      },
    ],
    [
      'its $id below that of the whole',
      {
        $id: 'https://app.example/settings',
        properties: { account: { $ref: 'account' } },
        $defs: { Account: { $id: 'account', ...account } },
      },
    ],
    [
      'a place in a part with an $id',
      {
        properties: { account: { $ref: 'parts#/$defs/Account' } },
        $defs: { Parts: { $id: 'parts', $defs: { Account: account } } },
      },
    ],
    [
      'a place from inside of a part with an $id',
      {
        properties: { account: { $ref: 'parts' } },
        $defs: {
          Parts: {
            $id: 'parts',
            allOf: [{ $ref: '#/definitions/Account' }],
            definitions: { Account: account },
          },
        },
      },
    ],
    [
      'an $id that is an anchor',
      {
        properties: { account: { $ref: '#account' } },
        $defs: { Account: { $id: '#account', ...account } },
      },
    ],
    [
      'the $id of what is around it',
      {
        $id: 'Tree',
        properties: { pin: { type: 'string', writeOnly: true }, account: { $ref: 'Tree' } },
      },
    ],
  ])('are marked behind a reference to %s', (_what, schema) => {
    const settings = { account: { pin: 'hunter2' } };
    expect(printed(load({ 'default.json': settings }, {}, { schema: { type: 'object', ...schema } }))).not.toContain('hunter2');
  });

  it.each([
    ['to what is elsewhere', { $ref: 'elsewhere' }, "refers to 'elsewhere', which it does not hold"],
    ['to a place that is not there', { $ref: '#/$defs/None' }, "refers to '#/$defs/None', which it does not hold"],
    ['that is badly encoded', { $ref: '#/$defs/%E0%A4%A' }, 'which it does not hold'],
    ['past a definition that is called $id', { $ref: '#/definitions/Other' }, 'beside a definition that is called $id'],
  ])('are not looked for behind a reference %s, which is refused', (_what, reference, message) => {
    const schema = {
      type: 'object',
      properties: { account: reference },
      definitions: { $id: {}, Other: {} },
    };
    expect(() => load({ 'default.json': {} }, {}, { schema })).toThrow(message);
  });

  it('are not looked for in data that looks like a reference', () => {
    const schema = {
      type: 'object',
      properties: {
        $ref: { type: 'string', default: 'x', enum: ['x'] },
        any: { const: { $ref: 'elsewhere' } },
      },
    };
    expect(load({ 'default.json': { any: { $ref: 'elsewhere' } } }, {}, { schema })).toMatchObject({
      $ref: 'x',
    });
  });

  it('may be marked by a schema that refers to itself', () => {
    const schema = {
      $ref: '#/definitions/node',
      definitions: {
        node: { type: 'object', properties: { pin: { type: 'string', writeOnly: true }, next: { $ref: '#/definitions/node' } } },
      },
    };
    const loaded = load({ 'default.json': { next: { next: { next: { pin: 'hunter2' } } } } }, {}, { schema });
    expect(printed(loaded)).not.toContain('hunter2');
  });

  it('may be marked by the schema that a validator brings along', () => {
    const schema = { type: 'object', properties: { pin: { type: 'string', writeOnly: true } } };
    const loaded = load({ 'default.json': { pin: 'hunter2' } }, {}, { schema: Object.assign(() => true, { schema }) });
    expect(printed(loaded)).not.toContain('hunter2');
  });

  it('may be named in each element of a list', () => {
    const loaded = load({ 'default.json': { accounts: [{ pin: 'hunter2' }] } }, {}, { secrets: ['accounts.*.pin'] });
    expect(printed(loaded)).not.toContain('hunter2');
  });

  it('may be named or marked as a part with all that is in it', () => {
    const vault = { owner: 'hunter2', deep: { list: ['hunter2'] } };
    const schema = { type: 'object', properties: { marked: { type: 'object', writeOnly: true } } };
    const loaded = load({ 'default.json': { vault, marked: vault, open: 'shown' } }, {}, { schema, secrets: ['vault'] });
    for (const part of [loaded, loaded.vault, loaded.marked.deep.list]) {
      expect(inspect(part, { depth: 20 })).not.toContain('hunter2');
      expect(String(JSON.stringify(part))).not.toContain('hunter2');
    }
    expect(JSON.stringify(loaded)).toContain('shown');
  });

  it('may lead back to itself', () => {
    const app = framework();
    app.configure(configuration({ directory: folderWith({ 'default.json': {} }), env: {} }));
    const circle: Record<string, unknown> = { password: 'hunter2' };
    circle.self = circle;
    app.set('circle', circle);
    expect(inspect(app.settings)).toContain("circle: { password: '[secret]', self: '[circular]' }");
  });
});
