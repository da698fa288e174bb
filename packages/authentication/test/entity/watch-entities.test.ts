import { Gone } from '@framework/errors';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { AuthenticationStrategy } from '../../src/index.ts';
import { createWorld, endWorlds, type SessionWorld } from '../session-world.ts';

afterEach(endWorlds);

const ENDED = { code: 401, data: { name: 'SessionEnded' } };
const use = ({ service }: SessionWorld, accessToken: string): Promise<unknown> =>
  service.authenticate({ strategy: 'jwt', accessToken }, {}, 'jwt');

describe('secrets in lists', () => {
  const devices: AuthenticationStrategy = { protectedFields: ['devices.secret'] };
  const listed = async (): Promise<SessionWorld> => {
    const world = await createWorld();
    world.service.register('devices', devices);
    await world.users.patch(1, {
      devices: [
        { name: 'phone', secret: 'a' },
        { name: 'key', secret: 'b' },
      ],
    });
    return world;
  };

  it('end the sessions of their user when one of them changes', async () => {
    const world = await listed();
    const { accessToken } = await world.logIn();
    await world.usersService.patch(1, {
      devices: [
        { name: 'phone', secret: 'a' },
        { name: 'key', secret: 'stolen' },
      ],
    });
    await expect(use(world, accessToken)).rejects.toMatchObject(ENDED);
  });

  it('end them also when it was changed behind the back of everybody', async () => {
    const world = await listed();
    const { accessToken } = await world.logIn();
    world.users.store.set('1', { ...world.users.store.get('1'), devices: [{ name: 'phone', secret: 'stolen' }] });
    await expect(use(world, accessToken)).rejects.toMatchObject(ENDED);
  });

  it('are the same while what is beside them changes', async () => {
    const world = await listed();
    const { accessToken } = await world.logIn();
    await world.usersService.patch(1, { devices: [{ name: 'old phone', secret: 'a' }, { name: 'key', secret: 'b' }, { name: 'none' }] });
    await expect(use(world, accessToken)).resolves.toMatchObject({ user: { id: 1 } });
  });
});

describe('users that are marked as removed', () => {
  /** A service that keeps removed users, and answers 410 for them. */
  const keeping = async (): Promise<SessionWorld & { told: unknown[] }> => {
    const world = await createWorld();
    world.usersService.hooks({
      around: {
        get: [
          async (context: { result?: { removed?: boolean } }, next: () => Promise<void>) => {
            await next();
            if (context.result?.removed === true) throw new Gone('removed');
          },
        ],
      },
      before: {
        remove: [
          async (context: { id: number; result: unknown }) => {
            context.result = await world.users.patch(context.id, { removed: true });
          },
        ],
      },
    });
    const told: unknown[] = [];
    await world.logIn().then(({ accessToken }) => world.service.verifyAccessToken(accessToken));
    world.service.sessions!.watch((change) => told.push(change));
    return { ...world, told };
  };

  it('have their sessions ended, for lists and connections too', async () => {
    const world = await keeping();
    const { accessToken } = await world.logIn();
    await world.usersService.remove(1);
    expect(world.told).toContainEqual({ kind: 'user', key: expect.any(String), epoch: 1 });
    expect(await world.service.sessions!.list('1')).toEqual([]);
    await expect(use(world, accessToken)).rejects.toMatchObject(ENDED);
  });

  it('can be changed as the service allows', async () => {
    const world = await keeping();
    await world.usersService.remove(1);
    await expect(world.usersService.patch(1, { removed: false, disabled: false })).resolves.toMatchObject({ removed: false });
  });
});
