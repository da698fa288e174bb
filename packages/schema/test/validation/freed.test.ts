import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { framework } from '@framework/core';
import { expect, it } from '@jest/globals';
import { serviceSchema, Type } from '../../src/index.ts';

it('what was compiled for a service is gone with it', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const app = framework();

  /** @returns what must not stay: the service, and parts of its schemas */
  const round = async (path: string): Promise<WeakRef<object>[]> => {
    const text = Type.String({ minLength: 1, description: path });
    const record = Type.Object({ id: Type.Integer(), text, list: Type.Array(Type.Object({ text })) });
    const service = { find: async () => [], create: async (data: object) => data };
    app.use(path, service, { schema: serviceSchema({ record }) });
    const params = { provider: 'rest' };
    await app.service(path).find({ query: { text: 'x' }, ...params });
    await expect(app.service(path).create({ text: '' } as never, params)).rejects.toMatchObject({ code: 400 });
    await app.unuse(path);
    return [service, record, text, record.properties.list].map((part) => new WeakRef(part));
  };
  const parts: WeakRef<object>[] = [];
  for (const path of ['notes', 'posts', 'users']) parts.push(...(await round(path)));
  const inMemory = (): number => parts.filter((part) => part.deref() !== undefined).length;
  for (let n = 0; n < 20 && inMemory() > 0; n++) {
    // What was looked at stays until the present task is over.
    await new Promise((resolve) => setTimeout(resolve, 20));
    collect();
  }
  expect(inMemory()).toBe(0);
});
