import { describe, expect, it } from '@jest/globals';
import { authenticate } from '../../src/index.ts';
import { checkScopes } from '../../src/machine/scopes.ts';
import { createApp } from '../harness.ts';

describe('a scope', () => {
  it.each([
    '*',
    'orders:find',
    'orders:*',
    'api/v1/orders:find',
    'users/:userId/notes:create',
    'Café menu:find',
    'notes:mark-read',
    'notes:mark read',
    'notes:$all',
    '/:find',
    '/:*',
  ])('is %p', (scope) => {
    expect(checkScopes([scope])).toEqual([scope]);
  });

  it.each([
    '',
    'orders',
    'all of it',
    '**',
    '*:find',
    '*:*',
    'orders:',
    ':find',
    '/orders:find',
    'orders/:find',
    ' orders:find',
    'orders :find',
    'orders:find ',
    'orders: find',
    'orders:*find',
    'orders:find*',
    'orders:mark  read',
    'orders:a/b',
    'or\nders:find',
    'orders:fi\u0000nd',
    ' :find',
    'x'.repeat(200) + ':find',
    7,
    null,
    ['orders:find'],
  ])('is not %j', (scope) => {
    expect(() => checkScopes([scope])).toThrow("A scope is 'service:method', 'service:*' or '*', with the path of the service");
  });

  it.each([
    ['Café menu', 'find'],
    ['notes', 'mark-read'],
    ['/', 'find'],
  ])('of the service %p names its method %p, and no more', async (path, method) => {
    const { app, service } = createApp();
    const methods = [...new Set(['find', 'get', method])];
    app.use(path, Object.fromEntries(methods.map((name) => [name, async () => name])), { methods });
    const called = app.service(path) as unknown as Record<string, (...args: unknown[]) => Promise<unknown>> & { hooks(map: object): void };
    called.hooks({ before: { all: [authenticate('jwt')] } });
    const { accessToken } = await service.createToken({ entity: 1, scopes: [`${path}:${method}`] });
    const params = { provider: 'rest', authentication: { strategy: 'jwt', accessToken } };
    await expect(method === 'find' ? called.find!(params) : called[method]!({}, params)).resolves.toBe(method);
    await expect(called.get!(1, params)).rejects.toMatchObject({ code: 403, data: { name: 'insufficient_scope' } });
  });
});
