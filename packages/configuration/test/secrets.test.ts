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
  ])('are not shown by %s, of all settings or a part', (_how, print) => {
    for (const part of [loaded, loaded.authentication, loaded.authentication.oauth, loaded.mail, { some: [loaded] }]) {
      expect(print(part)).not.toContain('hunter2');
    }
    expect(print(loaded)).toContain('3030');
    expect(print(loaded)).toContain('mail.example');
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
