import { afterEach, describe, expect, it } from '@jest/globals';
import { deviceMark } from '../../src/browser/device.ts';
import { derivedKey } from '../../src/index.ts';
import { createWorld, endWorlds, type SessionWorld } from '../session-world.ts';

afterEach(endWorlds);

const deviceIn = (
  { service }: SessionWorld,
  account: string,
  cookies: Readonly<Record<string, string>>,
  refreshToken?: unknown,
): Promise<string | undefined> => {
  const cookie = Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
  return service.knownDevice({ account, known: true }, { strategy: 'name', refreshToken }, { headers: { cookie } });
};

describe('a device that has logged in to an account before', () => {
  it('is known by its cookie, for that account alone, with sessions and without', async () => {
    const world = await createWorld();
    const mark = deviceMark('1', derivedKey(world.service.configuration, 'device'));
    const [id] = mark.split('.');
    for (const sessions of [true, false]) {
      world.configure({ sessions });
      expect(await deviceIn(world, '1', { '__Host-device': mark })).toBe(id);
      expect(await deviceIn(world, '2', { '__Host-device': mark })).toBeUndefined();
      expect(await deviceIn(world, '', { '__Host-device': mark })).toBeUndefined();
    }
    const forged = deviceMark('1', derivedKey(world.service.configuration, 'account'));
    expect(await deviceIn(world, '1', { '__Host-device': forged })).toBeUndefined();
  });

  it('is known by a refresh token of the account, in the data or in its cookie, also one that counts no more', async () => {
    const world = await createWorld();
    const { refreshToken, authentication } = await world.logIn();
    const { sid } = authentication.payload;
    expect(await deviceIn(world, '1', {}, refreshToken)).toBe(sid);
    expect(await deviceIn(world, '1', { '__Host-refresh': refreshToken })).toBe(sid);
    await world.service.sessions!.end(String(sid));
    expect(await deviceIn(world, '1', {}, refreshToken)).toBe(sid);
  });

  it('is known by its cookie before its refresh token', async () => {
    const world = await createWorld();
    const { refreshToken } = await world.logIn();
    const mark = deviceMark('1', derivedKey(world.service.configuration, 'device'));
    expect(await deviceIn(world, '1', { '__Host-device': mark }, refreshToken)).toBe(mark.split('.')[0]);
  });

  it('is not known by the token of another account, by what is none, and by that of nobody', async () => {
    const world = await createWorld();
    const { refreshToken } = await world.logIn();
    expect(await deviceIn(world, '2', {}, refreshToken)).toBeUndefined();
    for (const token of ['wrong', '', 5, null, { length: 5 }]) expect(await deviceIn(world, '1', {}, token)).toBeUndefined();
    // What is no text in the data does not hide the cookie, and a text does.
    expect(await deviceIn(world, '1', { '__Host-refresh': refreshToken }, 5)).toEqual(expect.any(String));
    expect(await deviceIn(world, '1', { '__Host-refresh': refreshToken }, 'wrong')).toBeUndefined();
    const nobody = await createWorld({ entity: null });
    expect(await deviceIn(nobody, '', {}, (await nobody.logIn()).refreshToken)).toBeUndefined();
  });

  it('is not known where sessions are off, or their store fails; nor without headers', async () => {
    const world = await createWorld();
    const { refreshToken } = await world.logIn();
    expect(await world.service.knownDevice({ account: '1', known: true }, {}, {})).toBeUndefined();
    world.app.service('sessions').hooks({
      before: {
        get: [
          () => {
            throw new Error('no database');
          },
        ],
      },
    });
    expect(await deviceIn(world, '1', {}, refreshToken)).toBeUndefined();
    world.configure({ sessions: false });
    expect(await deviceIn(world, '1', {}, refreshToken)).toBeUndefined();
  });
});
