import { framework, type Application } from '@framework/core';
import { NotAuthenticated } from '@framework/errors';
import { MemoryService } from '@framework-internal/testing';
import {
  ApiKeyStrategy,
  AuthenticationService,
  JWTStrategy,
  type AuthenticationApplication,
  type AuthenticationConfiguration,
  type AuthenticationRequest,
  type AuthenticationResult,
  type AuthenticationStrategy,
} from '../src/index.ts';
import { SECRET } from './harness.ts';

/** Logs in whoever says the name of a user; their passwords are secret. */
export class NameStrategy implements AuthenticationStrategy {
  readonly protectedFields: readonly string[] = ['password'];
  readonly #users: MemoryService;

  constructor(users: MemoryService) {
    this.#users = users;
  }

  async authenticate(data: AuthenticationRequest): Promise<AuthenticationResult> {
    const user = [...this.#users.store.values()].find(({ name }) => name === data.name);
    if (user === undefined) throw new NotAuthenticated('Nobody of this name');
    return { authentication: { strategy: 'name' }, user: { ...user } };
  }
}

/** A call of the users' service, as its hooks see it. */
export interface UserCall {
  readonly method: string;
  readonly id: unknown;
  readonly params: Readonly<Record<PropertyKey, unknown>>;
}

/** An application with sessions, users and keys, all in memory. */
export interface SessionWorld {
  readonly app: Application;
  readonly service: AuthenticationService;
  /** Ann has the id 1 and Bob the id 2. */
  readonly users: MemoryService;
  readonly usersService: MemoryService & { hooks(map: object): unknown; emit(event: string, record: unknown): unknown };
  readonly store: MemoryService;
  /** What the users' service was called with. */
  readonly userCalls: UserCall[];
  /** Changes the setting of the service. */
  configure(change: AuthenticationConfiguration): void;
  /** Logs somebody in on the server. */
  logIn(name?: string): Promise<LoggedIn>;
}

/** What a login gives where refresh tokens are in the body. */
export interface LoggedIn {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly authentication: { readonly strategy: string; readonly payload: Readonly<Record<string, unknown>> };
  readonly user: Readonly<Record<string, unknown>>;
}

const begun = new Set<AuthenticationService>();

/** Ends what the worlds of a test ask their stores. */
export function endWorlds(): void {
  for (const service of begun) service.teardown();
  begun.clear();
}

/**
 * @param options settings that win over those of the world
 * @param strategies further strategies by name
 */
export async function createWorld(
  options: AuthenticationConfiguration = {},
  strategies: Readonly<Record<string, AuthenticationStrategy>> = {},
): Promise<SessionWorld> {
  const app = framework() as Application;
  const [users, store] = [new MemoryService({ startId: 1, multi: true }), new MemoryService({ multi: true })];
  const userCalls: UserCall[] = [];
  app.set('authentication', {
    secret: SECRET,
    service: 'users',
    entity: 'user',
    authStrategies: ['jwt', 'name', 'api-key'],
    sessions: true,
    ...options,
  });
  app.use('users', users as never);
  app.use('sessions', store as never);
  const usersService = app.service('users') as unknown as SessionWorld['usersService'];
  usersService.hooks({
    before: {
      all: [
        ({ method, id, params }: UserCall) => {
          userCalls.push({ method, id, params });
        },
      ],
    },
  });
  const service = new AuthenticationService(app as unknown as AuthenticationApplication);
  begun.add(service);
  service.register('jwt', new JWTStrategy());
  service.register('name', new NameStrategy(users));
  service.register('api-key', new ApiKeyStrategy());
  for (const [name, strategy] of Object.entries(strategies)) service.register(name, strategy);
  app.use('authentication', service as never);
  await users.create([
    { name: 'Ann', password: 'secret of Ann' },
    { name: 'Bob', password: 'secret of Bob' },
  ]);
  await app.setup();
  userCalls.length = 0;
  return {
    app,
    service,
    users,
    usersService,
    store,
    userCalls,
    configure: (change) => void app.set('authentication', { ...(app.get('authentication') as object), ...change }),
    logIn: async (name = 'Ann') => (await service.create({ strategy: 'name', name })) as unknown as LoggedIn,
  };
}
