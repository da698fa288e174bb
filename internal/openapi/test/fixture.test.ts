import { listen, sendJson, type RunningApplication } from '@framework-internal/testing/http';
import { openapiDocument, type OpenApiDocument } from '@framework/openapi';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fixture, SECRETS } from './fixture.ts';
import { tableOf, Walker } from './walker.ts';

const warnings: string[] = [];
const onWarning = (message: string): void => {
  warnings.push(message);
};

describe.each([{ methodPaths: false }, { methodPaths: true }])('the document of an application with rest($methodPaths)', (restOptions) => {
  let running: RunningApplication<ReturnType<typeof fixture>>;
  let document: OpenApiDocument;
  let count = 0;
  beforeAll(async () => {
    running = await listen(fixture({ onWarning }, restOptions));
    document = await openapiDocument(running.app);
  });
  afterAll(() => running.stop());

  async function person(): Promise<{ readonly id: number; readonly token: string; readonly refreshToken: string; readonly user: object }> {
    count += 1;
    const user = { email: `walker${String(count)}@example.com`, password: 'correct horse' };
    const created = await sendJson(running.url, 'POST', '/people', user);
    const { body } = await sendJson(running.url, 'POST', '/authentication', { strategy: 'local', ...user });
    return { id: created.body.id, token: body.accessToken, refreshToken: body.refreshToken, user };
  }

  it('is true of every operation, whatever is sent', async () => {
    const me = await person();
    let token = me.token;
    const walker = new Walker({
      document,
      url: running.url,
      headers: {
        get authorization(): string {
          return `Bearer ${token}`;
        },
      },
      logins: ['createAuthentication', 'removeAuthentication', 'removeAuthenticationById'],
      async arrange({ operationId }, template) {
        // Logouts and people who are removed take their tokens along.
        const own = /^(?:remove|update|patch)\w*(?:Authentication|People)/.test(operationId) ? await person() : me;
        token = own.token;
        if (operationId === 'removeAuthenticationById') return { id: own.token };
        if (template.startsWith('/people/{personId}')) {
          const { body } = await sendJson(running.url, 'POST', '/people/7/notes', { text: 'a note' });
          return { personId: '7', id: String(body.id) };
        }
        if (template.startsWith('/people/')) return { id: String(own.id) };
        if (!template.startsWith('/products/')) return {};
        const { example, examples } = (document.paths['/products'] as any).post.requestBody.content['application/json'];
        const { body } = await sendJson(running.url, 'POST', '/products', example ?? examples.create.value);
        return { id: String(body.id) };
      },
      body({ operationId }, example) {
        if (operationId === 'createAuthentication') return { strategy: 'local', ...me.user };
        if (/^(?:create|update|patch)People$/.test(operationId))
          return { ...(example as object), email: `changed${String(++count)}@example.com` };
        return example;
      },
    });
    const steps = await walker.all();
    console.log(tableOf(steps));
    expect(steps.filter(({ problems }) => problems.length > 0)).toEqual([]);
    const seen = new Set(steps.map(({ status }) => status));
    for (const status of [200, 201, 204, 400, 401, 404, 405, 406, 415]) expect(seen).toContain(status);
  });

  it('S7 has nothing in it that is hidden or internal', () => {
    const text = JSON.stringify(document);
    for (const name of SECRETS) expect(text).not.toContain(name);
    expect(Object.keys(document.paths)).not.toContain('/sessions');
  });
});
