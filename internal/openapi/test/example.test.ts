import { sendJson } from '@framework-internal/testing/http';
import { openapiDocument, type OpenApiDocument } from '@framework/openapi';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startExample, type RunningExample } from './running-example.ts';
import { tableOf, Walker } from './walker.ts';

let running: RunningExample;
let document: OpenApiDocument;
const warnings: string[] = [];
beforeAll(async () => {
  running = await startExample();
  document = await openapiDocument(running.app, { onWarning: (message) => warnings.push(message) });
});
afterAll(() => running.stop());

let count = 0;
async function login(): Promise<{ readonly id: string; readonly token: string; readonly user: object }> {
  count += 1;
  const user = { email: `walker${String(count)}@example.com`, password: 'correct horse' };
  const created = await sendJson(running.url, 'POST', '/users', user);
  const { body } = await sendJson(running.url, 'POST', '/authentication', { strategy: 'local', ...user });
  return { id: created.body._id, token: body.accessToken, user };
}

describe('the document of the example', () => {
  it('is served with the same content as it is written for builds', async () => {
    const { body, headers } = await sendJson(running.url, 'GET', '/openapi.json', undefined);
    expect(body).toEqual(JSON.parse(JSON.stringify(document)));
    expect(headers.etag).toMatch(/^W\/"/);
    expect(warnings).toEqual([]);
  });

  it('is true of every operation, whatever is sent', async () => {
    const me = await login();
    let token = me.token;
    const headers = {
      get authorization(): string {
        return `Bearer ${token}`;
      },
    };
    const walker = new Walker({
      document,
      url: running.url,
      headers,
      logins: ['createAuthentication', 'removeAuthentication', 'removeAuthenticationById'],
      async arrange({ operationId }, template) {
        // Logouts and users who are removed take their tokens along.
        const own = /^remove(?:Authentication|Users)/.test(operationId) ? await login() : me;
        token = own.token;
        if (operationId === 'removeAuthenticationById') return { id: own.token };
        if (template.startsWith('/users/')) return { id: own.id };
        if (!template.startsWith('/cities/')) return {};
        const city = { name: 'Walk', country: 'GB', population: 1, latitude: 1, longitude: 2 };
        const { body } = await sendJson(running.url, 'POST', '/cities', city, { authorization: `Bearer ${own.token}` });
        return { id: body._id };
      },
      body({ operationId }, example) {
        if (operationId === 'createAuthentication') return { strategy: 'local', ...me.user };
        // Addresses of users are unique.
        if (/^(?:create|update|patch)Users$/.test(operationId))
          return { ...(example as object), email: `changed${String(++count)}@example.com` };
        return example;
      },
    });
    const steps = await walker.all();
    console.log(tableOf(steps));
    expect(steps.filter(({ problems }) => problems.length > 0)).toEqual([]);
    const seen = new Set(steps.map(({ status }) => status));
    for (const status of [200, 201, 400, 401, 404, 405, 406, 415]) expect(seen).toContain(status);
    expect(steps.filter(({ attempt }) => attempt === 'example').length).toBeGreaterThanOrEqual(16);
  });
});
