import { framework, type Application, type Params } from '@framework/core';
import { MemoryService } from '@framework-internal/testing';
import {
  AuthenticationService,
  JWTStrategy,
  type AuthenticationConfiguration,
  type AuthenticationRequest,
  type AuthenticationResult,
  type AuthenticationStrategy,
} from '../src/index.ts';
import { NotAuthenticated } from '@framework/errors';

export const SECRET = 'c2VjcmV0IHRoYXQgaXMgbG9uZyBlbm91Z2ggZm9yIHRlc3Rz';

/** Accepts one word. */
export class WordStrategy implements AuthenticationStrategy {
  async authenticate(data: AuthenticationRequest): Promise<AuthenticationResult> {
    if (data.word !== 'open') throw new NotAuthenticated('Wrong word');
    return { authentication: { strategy: 'word' }, user: { id: 1, name: 'Ann' }, info: 'more' };
  }
  async parse(req: { headers?: Record<string, unknown> }): Promise<AuthenticationRequest | null> {
    return req.headers?.word ? { strategy: 'word', word: req.headers.word } : null;
  }
}

export interface AuthHarness {
  readonly app: Application;
  readonly service: AuthenticationService;
  readonly users: MemoryService;
}

/** An application with users in memory and the strategies `jwt` and `word`. */
export function createApp(options: AuthenticationConfiguration = {}): AuthHarness {
  const app = framework() as Application;
  const users = new MemoryService({ startId: 1 });
  app.set('authentication', { secret: SECRET, service: 'users', entity: 'user', authStrategies: ['jwt', 'word'], ...options });
  app.use('users', users);
  const service = new AuthenticationService(app);
  service.register('jwt', new JWTStrategy());
  service.register('word', new WordStrategy());
  app.use('authentication', service);
  void users.create({ name: 'Ann' });
  return { app, service, users };
}

export type { Params };
