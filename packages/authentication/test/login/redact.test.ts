import { afterEach, describe, expect, it } from '@jest/globals';
import { redact } from '../../src/login/redact.ts';
import { createWorld, endWorlds } from '../session-world.ts';

afterEach(endWorlds);

const ANN = { id: 1, name: 'Ann', password: 'x' };

describe('what leaves of the result of a login', () => {
  it('has what callers from outside may see of the entity, and all else', async () => {
    const { service } = await createWorld();
    const result = { accessToken: 'a', user: ANN, info: { password: 'x' } };
    expect(redact(service, result, { provider: 'rest' }, 'name')).toEqual({
      accessToken: 'a',
      user: { id: 1, name: 'Ann' },
      info: { password: 'x' },
    });
    expect(result.user).toBe(ANN);
  });

  it('is all of it for calls on the server', async () => {
    const { service } = await createWorld();
    const result = { user: ANN };
    expect(redact(service, result, {}, 'name')).toBe(result);
  });

  it.each([[{}], [{ user: undefined }], [{ user: null }], [{ user: 'Ann' }], [{ machine: ANN }]])(
    'is all of it where there is no entity: %j',
    async (result) => {
      const { service } = await createWorld();
      expect(redact(service, result, { provider: 'rest' }, 'name')).toBe(result);
    },
  );

  it('is looked at by the options of the strategy, and where there is no entity at all not', async () => {
    const { service, configure } = await createWorld({ own: { entity: 'machine' } });
    service.register('own', { configuration: { entity: 'machine' } } as object);
    const result = { user: ANN, machine: ANN };
    expect(redact(service, result, { provider: 'rest' }, 'own')).toEqual({ user: ANN, machine: { id: 1, name: 'Ann' } });
    expect(redact(service, result, { provider: 'rest' }, 'unknown')).toEqual({ user: { id: 1, name: 'Ann' }, machine: ANN });
    configure({ entity: null });
    const none = { user: ANN, undefined: ANN, null: ANN };
    expect(redact(service, none, { provider: 'rest' }, 'name')).toBe(none);
  });
});
