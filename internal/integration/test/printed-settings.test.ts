import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { AuthenticationService } from '@framework/authentication';
import { configuration } from '@framework/configuration';
import { framework } from '@framework/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const SECRET = 'hunter2 hunter2 hunter2 hunter2 hunter2';
const authentication = {
  secret: SECRET,
  keys: [{ kid: 'old', secret: SECRET }],
  entity: null,
  authStrategies: ['jwt'],
  oauth: { github: { key: 'id', secret: SECRET } },
  ldap: { url: 'ldaps://directory.example', bindPassword: SECRET },
};

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'printed-settings-'));
  writeFileSync(join(directory, 'default.json'), JSON.stringify({ authentication }));
});
afterAll(() => {
  rmSync(directory, { recursive: true });
});

const app = framework();
const service = (): AuthenticationService => {
  app.configure(configuration({ directory, env: {} }));
  return new AuthenticationService(app);
};

describe.each([
  ['the setting', () => (service(), app.get('authentication') as Record<string, unknown>)],
  ['the configuration of the service', () => service().configuration as Record<string, unknown>],
])('with settings from files, %s of an authentication service', (_what, read) => {
  it('prints no secret', () => {
    expect(inspect(read(), { depth: 9 })).not.toContain('hunter2');
  });

  it.each(['keys', 'oauth', 'ldap'])('prints no secret of a part: %s', (part) => {
    expect(inspect(read()[part], { depth: 9 })).not.toContain('hunter2');
  });

  it('has no secret as JSON', () => {
    expect(JSON.stringify(read())).not.toContain('hunter2');
  });

  it('prints what is no secret', () => {
    expect(inspect(read(), { depth: 9 })).toContain('ldaps://directory.example');
  });

  it('has its secrets', () => {
    expect(read()).toMatchObject({ secret: SECRET, ldap: { bindPassword: SECRET } });
  });
});
