import { generateKeyPairSync } from 'node:crypto';
import { AuthenticationService } from '@framework/authentication';
import { framework, type Application } from '@framework/core';
import { MemoryService } from '@framework-internal/testing';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { oauth, OAuthStrategy, type OAuthConfiguration } from '../src/index.ts';
import { SECRET } from './harness.ts';

const GOOGLE = { clientId: 'id', clientSecret: 'secret' };

const keyOn = (namedCurve: string): string =>
  generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const APPLE = { teamId: 'TEAM', keyId: 'KEY', privateKey: keyOn('P-256') };

function configure(section: unknown, more: object = {}, options: object = {}): { app: Application; service: AuthenticationService } {
  const app = framework() as Application;
  app.set('authentication', { secret: SECRET, service: 'users', entity: 'user', authStrategies: ['jwt'], oauth: section, ...more });
  app.use('users', new MemoryService());
  const service = new AuthenticationService(app);
  app.use('authentication', service);
  app.configure(oauth(options));
  return { app, service };
}

const { NODE_ENV } = process.env;
afterEach(() => {
  process.env.NODE_ENV = NODE_ENV;
});

describe('settings (interface 5.4)', () => {
  it('an authentication service must be there before', () => {
    const app = framework() as Application;
    expect(() => app.configure(oauth())).toThrow('An authentication service must exist before registering @framework/authentication-oauth');
    expect(() => app.configure(oauth({ authService: 'other' }))).toThrow('An authentication service must exist');
  });

  it('another service in its place is not taken for one', () => {
    const app = framework() as Application;
    app.use('login', { create: async () => Promise.resolve({}), verifyAccessToken: async () => Promise.resolve({}) });
    expect(() => app.configure(oauth({ authService: 'login' }))).toThrow(
      "oauth() needs an AuthenticationService of @framework/authentication, and the service 'login' is another",
    );
  });

  it('without the section nothing is registered', () => {
    const { app, service } = configure(undefined);
    expect(Object.keys(app.services).sort()).toEqual(['authentication', 'users']);
    expect(service.strategyNames).toEqual([]);
  });

  it('with it the services and strategies are there, and an own strategy stays', () => {
    class Own extends OAuthStrategy {}
    const app = framework() as Application;
    app.set('authentication', { secret: SECRET, service: 'users', entity: 'user', oauth: { google: GOOGLE, github: GOOGLE } });
    app.use('users', new MemoryService());
    const service = new AuthenticationService(app);
    const own = new Own();
    service.register('github', own);
    app.use('authentication', service);
    app.configure(oauth());
    expect(Object.keys(app.services).sort()).toEqual([
      'authentication',
      'oauth/:provider',
      'oauth/:provider/backchannel-logout',
      'oauth/:provider/callback',
      'oauth/:provider/logout',
      'users',
    ]);
    expect(service.getStrategy('github')).toBe(own);
    expect(service.getStrategy('google')).toBeInstanceOf(OAuthStrategy);
  });

  it('an own strategy of a provider is one of this package: with another there would be no such provider', () => {
    const app = framework() as Application;
    app.set('authentication', { secret: SECRET, service: 'users', entity: 'user', oauth: { github: GOOGLE } });
    app.use('users', new MemoryService());
    const service = new AuthenticationService(app);
    service.register('github', { authenticate: async () => ({}) });
    app.use('authentication', service);
    expect(() => app.configure(oauth())).toThrow("The strategy 'github' is that of the provider of this name in 'authentication.oauth'");
  });

  const wrong: readonly [string, unknown, string][] = [
    ['is no object', 'google', "'authentication.oauth' must be an object"],
    ['has an option that there is not', { redirct: '/' }, "'authentication.oauth.redirct' must be left out"],
    ['has a provider that is none', { google: 'secret' }, "'authentication.oauth.google' must be left out"],
    ['names a provider as a path', { callback: GOOGLE }, "'authentication.oauth.callback' must be left out"],
    ['names a provider as a strategy', { jwt: GOOGLE }, "'authentication.oauth.jwt' must be left out"],
    ['names a provider with other letters', { 'Goo gle': GOOGLE }, 'must be left out'],
    [
      'has an unknown option of a provider',
      { google: { ...GOOGLE, transport: 'session' } },
      "'authentication.oauth.google' has no option 'transport'",
    ],
    ['has an unknown default', { defaults: { dynamic: true }, google: GOOGLE }, "'authentication.oauth.defaults' has no option 'dynamic'"],
    [
      'has a default that is of the server, as in applications of FeathersJS',
      { defaults: { prefix: '/auth' }, google: GOOGLE },
      "'authentication.oauth.defaults.prefix' must be left out: it is 'authentication.oauth.prefix'",
    ],
    ['has a provider of another kind of name', { myCompany: GOOGLE }, "which has small letters, digits and '-'"],
    ['turns state off', { google: { ...GOOGLE, state: false } }, "'authentication.oauth.google.state' must be true"],
    ['turns PKCE off', { google: { ...GOOGLE, pkce: false } }, "'authentication.oauth.google.pkce' must be true"],
    ['turns the nonce off', { google: { ...GOOGLE, nonce: false } }, "'authentication.oauth.google.nonce' must be true"],
    ['has a provider with OAuth 1', { mine: { ...GOOGLE, oauth: 1 } }, "'authentication.oauth.mine.oauth' must be 2 or left out"],
    ['has no client', { google: {} }, "'authentication.oauth.google.clientId' must be set"],
    ['knows nothing of a provider', { mine: GOOGLE }, "'authentication.oauth.mine.issuer' must be set"],
    [
      'has two of three addresses',
      { mine: { ...GOOGLE, authorize_url: 'https://a.com', access_url: 'https://a.com' } },
      'must be given together',
    ],
    [
      'has an issuer without HTTPS',
      { mine: { ...GOOGLE, issuer: 'http://id.example.com' } },
      "'authentication.oauth.mine.issuer' must be an HTTPS address",
    ],
    ['has a preset that there is not', { mine: { ...GOOGLE, preset: 'googel' } }, "'authentication.oauth.mine.preset' must be one of"],
    ['has no subdomain', { okta: GOOGLE }, "'authentication.oauth.okta.subdomain' must be set"],
    [
      'has a subdomain with a slash',
      { okta: { ...GOOGLE, subdomain: 'evil.com/x' } },
      "'authentication.oauth.okta.subdomain' must be a name",
    ],
    [
      'sets parameters that are ours',
      { google: { ...GOOGLE, custom_params: { state: 'x' } } },
      "'authentication.oauth.google.custom_params.state' must be left out",
    ],
    [
      'takes ID tokens for nobody',
      { google: { ...GOOGLE, idToken: {} } },
      "'authentication.oauth.google.idToken.audiences' must be a list",
    ],
    [
      'takes ID tokens of what has none',
      { github: { ...GOOGLE, idToken: { audiences: ['x'] } } },
      "'authentication.oauth.github.idToken' must be left out",
    ],
    ['has an origin without HTTPS', { origin: 'http://api.example.com' }, "'authentication.oauth.origin' must be the HTTPS address"],
    ['has origins with paths', { origins: ['https://app.example.com/'] }, "'authentication.oauth.origins' must be origins"],
    ['redirects to nowhere', { redirect: '//evil.com' }, "'authentication.oauth.redirect' must be an address"],
    [
      'redirects to what browsers take for a path',
      { redirect: 'https:app.example.com/' },
      "'authentication.oauth.redirect' must be an address",
    ],
    ['redirects to a script', { redirect: 'javascript:alert(1)' }, "'authentication.oauth.redirect' must be an address"],
    [
      'has an address of the callback with a query',
      { google: { ...GOOGLE, redirect_uri: 'https://api.example.com/back?to=1' } },
      "'authentication.oauth.google.redirect_uri' must be an address without a query",
    ],
    [
      'names one setting twice',
      { google: { ...GOOGLE, secret: 'another' } },
      "'authentication.oauth.google.secret' must be left out where 'clientSecret' is given",
    ],
    [
      'has an issuer that nobody looks at',
      {
        mine: {
          ...GOOGLE,
          issuer: 'https://a.com',
          authorize_url: 'https://a.com',
          access_url: 'https://a.com',
          profile_url: 'https://a.com',
        },
      },
      "'authentication.oauth.mine.issuer' must be left out",
    ],
    [
      'has a subdomain of one address',
      { google: { ...GOOGLE, subdomain: 'shop' } },
      "'authentication.oauth.google.subdomain' must be left out",
    ],
    [
      'has a subdomain beside an issuer',
      { okta: { ...GOOGLE, subdomain: 'shop', issuer: 'https://a.com' } },
      "'authentication.oauth.okta.subdomain' must be left out",
    ],
    [
      'links by addresses that nobody verifies',
      { facebook: { ...GOOGLE, linkByEmail: true } },
      "'authentication.oauth.facebook.linkByEmail' must be left out",
    ],
    [
      'says how to send a secret that there is not',
      { google: { clientId: 'id', tokenEndpointAuthMethod: 'client_secret_basic' } },
      "'authentication.oauth.google.clientSecret' must be set",
    ],
    [
      'has a secret that is not sent',
      { google: { ...GOOGLE, tokenEndpointAuthMethod: 'none' } },
      "'authentication.oauth.google.tokenEndpointAuthMethod' must be left out",
    ],
    [
      'has a key beside a secret',
      { apple: { ...GOOGLE, ...APPLE } },
      "'authentication.oauth.apple.clientSecret' must be left out where 'privateKey'",
    ],
    [
      'has a key that is none',
      { apple: { clientId: 'id', ...APPLE, privateKey: APPLE.privateKey.replaceAll('\n', '\\n') } },
      "'authentication.oauth.apple.privateKey' must be the text of a key",
    ],
    [
      'has a key of another kind',
      { apple: { clientId: 'id', ...APPLE, privateKey: keyOn('P-384') } },
      'must be the text of a key for ES256',
    ],
    [
      'asks for an age that is none',
      { google: { ...GOOGLE, parameters: { max_age: '5m' } } },
      "'authentication.oauth.google.parameters.max_age' must be a whole number of seconds as a text",
    ],
    ['has a short secret', { secret: 'short' }, "'authentication.oauth.secret' must be a random text"],
    ['has another answer', { response: 'query' }, "'authentication.oauth.response' must be one of 'ticket', 'cookie', 'fragment'"],
    ['links by an address that there is not', { linkByEmail: true, emailField: null }, "'authentication.oauth.emailField' must be a name"],
    [
      'links for one provider by an address that there is not',
      { google: { key: 'id', secret: 'secret', linkByEmail: true }, emailField: null },
      "'authentication.oauth.emailField' must be a name without dots where 'linkByEmail' is on",
    ],
    [
      'links by an address in a part of an entity',
      { linkByEmail: true, emailField: 'profile.email' },
      "'authentication.oauth.emailField' must be a name without dots where 'linkByEmail' is on",
    ],
    [
      'links by a mark in a part of an entity',
      { google: { key: 'id', secret: 'secret', linkByEmail: true }, emailVerifiedField: 'profile.verified' },
      "'authentication.oauth.emailVerifiedField' must be a name without dots where 'linkByEmail' is on",
    ],
    ['takes tokens from elsewhere', { linkToken: 'body' }, "'authentication.oauth.linkToken' must be one of 'query'"],
  ];
  it.each(wrong)('is refused at start when the section %s', (_what, section, message) => {
    expect(() => configure(section)).toThrow(message);
  });

  it('no message has a secret in it', () => {
    const section = { secret: 'the secret', google: { ...GOOGLE, privateKey: 'the private key' } };
    expect(() => configure(section)).toThrow(expect.not.stringContaining('the secret'));
  });

  it('production needs its address, and no way to this machine', () => {
    process.env.NODE_ENV = 'production';
    expect(() => configure({ google: GOOGLE })).toThrow("'authentication.oauth.origin' must be the address of this server");
    const origin = 'https://api.example.com';
    expect(() => configure({ origin, allowLoopback: true, google: GOOGLE })).toThrow(
      "'authentication.oauth.allowLoopback' must be left out",
    );
    expect(() => configure({ origin, redirect: 'http://app.example.com/', google: GOOGLE })).toThrow('must be an HTTPS address');
    const origins = ['https://app.example.com', 'http://app.example.com'];
    expect(() => configure({ origin, origins, google: GOOGLE })).toThrow(
      "'authentication.oauth.origins' must be origins with HTTPS, where HTTP is for localhost alone; 'http://app.example.com' is none",
    );
    expect(() => configure({ origin, origins: ['http://localhost:3030'], google: GOOGLE })).not.toThrow();
    expect(() => configure({ origin, google: GOOGLE })).not.toThrow();
  });

  it('entities are needed', () => {
    expect(() => configure({ google: GOOGLE }, { entity: null })).toThrow("'authentication.oauth' needs entities");
  });

  it('what is for all providers need not be for each', () => {
    const defaults = { subdomain: 'shop', linkByEmail: true };
    expect(() =>
      configure({ defaults, google: GOOGLE, facebook: GOOGLE, okta: GOOGLE, apple: { clientId: 'id', ...APPLE } }),
    ).not.toThrow();
  });

  it('what a provider says of itself wins over what is for all, by whichever name', () => {
    const defaults = { clientId: 'of all', clientSecret: 'of all', parameters: { prompt: 'consent' } };
    const { service } = configure({ defaults, google: { key: 'own', secret: 'own', custom_params: { prompt: 'none' } }, gitlab: {} });
    const settings = (name: string) => (service.getStrategy(name) as OAuthStrategy).configuration;
    expect(settings('google')).toMatchObject({ clientId: 'own', clientSecret: 'own', parameters: { prompt: 'none' } });
    expect(settings('gitlab')).toMatchObject({ clientId: 'of all', clientSecret: 'of all', parameters: { prompt: 'consent' } });
  });

  it('the names of FeathersJS are taken', () => {
    const feathers: OAuthConfiguration = {
      redirect: '/',
      origins: ['http://localhost:3030'],
      defaults: { scope: ['email'] },
      google: { key: 'id', secret: 'secret', scope: ['email', 'profile'], nonce: true, custom_params: { access_type: 'offline' } },
      auth0: { key: 'id', secret: 'secret', subdomain: 'shop' },
      mine: {
        oauth: 2,
        key: 'id',
        secret: 's',
        authorize_url: 'https://a.com/a',
        access_url: 'https://a.com/t',
        profile_url: 'https://a.com/p',
      },
    };
    expect(configure(feathers).service.strategyNames).toEqual(['google', 'auth0', 'mine', 'oauth-ticket']);
  });

  it('T19 sessions of Express are ignored with a warning, and unknown options are refused', () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    configure(undefined, {}, { expressSession: () => undefined });
    expect(warned.mock.calls.map(([text]) => text)).toEqual([expect.stringContaining('oauth({ expressSession }) is ignored')]);
    warned.mockRestore();
    for (const fetch of [true, null, {}] as never[])
      expect(() => oauth({ fetch })).toThrow("The option 'fetch' of oauth() is a function that makes requests as the global fetch does");
    expect(() => oauth({ linkStrategi: 'jwt' } as never)).toThrow("oauth() has no option 'linkStrategi'. Did you mean 'linkStrategy'?");
  });

  it('S16 secrets are in no JSON of the configuration', () => {
    const { service } = configure({ secret: 'x'.repeat(40), google: GOOGLE });
    expect(JSON.stringify(service.configuration)).not.toMatch(/xxx|"secret"/);
  });
});
