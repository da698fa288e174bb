import { framework, type Application, type HookContext } from '@framework/core';
import { MemoryService } from '@framework-internal/testing';
import { describe, expect, it, jest } from '@jest/globals';
import { AuthenticationService, JWTStrategy, type AuthenticationApplication } from '../../src/index.ts';
import { SECRET, WordStrategy } from '../harness.ts';

/** A strategy whose entities have a secret. */
class SecretWord extends WordStrategy {
  readonly protectedFields = ['password'];
}

interface World {
  readonly app: Application;
  readonly service: AuthenticationService;
  readonly users: MemoryService;
  /** Writes of the session store. */
  readonly writes: string[];
  /** Lets the session store fail, or work again. */
  setDown(down: boolean): void;
}

async function createWorld(): Promise<World> {
  const app = framework() as Application;
  const [users, sessions] = [new MemoryService({ startId: 1, multi: true }), new MemoryService({ multi: true })];
  const writes: string[] = [];
  let isDown = false;
  app.set('authentication', { secret: SECRET, service: 'users', entity: 'user', authStrategies: ['jwt', 'word'], sessions: true });
  app.use('users', users as never);
  app.use('sessions', sessions as never);
  app.service('sessions').hooks({
    before: {
      all: [
        ({ method }: HookContext) => {
          if (isDown) throw new Error('no database');
          if (method !== 'find' && method !== 'get') writes.push(method);
        },
      ],
    },
  } as never);
  const service = new AuthenticationService(app as unknown as AuthenticationApplication);
  service.register('jwt', new JWTStrategy());
  service.register('word', new SecretWord());
  app.use('authentication', service as never);
  await users.create({ name: 'Ann', password: 'first' });
  await app.setup();
  return { app, service, users, writes, setDown: (down) => void (isDown = down) };
}

const logIn = async ({ service }: World): Promise<string> => String((await service.create({ strategy: 'word', word: 'open' })).accessToken);
const usersOf = ({ app }: World): MemoryService => app.service('users') as unknown as MemoryService;

describe('the session store', () => {
  it('is not written to by reading users, disabled ones too, nor by registering them, nor by writing what is no secret', async () => {
    const world = await createWorld();
    const rows = Array.from({ length: 50 }, (_, index) => ({ name: `user ${index}`, password: 'x', disabled: true }));
    await usersOf(world).create(rows);
    await usersOf(world).find({ query: {} });
    for (let id = 1; id <= 51; id++) await usersOf(world).get(id);
    await usersOf(world).patch(1, { name: 'Anna' });
    expect(world.users.store.size).toBe(51);
    expect(world.writes).toEqual([]);
  });

  it('is not needed to register users, and a login that begins meanwhile counts', async () => {
    const world = await createWorld();
    const token = await logIn(world);
    world.setDown(true);
    await expect(usersOf(world).create({ name: 'Bob', password: 'x' })).resolves.toMatchObject({ name: 'Bob' });
    world.setDown(false);
    await expect(world.service.verifyAccessToken(token)).resolves.toMatchObject({ sub: '1' });
    world.service.teardown();
  });

  it.each([
    ['a changed password', { password: 'second' }],
    ['a disabled user', { disabled: true }],
  ])('that fails does not undo %s: a warning says that it is told later', async (_what, data) => {
    const world = await createWorld();
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    world.setDown(true);
    await expect(usersOf(world).patch(1, data)).resolves.toMatchObject(data);
    expect(warned.mock.calls.map(([text]) => String(text))).toEqual([expect.stringContaining('are not written as ended yet')]);
    warned.mockRestore();
    world.service.teardown();
  });

  it('S46 that fails keeps a disabled user disabled: 503, and nothing is written', async () => {
    const world = await createWorld();
    await usersOf(world).patch(1, { disabled: true });
    world.setDown(true);
    await expect(usersOf(world).patch(1, { disabled: false })).rejects.toMatchObject({ code: 503 });
    expect(world.users.store.get('1')).toMatchObject({ disabled: true });
    world.setDown(false);
    await expect(usersOf(world).patch(1, { disabled: false })).resolves.toMatchObject({ disabled: false });
    world.service.teardown();
  });
});
