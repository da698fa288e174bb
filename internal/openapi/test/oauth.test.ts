import { MemoryService } from '@framework/adapter-memory';
import { AuthenticationService, JWTStrategy, type AuthenticationConfiguration } from '@framework/authentication';
import { hashPassword, LocalStrategy } from '@framework/authentication-local';
import { oauth } from '@framework/authentication-oauth';
import { framework } from '@framework/core';
import { openapi, openapiDocument, type OpenApiDocument } from '@framework/openapi';
import { serviceSchema, Type, WriteOnly } from '@framework/schema';
import express, { errorHandler, json, notFound, rest, urlencoded } from '@framework/transport-express';
import { listen, send, sendJson, type RunningApplication } from '@framework-internal/testing/http';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DocumentCheck } from './document-check.ts';

const CLIENT_SECRET = 'what-nobody-may-read-in-a-document';
const USER = { email: 'ann@example.com', password: 'correct horse' };
const warnings: string[] = [];

function shop(section: object) {
  const app = express(framework());
  app
    .use(json())
    .use(urlencoded({ extended: true }))
    .configure(rest());
  app.set('authentication', {
    secret: 'a secret of the tests that is long enough for everybody',
    service: 'users',
    entity: 'user',
    authStrategies: ['jwt', 'local', 'github'],
    local: { usernameField: 'email', passwordField: 'password', hashCost: { memoryCost: 1024, timeCost: 1 } },
    oauth: {
      origin: 'https://api.example.com',
      github: { clientId: 'shop', clientSecret: CLIENT_SECRET },
      gitlab: { clientId: 'shop', clientSecret: CLIENT_SECRET },
      ...section,
    },
  } as AuthenticationConfiguration);
  const record = Type.Object({
    id: Type.Integer(),
    email: Type.Optional(Type.String()),
    password: Type.Optional(WriteOnly(Type.String())),
  });
  app.use('users', new MemoryService({ startId: 1 }), { schema: serviceSchema({ record }) });
  app.service('users').hooks({ before: { create: [hashPassword('password')] } });
  const authentication = new AuthenticationService(app as never);
  authentication.register('jwt', new JWTStrategy());
  authentication.register('local', new LocalStrategy());
  app.use('authentication', authentication);
  app.configure(oauth());
  const info = { title: 'Shop', version: '1.0.0', license: { name: 'MIT', identifier: 'MIT' } };
  app.configure(openapi({ info, onWarning: (message) => warnings.push(message) }));
  app.use(notFound()).use(errorHandler({ logger: false }));
  return app;
}

describe('the document of logins at providers', () => {
  let running: RunningApplication<ReturnType<typeof shop>>;
  let document: OpenApiDocument;
  let token: string;
  beforeAll(async () => {
    running = await listen(shop({ redirect: 'https://app.example.com/' }));
    document = await openapiDocument(running.app, { onWarning: (message) => warnings.push(message) });
    await sendJson(running.url, 'POST', '/users', USER);
    token = (await sendJson(running.url, 'POST', '/authentication', { strategy: 'local', ...USER })).body.accessToken;
  });
  afterAll(() => running.stop());

  const operation = (path: string, method: string): any => (document.paths as any)[path]?.[method];

  it('names the providers, the credentials and where browsers are sent', () => {
    expect(warnings).toEqual([]);
    const begin = operation('/oauth/{provider}', 'get');
    expect(begin.parameters).toContainEqual({
      name: 'provider',
      in: 'path',
      required: true,
      schema: { type: 'string', enum: ['github', 'gitlab'] },
    });
    expect(begin.security).toEqual([]);
    expect(Object.keys(begin.responses).filter((status) => status < '400')).toEqual(['303']);
    expect(operation('/oauth/{provider}', 'post').security).toEqual([{ jwt: [] }]);
    const callback = operation('/oauth/{provider}/callback', 'post');
    expect(Object.keys(callback.requestBody.content)).toEqual(['application/x-www-form-urlencoded']);
    const logins = operation('/authentication', 'post').requestBody.content['application/json'].schema.oneOf;
    // GitHub has no ID tokens, and what it gives comes by its callback alone.
    expect(logins.map(({ properties }: any) => properties.strategy.const)).toEqual(['local', 'oauth-ticket', 'jwt']);
    expect(JSON.stringify(document)).not.toContain(CLIENT_SECRET);
    expect(JSON.stringify(document)).not.toContain('feathers_token');
  });

  it('is valid for two public validators', async () => {
    const plain = JSON.parse(JSON.stringify(document)) as Record<string, unknown>;
    expect(await new Validator().validate(plain)).toEqual({ valid: true });
    const config = await createConfig({ extends: ['recommended'], rules: { 'info-license': 'off', 'tag-description': 'off' } });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    // A login that only sends browsers elsewhere has no answer of 2xx.
    expect(problems.map(({ ruleId }) => ruleId).filter((rule) => rule !== 'operation-2xx-response')).toEqual([]);
  });

  it('is true of each operation', async () => {
    const check = new DocumentCheck(document);
    const auth = { authorization: `Bearer ${token}` };
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const calls: [number, string, string, string, { headers?: Record<string, string>; body?: string }?][] = [
      [303, 'get', '/oauth/{provider}', '/oauth/github'],
      [303, 'get', '/oauth/{provider}', '/oauth/github?redirect=%2Fcart&prompt=login'],
      [400, 'get', '/oauth/{provider}', '/oauth/github?redirect=https%3A%2F%2Fevil.example'],
      [404, 'get', '/oauth/{provider}', '/oauth/nobody'],
      [401, 'post', '/oauth/{provider}', '/oauth/github'],
      [200, 'post', '/oauth/{provider}', '/oauth/github', { headers: auth }],
      [401, 'get', '/oauth/{provider}/callback', '/oauth/github/callback?code=a&state=b'],
      [401, 'post', '/oauth/{provider}/callback', '/oauth/github/callback', { headers: form, body: 'code=a&state=b' }],
      [404, 'get', '/oauth/{provider}/logout', '/oauth/github/logout'],
      [400, 'post', '/oauth/{provider}/backchannel-logout', '/oauth/github/backchannel-logout', { headers: form, body: 'logout_token=a' }],
    ];
    for (const [status, method, template, path, options] of calls) {
      const answer = await send(running.url, path, { method: method.toUpperCase(), ...options });
      expect([path, answer.status, check.problems(template, method, answer)]).toEqual([path, status, []]);
    }
  });
});

it('a callback without a page to go back to answers with the login, and says so', async () => {
  const app = shop({ linkToken: 'query' });
  await app.setup();
  const { paths } = await openapiDocument(app);
  const { responses } = paths['/oauth/{provider}/callback']?.get ?? {};
  expect(Object.keys(responses ?? {}).filter((status) => status < '400')).toEqual(['200']);
  expect(JSON.stringify(paths['/oauth/{provider}'])).toContain('feathers_token');
  await app.teardown();
});
