import { afterEach, describe, expect, it } from '@jest/globals';
import { createWorld, endWorlds } from '../session-world.ts';

afterEach(endWorlds);

describe('a machine token or an API key', () => {
  it.each([undefined, null, 'text'])(
    'is not made for an entity for which its service gives %j in place of a record: 404',
    async (nothing) => {
      const { app, service, configure, store } = await createWorld();
      app.use('people', { id: 'id', get: async () => nothing } as never);
      configure({ service: 'people' });
      for (const make of [() => service.createToken({ entity: 1 }), () => service.createApiKey({ entity: 1 })])
        await expect(make()).rejects.toMatchObject({ code: 404 });
      expect(store.store.size).toBe(0);
    },
  );
});
