import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authenticationSettingsSchema, AuthenticationService } from '@framework/authentication';
import { configuration } from '@framework/configuration';
import { framework } from '@framework/core';
import { authenticationSettingsSchema as typeBoxSchema } from '@framework/schema';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const authentication = {
  secret: 'a secret that is long enough for tests 42',
  entity: null,
  authStrategies: ['jwt'],
  sessions: { maxAge: '7d', cookie: true },
  limiter: { account: { attempts: 5, window: '1m' }, address: false },
  local: { usernameField: 'email', passwordField: 'password' },
};

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'settings-schema-'));
  writeFileSync(join(directory, 'default.json'), JSON.stringify({ authentication }));
});
afterAll(() => {
  rmSync(directory, { recursive: true });
});

it.each([
  ['@framework/authentication', authenticationSettingsSchema],
  ['@framework/schema', typeBoxSchema],
])('settings from files are checked by the schema of %s, and are what the service takes (interface 2.1)', (_package, own) => {
  const app = framework();
  app.configure(configuration({ schema: { type: 'object', properties: { authentication: own } }, directory, env: {} }));
  const service = new AuthenticationService(app);
  expect(service.configuration).toMatchObject({ ...authentication, local: { errorMessage: 'Invalid login' } });
  expect(service.sessions?.settings).toMatchObject({ maxAge: 604_800_000, service: 'sessions', refresh: 'cookie' });
});
