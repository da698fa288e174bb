import { MemoryService } from '@framework-internal/testing';
import { AuthenticationService, JWTStrategy } from '@framework/authentication';
import { hashPassword, LocalStrategy } from '@framework/authentication-local';
import { framework } from '@framework/core';
import { describe, expect, it } from '@jest/globals';
import express, { errorHandler, json, rest, type Application } from '@framework/transport-express';
import { listen, sendJson, type Answer, type Running } from './harness.ts';

async function startLimited(attempts: { account: number; address: number }, trustProxy?: unknown): Promise<Running> {
  const app = express(framework()) as Application;
  if (trustProxy !== undefined) app.set('trust proxy', trustProxy);
  app.set('authentication', {
    secret: 'a secret of more than thirty-two bytes, for tests',
    service: 'users',
    entity: 'user',
    authStrategies: ['jwt', 'local'],
    local: { usernameField: 'email', passwordField: 'password', hashCost: { memoryCost: 64, timeCost: 1 } },
    limiter: { account: { attempts: attempts.account, window: '10m' }, address: { attempts: attempts.address, window: '10m' } },
  });
  app.use(json());
  app.configure(rest());
  app.use('users', new MemoryService({ startId: 1 }));
  app.service('users').hooks({ before: { create: [hashPassword('password')] } });
  const service = new AuthenticationService(app);
  service.register('jwt', new JWTStrategy());
  service.register('local', new LocalStrategy());
  app.use('authentication', service);
  app.use(errorHandler({ logger: false }));
  await app.service('users').create({ email: 'ann@example.com', password: 'right password' });
  return listen(app);
}

const login = (url: string, email: string, password: string, headers: Record<string, string> = {}): Promise<Answer> =>
  sendJson(url, 'POST', '/authentication', { strategy: 'local', email, password }, headers);

describe('S22 the login limiter over REST', () => {
  it('answers 429 with Retry-After, the same for right and wrong passwords', async () => {
    const running = await startLimited({ account: 2, address: 100 });
    for (let round = 0; round < 2; round++) expect((await login(running.url, 'ann@example.com', 'wrong')).status).toBe(401);
    const wrong = await login(running.url, 'ann@example.com', 'wrong');
    const right = await login(running.url, 'ann@example.com', 'right password');
    for (const answer of [wrong, right]) {
      expect(answer.status).toBe(429);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(300);
      expect(answer.body).toMatchObject({ name: 'TooManyRequests', message: 'Too many failed logins. Try again later' });
    }
    expect(Object.keys(right.headers).sort()).toEqual(Object.keys(wrong.headers).sort());
    await running.stop();
  });

  it('S24 takes the address from the connection: a header of the client changes nothing', async () => {
    const running = await startLimited({ account: 100, address: 3 });
    for (let round = 0; round < 3; round++) {
      const answer = await login(running.url, `nobody${round}@example.com`, 'wrong', { 'x-forwarded-for': `192.0.2.${round}` });
      expect(answer.status).toBe(401);
    }
    expect((await login(running.url, 'ann@example.com', 'right password', { 'x-forwarded-for': '192.0.2.77' })).status).toBe(429);
    await running.stop();
  });

  it('S24 takes it from X-Forwarded-For where the proxy is trusted', async () => {
    const running = await startLimited({ account: 100, address: 1 }, 'loopback');
    const from = (address: string) => ({ 'x-forwarded-for': address });
    expect((await login(running.url, 'nobody@example.com', 'wrong', from('192.0.2.1'))).status).toBe(401);
    expect((await login(running.url, 'ann@example.com', 'right password', from('192.0.2.1'))).status).toBe(429);
    // What the client itself wrote stands before what the proxy wrote.
    expect((await login(running.url, 'ann@example.com', 'right password', from('192.0.2.50, 192.0.2.1'))).status).toBe(429);
    expect((await login(running.url, 'ann@example.com', 'right password', from('192.0.2.2'))).status).toBe(201);
    await running.stop();
  });
});
