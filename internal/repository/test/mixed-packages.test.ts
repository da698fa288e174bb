import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { installBuilt } from './install-built.ts';

// What npm installs where ranges differ: a package has a copy of its own of what the others share.
const packages = join(import.meta.dirname, '../../../packages');
const OURS = [
  'errors',
  'query',
  'core',
  'schema',
  'adapter-memory',
  'authentication',
  'authentication-local',
  'channels',
  'transport-express',
  'transport-sse',
  'transport-socketio',
  'openapi',
  'audit',
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mixed-'));
  for (const name of OURS) installBuilt(name, join(folder, 'node_modules/@framework', name), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'program.mjs'), PROGRAM);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Uses each package for what it keeps secret or decides, and prints what a caller gets of it. */
const PROGRAM = `
import { framework } from '@framework/core';
import express, { errorHandler, json, rest } from '@framework/transport-express';
import { NotFound } from '@framework/errors';
import { MemoryService } from '@framework/adapter-memory';
import { Hidden, Reference, serviceSchema, Type } from '@framework/schema';
import { authenticate, AuthenticationService, JWTStrategy } from '@framework/authentication';
import { hashPassword, LocalStrategy, protect } from '@framework/authentication-local';
import { channels } from '@framework/channels';
import { sse } from '@framework/transport-sse';
import { socketio } from '@framework/transport-socketio';
import { openapiDocument } from '@framework/openapi';
import { auditApplication } from '@framework/audit';

const app = express(framework());
app.use(json()).configure(rest()).configure(channels()).configure(sse()).configure(socketio());
app.set('authentication', { secret: 'no secret '.repeat(4), allowWeakSecret: true, service: 'users', entity: 'user', authStrategies: ['jwt', 'local'], local: { usernameField: 'email', passwordField: 'password', hashCost: { memoryCost: 1024, timeCost: 1, parallelism: 1 } } });
const user = Type.Object({ id: Type.Integer(), email: Type.String(), password: Type.String(), notes: Type.Optional(Hidden(Type.String())) }, { $id: 'User' });
app.use('users', new MemoryService({ startId: 1 }), { schema: serviceSchema({ record: user }) });
app.service('users').hooks({ before: { create: [hashPassword('password')] } });
app.use('plain', new MemoryService({ startId: 1 }));
app.service('plain').hooks({ around: { all: [protect('notes')] } });
app.use('posts', new MemoryService({ startId: 1 }), { schema: serviceSchema({ record: Type.Object({ id: Type.Integer(), authorId: Reference('users', { as: 'author', record: user, id: Type.Integer() }) }) }) });
app.use('inside', { find: async () => [await app.service('users').get(1), await app.service('plain').get(1)], get: () => Promise.reject(new NotFound('none')) });
app.use('private', new MemoryService());
app.service('private').hooks({ around: { all: [authenticate('jwt')] } });
const authentication = new AuthenticationService(app);
authentication.register('jwt', new JWTStrategy());
authentication.register('local', new LocalStrategy());
app.use('authentication', authentication);
const sent = [];
app.on('connection', (connection) => app.channel('all').join(connection));
app.publish((record, context) => app.channel('all'));
app.use(errorHandler({ logger: false }));
const server = await app.listen(0, '127.0.0.1');
const url = 'http://127.0.0.1:' + server.address().port;
const events = (await fetch(url + '/events')).body.getReader();
const ask = async (path, data) => {
  const answer = await fetch(url + path, { headers: { accept: 'application/json', 'content-type': 'application/json' }, ...(data && { method: 'POST', body: JSON.stringify(data) }) });
  const { user, code, ...body } = await answer.json();
  return [answer.status, ...(user ? [user] : code ? [] : [body])];
};
await app.service('users').create({ email: 'a@example.com', password: 'secret password', notes: 'SECRET' });
await app.service('plain').create({ text: 'seen', notes: 'SECRET' });
await app.service('posts').create({ authorId: 1 });
app.service('users').emit('updated', { id: 1, notes: 'SECRET' });
app.service('plain').emit('updated', { id: 1, notes: 'SECRET' });
app.service('inside').emit('updated', await app.service('users').get(1));
const told = {
  users: await ask('/users'), plain: await ask('/plain'), posts: await ask('/posts?$populate=author'), inside: await ask('/inside'), none: await ask('/inside/1'),
  query: await ask('/users?notes=SECRET'), private: await ask('/private'), login: await ask('/authentication', { strategy: 'local', email: 'a@example.com', password: 'secret password' }),
  audit: Object.entries(auditApplication(app)).map(([path, { methods, hidden, events = [] }]) => [path, methods.find?.guards ?? [], hidden, events.length > 0]),
  document: /notes/.test(JSON.stringify(await openapiDocument(app, { info: { title: 'Mixed', version: '1' }, onWarning: () => undefined }))),
};
let text = '';
while (!text.includes('inside updated')) text += new TextDecoder().decode((await events.read()).value);
console.log(JSON.stringify({ ...told, events: text.split('\\n').filter((line) => line.startsWith('data: {') && !line.includes('"id":"')) }));
process.exit(0);
`;

/** What a caller gets where all is there once. */
const ALONE = {
  users: [200, { '0': { id: 1, email: 'a@example.com' } }],
  plain: [200, { '0': { id: 1, text: 'seen' } }],
  posts: [200, { '0': { id: 1, authorId: 1, author: { id: 1, email: 'a@example.com' } } }],
  inside: [200, { '0': { id: 1, email: 'a@example.com' }, '1': { id: 1, text: 'seen' } }],
  none: [404],
  query: [400],
  private: [401],
  login: [201, { id: 1, email: 'a@example.com' }],
  audit: [
    ['authentication', [], [], false],
    ['inside', [], [], true],
    ['plain', [], ['notes'], true],
    ['posts', [], [], true],
    ['private', ['authenticate(jwt)'], [], true],
    ['users', [], ['notes', 'password'], true],
  ],
  document: false,
  events: [
    'data: {"id":1,"email":"a@example.com"}',
    'data: {"id":1,"text":"seen"}',
    'data: {"id":1,"authorId":1}',
    'data: {"id":1}',
    'data: {"id":1}',
    'data: {"id":1,"email":"a@example.com"}',
  ],
};

/** Runs the program where a package has a copy of its own of another one. @returns what it printed, or the message that it ended with */
function run(dependent?: string, dependency?: string): unknown {
  const own = join(folder, 'node_modules/@framework', dependent ?? '', 'node_modules');
  if (dependent !== undefined && dependency !== undefined)
    installBuilt(dependency, join(own, '@framework', dependency), join(folder, 'node_modules'));
  try {
    const { stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', join(folder, 'program.mjs')], {
      encoding: 'utf8',
      timeout: 120_000,
    });
    return stdout === '' ? (/^\w*Error: (.*)$/m.exec(stderr)?.[1] ?? stderr) : (JSON.parse(stdout) as unknown);
  } finally {
    if (dependent !== undefined) rmSync(own, { recursive: true, force: true });
  }
}

const dependentsOn = (name: string): string[] =>
  OURS.filter((each) => {
    const { dependencies = {} } = JSON.parse(readFileSync(join(packages, each, 'package.json'), 'utf8')) as { dependencies?: object };
    return `@framework/${name}` in dependencies;
  });

describe('a package with a copy of its own of what the others share', () => {
  it('is compared with an application that has each package once', () => {
    expect(run()).toEqual(ALONE);
  });

  it.each(dependentsOn('core'))('S34 is refused by the application where it is the core: %s', (dependent) => {
    expect(run(dependent, 'core')).toMatch(/^Two copies of @framework\/core are installed, and .* `npm ls @framework\/core` shows where/);
  });

  it.each(dependentsOn('authentication'))('is refused where it is the authentication: %s', (dependent) => {
    expect(run(dependent, 'authentication')).toMatch(/^Two copies of @framework\/authentication are installed, and the strategy 'local' /);
  });

  it.each(dependentsOn('channels'))('is refused where it is the channels: %s', (dependent) => {
    expect(run(dependent, 'channels')).toMatch(/^Two copies of @framework\/channels are installed, and /);
  });

  it.each(
    dependentsOn('errors')
      .map((dependent) => [dependent, 'errors'])
      .concat(dependentsOn('query').map((dependent) => [dependent, 'query'])),
  )('does the same where that keeps nothing: %s with %s', (dependent, dependency) => {
    expect(run(dependent, dependency)).toEqual(ALONE);
  });
});
