import { afterEach, describe, expect, it } from '@jest/globals';
import { createWorld, endWorlds } from '../session-world.ts';

afterEach(endWorlds);

const ENDED = { code: 401, data: { name: 'SessionEnded' } };

interface Store {
  remove(id: string | null, params?: object): Promise<unknown>;
}

describe('sessions that are removed in the service that stores them', () => {
  it('have ended at once, and tell so to other processes and to connections', async () => {
    const world = await createWorld();
    const { accessToken, authentication } = await world.logIn();
    const other = await world.logIn();
    const verified = async (token: string): Promise<unknown> =>
      world.service.authenticate({ strategy: 'jwt', accessToken: token }, {}, 'jwt');
    await verified(accessToken);
    const sid = String(authentication.payload.sid);
    const told: unknown[] = [];
    world.service.sessions?.watch((change) => told.push(change));
    await (world.app.service('sessions') as unknown as Store).remove(sid);
    await expect(verified(accessToken)).rejects.toMatchObject(ENDED);
    expect(told).toContainEqual({ kind: 'session', id: sid });
    expect(world.store.store.get('changes')).toMatchObject({ recent: [{ kind: 'session', id: sid }] });
    await expect(verified(other.accessToken)).resolves.toMatchObject({ user: { name: 'Ann' } });
  });

  it('are told of when they are several, but those that had ended before', async () => {
    const world = await createWorld();
    const [first, second, third] = [await world.logIn(), await world.logIn(), await world.logIn('Bob')];
    const idOf = (login: typeof first): string => String(login.authentication.payload.sid);
    await world.service.sessions?.end(idOf(third));
    const before = (world.store.store.get('changes') as { version?: number }).version;
    await (world.app.service('sessions') as unknown as Store).remove(null, { query: { kind: 'session' } });
    const { version, recent } = world.store.store.get('changes') as { version?: number; recent?: { id: string }[] };
    expect(version).toBe(Number(before) + 2);
    expect(new Set(recent?.slice(-2).map(({ id }) => id))).toEqual(new Set([idOf(first), idOf(second)]));
  });
});
