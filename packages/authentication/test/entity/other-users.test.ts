import { MemoryService } from '@framework-internal/testing';
import { afterEach, expect, it, jest } from '@jest/globals';
import { authenticate, type AuthenticationConfiguration, type AuthenticationResult } from '../../src/index.ts';
import { createWorld, endWorlds } from '../session-world.ts';

const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
afterEach(() => void warned.mockClear());
afterEach(endWorlds);

const ANN = { name: 'Ann', password: 'secret of Ann' };

/** Who a call is by, that comes with the token of Ann, the user 1, where the strategy `jwt` has a service of its own. */
async function caller(options: AuthenticationConfiguration, own: Record<string, unknown>[]): Promise<unknown> {
  const { app, service, configure } = await createWorld({ sessions: false, ...options });
  const people = new MemoryService({ startId: 1, multi: true });
  await people.create(own);
  app.use('people', people as never);
  app.use('notes', { find: (params: { user?: object }) => Promise.resolve(params.user) } as never);
  const notes = app.service('notes') as unknown as { find(params: object): Promise<unknown>; hooks(map: object): void };
  notes.hooks({ before: { find: [authenticate('jwt')] } });
  configure({ jwt: { service: 'people' } });
  const { accessToken } = (await service.create({ strategy: 'name', name: 'Ann' })) as AuthenticationResult;
  return notes.find({ provider: 'rest', authentication: { strategy: 'jwt', accessToken } });
}

const others =
  "A token for 'jwt' was refused: what it found in 'people' is not what 'users' has under the same id, and a token names a user by the id alone.";

it.each<[what: string, options: AuthenticationConfiguration, own: Record<string, unknown>[]]>([
  ['is somebody else', {}, [{ name: 'Root', password: 'secret of Root' }]],
  ['shows no secret', {}, [{ name: 'Ann' }]],
  ['is nobody', {}, []],
  ['is somebody else, and has sessions', { sessions: true }, [{ name: 'Root', password: 'secret of Root' }]],
])('S18 a token counts for nobody where whom its strategy finds %s', async (_what, options, own) => {
  await expect(caller(options, own)).rejects.toMatchObject({ code: 401, message: 'invalid token' });
  expect(warned.mock.calls).toEqual([[expect.stringContaining(others), { code: 'OTHER_USERS' }]]);
});

it.each([false, true])('a token counts for the same user in another service, with sessions: %j', async (sessions) => {
  await expect(caller({ sessions }, [{ ...ANN, nick: 'ann' }])).resolves.toMatchObject({ id: 1, nick: 'ann' });
  expect(warned).not.toHaveBeenCalled();
});
