import { AuthenticationService, JWTStrategy } from '@framework/authentication';
import { framework } from '@framework/core';
import { Type } from '@framework/schema';
import express from '@framework/transport-express';
import { describe, expect, it } from '@jest/globals';
import { configuration } from '../src/index.ts';
import { failureOf, folderWith } from './harness.ts';

const SECRET = 'cPz8vK2mXw5tLr9nQd4hYs7gBj3fTe6u';
const files = {
  'default.json': {
    port: 3030,
    authentication: { secret: SECRET, authStrategies: ['jwt'], entity: null, jwtOptions: { audience: 'https://a.example' } },
  },
};

describe('app.configure(configuration())', () => {
  it.each([
    ['an application', () => framework()],
    ['an application on Express', () => express(framework())],
  ])('sets every setting of the files on %s', (_what, make) => {
    const app = make();
    expect(app.configure(configuration({ directory: folderWith(files), env: {} }))).toBe(app);
    expect(app.get('port')).toBe(3030);
    expect(app.get('authentication')).toEqual(files['default.json'].authentication);
  });

  it('says what gives settings without an application', () => {
    const configure = configuration({ directory: folderWith(files), env: {} });
    for (const none of [undefined, null, {}])
      expect(() => configure(none as never)).toThrow(/^configuration\(\) makes .* loadConfiguration\(\)/);
  });

  it('takes the authentication section of config/default.json (interface 2.1)', async () => {
    const app = express(framework());
    const schema = Type.Object({ authentication: Type.Object({ secret: Type.String({ minLength: 32 }) }) });
    app.configure(configuration({ schema, directory: folderWith(files), env: {} }));
    const service = new AuthenticationService(app);
    service.register('jwt', new JWTStrategy());
    app.use('authentication', service);
    await app.setup();
    expect(service.configuration).toMatchObject({ secret: SECRET, jwtOptions: { audience: 'https://a.example', algorithm: 'HS256' } });
    const token = await service.createAccessToken({ role: 'reader' });
    expect(await service.verifyAccessToken(token)).toMatchObject({ role: 'reader', aud: 'https://a.example' });
  });

  it('takes the schema alone', () => {
    const before = process.env.NODE_CONFIG_DIR;
    process.env.NODE_CONFIG_DIR = folderWith(files);
    try {
      const app = framework();
      app.configure(configuration(Type.Object({ port: Type.Integer() })));
      expect(app.get('port')).toBe(3030);
      expect(() => app.configure(configuration(Type.Object({ port: Type.String() })))).toThrow("The setting 'port'");
      expect(() => app.configure(configuration())).not.toThrow();
    } finally {
      if (before === undefined) delete process.env.NODE_CONFIG_DIR;
      else process.env.NODE_CONFIG_DIR = before;
    }
  });

  it('sets nothing when something is wrong, and throws at once', () => {
    const app = framework();
    const schema = Type.Object({ port: Type.Integer({ maximum: 80 }) });
    const error = failureOf(() => app.configure(configuration({ schema, directory: folderWith(files), env: {} })));
    expect(error).toMatchObject({ name: 'ConfigurationError', problems: [{ path: 'port', message: 'must be <= 80' }] });
    expect(app.settings).toEqual({});
  });

  it('refuses unknown options before it is used', () => {
    expect(() => configuration({ schema: {}, folder: 'config' } as object)).toThrow("configuration() has no option 'folder'");
    expect(() => configuration({ schma: {} } as object)).toThrow("configuration() has no option 'schma'; it has schema, directory");
  });

  it('takes no prototype for a setting', () => {
    const app = framework();
    app.configure(configuration({ directory: folderWith({ 'default.json': '{"constructor":1,"toString":2}' }), env: {} }));
    expect(app.get('constructor')).toBe(1);
    expect(app.get('valueOf')).toBe(framework().get('valueOf'));
  });
});
