import { framework, type Query } from '@framework/core';
import { expect, it, jest } from '@jest/globals';
import { createAjv, serviceSchema, Type } from '../src/index.ts';

it('what is added to a record is compiled for the calls that are made, and for no description', async () => {
  const ajv = createAjv();
  const compiled = jest.spyOn(ajv, 'compile');
  const schema = serviceSchema({ record: Type.Object({ id: Type.Integer(), text: Type.String(), secret: Type.String() }), ajv });
  const atStart = compiled.mock.calls.length;
  // What creates, changes, and asks from outside and inside.
  expect(atStart).toBeGreaterThanOrEqual(4);
  const app = framework();
  app.use('notes', { find: async () => [] }, { schema });
  schema.shape.add({ hidden: ['secret'] });
  const described = schema.describe?.({ params: {} }, () => true, true);
  expect(JSON.stringify(described)).not.toContain('secret');
  expect(compiled).toHaveBeenCalledTimes(atStart);
  const ask = (query: Query): Promise<unknown> => app.service('notes').find({ provider: 'rest', query });
  await expect(ask({ secret: 'x' })).rejects.toMatchObject({ code: 400 });
  // Queries from outside and within, and what tells all that is wrong; no data.
  expect(compiled).toHaveBeenCalledTimes(atStart + 3);
  expect(await ask({ text: 'x' })).toEqual([]);
  expect(compiled).toHaveBeenCalledTimes(atStart + 3);
});
