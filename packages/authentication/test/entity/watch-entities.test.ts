import { Gone } from '@framework/errors';
import { afterEach, describe, expect, it } from '@jest/globals';
import { SAME_SECRET, type AuthenticationConfiguration, type AuthenticationStrategy } from '../../src/index.ts';
import { createWorld, endWorlds, type SessionWorld } from '../session-world.ts';

afterEach(endWorlds);

const ENDED = { code: 401, data: { name: 'SessionEnded' } };
const use = ({ service }: SessionWorld, accessToken: string): Promise<unknown> =>
  service.authenticate({ strategy: 'jwt', accessToken }, {}, 'jwt');
/** Changes what is stored of a user behind the back of everybody. */
const put = ({ users }: SessionWorld, id: number, change: object): void => {
  users.store.set(String(id), { ...users.store.get(String(id)), ...change });
};

describe('secrets in lists', () => {
  const devices: AuthenticationStrategy = { protectedFields: ['devices.secret'] };
  const listed = async (): Promise<SessionWorld> => {
    const world = await createWorld({}, { devices });
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

/** What a process hears of ends after its first question to the store, and a user with a session that lives. */
async function watched(
  options: AuthenticationConfiguration = {},
): Promise<SessionWorld & { told: string[]; session: string; reads(): unknown[] }> {
  const world = await createWorld(options);
  const { accessToken, authentication } = await world.logIn();
  await world.service.verifyAccessToken(accessToken);
  const told: string[] = [];
  world.service.sessions?.watch((change) => told.push(change.kind));
  world.userCalls.length = 0;
  const reads = (): unknown[] =>
    world.userCalls.map(({ method, id, params }) => [method, id, params.query, params.paginate, params.provider]);
  return { ...world, told, session: String(authentication.payload.sid), reads };
}

const READ_ONE = ['get', 1, {}, undefined, undefined];
const FROM_OUTSIDE = { provider: 'rest', query: { name: 'Ann' } };

describe('a write of a user', () => {
  it.each([{ name: 'Anna' }, { $set: { name: 'Anna' } }, { passwords: 'x' }])('that names no secret reads nothing: %j', async (data) => {
    const { usersService, reads, told } = await watched();
    await usersService.patch(1, data, FROM_OUTSIDE);
    expect(reads()).toEqual([['patch', 1, { name: 'Ann' }, undefined, 'rest']]);
    expect(told).toEqual([]);
  });

  it('that names a secret is looked at before and after, as a call on the server, and ends all sessions when the secret is another', async () => {
    const { usersService, reads, told } = await watched();
    await usersService.patch(1, { password: 'new' }, FROM_OUTSIDE);
    expect(reads()).toEqual([['patch', 1, { name: 'Ann' }, undefined, 'rest'], READ_ONE, READ_ONE]);
    expect(told).toEqual(['user']);
  });

  it.each([{ password: 'secret of Ann' }, { disabled: false }, { password: 'secret of Ann', disabled: null }])(
    'that says the same again ends nothing: %j',
    async (data) => {
      const { usersService, told, userCalls } = await watched();
      await usersService.patch(1, data);
      expect([told, userCalls.length]).toEqual([[], 3]);
    },
  );

  it('that disables ends all sessions, and disabling again none', async () => {
    const { usersService, told } = await watched();
    await usersService.patch(1, { disabled: true });
    expect(told).toEqual(['user']);
    const again = usersService.patch(1, { password: 'secret of Ann' });
    await again;
    expect(told).toEqual(['user']);
  });

  it('that replaces the user is looked at too', async () => {
    const { usersService, reads, told } = await watched();
    await usersService.update(1, { name: 'Anna', password: 'secret of Ann' });
    expect(reads()).toEqual([['update', 1, undefined, undefined, undefined], READ_ONE, READ_ONE]);
    expect(told).toEqual([]);
    await usersService.update(1, { name: 'Anna' });
    expect(told).toEqual(['user']);
  });

  it('that removes ends all sessions', async () => {
    const { usersService, told, reads } = await watched();
    await usersService.remove(1);
    expect(reads()).toEqual([['remove', 1, undefined, undefined, undefined], READ_ONE, READ_ONE]);
    expect(told).toEqual(['user']);
  });

  it('that stores the same secret in another form, as the server says, is not looked at', async () => {
    const { usersService, told, userCalls } = await watched();
    const params: object = { [SAME_SECRET]: (value: unknown) => value === 'hashed anew' };
    await usersService.patch(1, { password: 'hashed anew' }, params);
    expect([told, userCalls.length]).toEqual([[], 1]);
    await usersService.patch(1, { password: 'another one' }, params);
    expect(told).toEqual(['user']);
  });

  it('is not looked at where sessions are off, and it creates nobody with sessions', async () => {
    const { usersService, told, userCalls, configure } = await watched();
    await usersService.create({ name: 'Eve', password: 'x' });
    expect(userCalls).toHaveLength(1);
    configure({ sessions: false });
    await usersService.patch(1, { password: 'new' });
    await usersService.remove(1);
    expect([told, userCalls.length]).toEqual([[], 3]);
  });

  it('that fails for an id that is not there, or is none, fails as the service says, and ends nothing', async () => {
    const { usersService, told } = await watched();
    await expect(usersService.patch(9, { password: 'x' })).rejects.toMatchObject({ code: 404, message: "No record found for id '9'" });
    await expect(usersService.remove(9)).rejects.toMatchObject({ code: 404 });
    expect(told).toEqual([]);
  });

  it('is not made when the user can not be read before it', async () => {
    const { usersService, users } = await watched();
    usersService.hooks({
      before: {
        get: [
          () => {
            throw new Error('no database');
          },
        ],
      },
    });
    await expect(usersService.patch(1, { password: 'new' })).rejects.toThrow('no database');
    expect(users.store.get('1')).toMatchObject({ password: 'secret of Ann' });
  });

  it('that a later hook fails is looked at all the same', async () => {
    const { usersService, told } = await watched();
    usersService.hooks({
      after: {
        patch: [
          () => {
            throw new Error('too late');
          },
        ],
      },
    });
    await expect(usersService.patch(1, { password: 'new' })).rejects.toThrow('too late');
    expect(told).toEqual(['user']);
  });

  it('after which the user can not be read is no failure: the next use of each session looks', async () => {
    const world = await watched();
    let reads = 0;
    world.usersService.hooks({
      before: {
        get: [
          () => {
            reads += 1;
            if (reads === 2) throw new Error('no database');
          },
        ],
      },
    });
    await expect(world.usersService.patch(1, { password: 'new' })).resolves.toMatchObject({ password: 'new' });
    expect(world.told).toEqual([]);
    await expect(
      world.service.sessions!.checkSecrets(world.session, { entity: world.users.store.get('1'), fields: ['password'] }),
    ).rejects.toMatchObject(ENDED);
  });
});

describe('a write of several users', () => {
  const found = (query: unknown): unknown => ['find', undefined, query, false, undefined];

  it('is looked at with its query alone, whatever page is asked for, and by the ids after it', async () => {
    const { usersService, reads, told } = await watched();
    const query = { name: { $in: ['Ann', 'Bob'] }, $limit: 0, $skip: 5, $sort: { name: 1 }, $select: ['name'] };
    await usersService.patch(null, { name: 'Both', password: 'new' }, { provider: 'rest', query });
    expect(reads().slice(1)).toEqual([found({ name: { $in: ['Ann', 'Bob'] } }), found({ id: { $in: [1, 2] } })]);
    expect(told).toEqual(['user', 'user']);
  });

  it('ends the sessions of those alone whose secrets are others', async () => {
    const { usersService, told } = await watched();
    await usersService.patch(null, { password: 'secret of Bob' });
    expect(told).toEqual(['user']);
  });

  it('ends those of the users that it removes', async () => {
    const { usersService, told, reads } = await watched();
    await usersService.remove(null, { query: { name: 'Bob' } });
    expect(reads().slice(1)).toEqual([found({ name: 'Bob' }), found({ id: { $in: [2] } })]);
    expect(told).toEqual(['user']);
  });

  it('of nobody is looked at once', async () => {
    const { usersService, told, reads } = await watched();
    await usersService.patch(null, { password: 'new' }, { query: { name: 'Eve' } });
    expect(reads().slice(1)).toEqual([found({ name: 'Eve' })]);
    expect(told).toEqual([]);
  });

  it('is looked at in pages, where the service gives nothing else', async () => {
    const { usersService, told } = await watched();
    usersService.hooks({
      after: {
        find: [
          (context: { result: unknown }) => {
            context.result = { total: 2, data: context.result };
          },
        ],
      },
    });
    await usersService.patch(null, { password: 'new' });
    expect(told).toEqual(['user', 'user']);
  });
});

describe('a user who was disabled', () => {
  /** Kinds of the records that the session store has when the users' service is about to write. */
  const disabled = async (options?: AuthenticationConfiguration): Promise<SessionWorld & { written: unknown[][] }> => {
    const world = await createWorld(options);
    put(world, 2, { disabled: true });
    const written: unknown[][] = [];
    const note = (): void => void written.push([...world.store.store.values()].map(({ kind }) => kind));
    world.usersService.hooks({ before: { patch: [note], update: [note], remove: [note] } });
    return { ...world, written };
  };
  const ENDED_BEFORE = [['user', 'changes']];

  it.each<[string, (world: SessionWorld) => Promise<unknown>]>([
    ['a patch that may enable', ({ usersService }) => usersService.patch(2, { disabled: false })],
    ['an operator that may enable', ({ usersService }) => usersService.patch(2, { $unset: { disabled: '' } })],
    ['an update', ({ usersService }) => usersService.update(2, { name: 'Bob', disabled: true })],
    ['a patch of several', ({ usersService }) => usersService.patch(null, { disabled: false }, { query: { name: 'Bob' } })],
  ])('has all sessions ended before %s is made, so that nothing of before comes back', async (_what, write) => {
    const world = await disabled();
    await write(world);
    expect(world.written).toEqual(ENDED_BEFORE);
  });

  it.each<[string, (world: SessionWorld) => Promise<unknown>]>([
    ['a new password', ({ usersService }) => usersService.patch(2, { password: 'new' })],
    ['a removal', ({ usersService }) => usersService.remove(2)],
    ['a write of somebody else', ({ usersService }) => usersService.patch(1, { disabled: false })],
  ])('has nothing to be ended before %s', async (_what, write) => {
    const world = await disabled();
    await write(world);
    expect(world.written).toEqual([[]]);
  });

  it('is told by the property of the options, and by none where there is none', async () => {
    const locked = await disabled({ disabledField: 'locked' });
    await locked.usersService.patch(2, { disabled: false });
    put(locked, 2, { locked: true });
    await locked.usersService.patch(2, { locked: false });
    expect(locked.written).toEqual([[], ...ENDED_BEFORE]);
    const none = await disabled({ disabledField: null });
    none.userCalls.length = 0;
    await none.usersService.patch(2, { disabled: false, null: true });
    expect([none.written, none.userCalls.length]).toEqual([[[]], 1]);
    await none.usersService.update(2, { name: 'Bob', password: 'secret of Bob', null: true });
    expect(none.written).toEqual([[], []]);
  });
});

describe('what hooks behind the watch make of a write', () => {
  /** A hook that is run after the watch has looked at the data. */
  const changing = async (change: object): Promise<Awaited<ReturnType<typeof watched>>> => {
    const world = await watched();
    world.usersService.hooks({
      before: {
        patch: [
          (context: { data: object }) => {
            context.data = { ...context.data, ...change };
          },
        ],
      },
    });
    return world;
  };

  it('ends the sessions that began with another secret', async () => {
    const { usersService, told, reads, logIn } = await changing({ password: 'made of the name' });
    await usersService.patch(1, { name: 'Anna' });
    expect(told).toEqual(['session']);
    expect(reads().slice(1)).toEqual([READ_ONE]);
    await logIn('Anna');
    told.length = 0;
    await usersService.patch(1, { name: 'Anna' });
    expect(told).toEqual([]);
  });

  it('ends all sessions of a user who is disabled', async () => {
    const { usersService, told } = await changing({ disabled: true });
    await usersService.patch(1, { name: 'Anna' });
    expect(told).toEqual(['user']);
  });

  it('is looked at for several users', async () => {
    const { usersService, told, reads } = await changing({ password: 'new' });
    await usersService.patch(null, { name: 'Both' }, { query: { name: { $in: ['Ann', 'Bob'] } } });
    expect(reads().slice(1)).toEqual([['find', undefined, { id: { $in: [1, 2] } }, false, undefined]]);
    expect(told).toEqual(['session']);
  });

  it('is looked at by the next use of a session, where only a count comes back', async () => {
    const { usersService, told, userCalls } = await changing({ password: 'new' });
    usersService.hooks({
      after: {
        patch: [
          (context: { result: unknown }) => {
            context.result = { modified: 2 };
          },
        ],
      },
    });
    await usersService.patch(null, { name: 'Both' });
    expect([told, userCalls.length]).toEqual([[], 1]);
  });

  it('is looked at in what the call gives, where the users can not be read', async () => {
    const { usersService, told } = await changing({ password: 'new' });
    usersService.hooks({
      before: {
        find: [
          () => {
            throw new Error('no database');
          },
        ],
      },
    });
    await usersService.patch(null, { name: 'Both' });
    expect(told).toEqual(['session']);
  });

  it('is not looked at where nothing of it is a secret', async () => {
    const { usersService, told, userCalls } = await changing({ seen: true });
    await usersService.patch(1, { name: 'Anna' });
    expect([told, userCalls.length]).toEqual([[], 1]);
  });

  it('is not looked at where sessions were switched off meanwhile', async () => {
    const { usersService, told, userCalls, configure } = await changing({ password: 'new' });
    usersService.hooks({ after: { patch: [() => void configure({ sessions: false })] } });
    await usersService.patch(1, { name: 'Anna' });
    expect([told, userCalls.length]).toEqual([[], 1]);
  });
});
