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

  it('prints no secret whatever the inspection', () => {
    for (const value of [read(), read().keys, read().oauth])
      for (const showHidden of [true, false])
        expect(inspect(value, { depth: 9, customInspect: false, showHidden })).not.toContain('hunter2');
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

describe('with settings that the program has set', () => {
  const own = framework();
  own.set('authentication', JSON.parse(JSON.stringify(authentication)));
  const { configuration: read } = new AuthenticationService(own);

  it('an inspection shows no secret of the configuration, nor of the setting where it is this package that made it', () => {
    const all = { depth: 9, customInspect: false, showHidden: true };
    // Whether another name is a secret, only settings from files tell.
    expect(inspect(read, { ...all, depth: 0 })).not.toContain('hunter2');
    for (const part of [read.keys, read.oauth]) expect(inspect(part, all)).not.toContain('hunter2');
    expect(inspect(own.get('authentication'), { ...all, depth: 0 })).not.toContain('hunter2');
  });

  it('another secret takes the place of the setting, and is not shown either', () => {
    const setting = own.get('authentication') as Record<string, unknown>;
    expect(() => (setting.secret = `${SECRET} anew`)).toThrow(TypeError);
    own.set('authentication', { ...setting, secret: `${SECRET} anew` });
    const { configuration: anew } = new AuthenticationService(own);
    for (const shown of [anew, own.get('authentication')]) {
      expect(shown).toMatchObject({ secret: `${SECRET} anew` });
      expect(inspect(shown, { depth: 0, customInspect: false })).not.toContain('hunter2');
    }
  });
});
