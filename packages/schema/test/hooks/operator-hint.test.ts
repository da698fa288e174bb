import { framework, type Params } from '@framework/core';
import { BadRequest } from '@framework/errors';
import { describe, expect, it } from '@jest/globals';
import { getValidator, Hidden, querySyntax, serviceSchema, Type, validateQuery } from '../../src/index.ts';

const record = Type.Object({
  id: Type.Integer(),
  tags: Type.Array(Type.String()),
  o: Type.Object({ x: Type.String() }),
  pin: Hidden(Type.String()),
});

interface Found {
  find(params: Params): Promise<unknown>;
}

/** What a caller is told of a query. */
async function told(service: Found, query: Record<string, unknown>): Promise<unknown> {
  const error: unknown = await service.find({ provider: 'rest', query }).catch((reason: unknown) => reason);
  const { code, data, errors } = error as BadRequest;
  return [code, data, (errors as { path: string }[]).map(({ path }) => path)];
}

const hint = (name: string): object => ({
  hint: `Add ${name} to 'extensions' of the service's schema, and to its option 'operators', to allow it`,
});

function services(): readonly Found[] {
  const app = framework();
  const found = { find: async (_params: Params): Promise<unknown[]> => [] };
  app.use('by-schema', { ...found }, { schema: serviceSchema({ record }) });
  app.use('by-hook', { ...found });
  app.service('by-hook').hooks({ before: { find: [validateQuery(getValidator(querySyntax(record)))] } });
  return ['by-schema', 'by-hook'].map((path) => app.service(path) as unknown as Found);
}

describe('an operator that adapters may have and the schema does not', () => {
  it('is refused with what is missing', async () => {
    for (const service of services()) {
      expect(await told(service, { tags: { $all: ['a'] } })).toEqual([400, hint('$all'), ['tags.$all']]);
      expect(await told(service, { $or: [{ 'o.x': { $regex: 'a' } }], id: 'x' })).toEqual([
        400,
        hint('$regex'),
        expect.arrayContaining(['$or.0.o.x.$regex', 'id']),
      ]);
    }
  });

  it('says nothing more of what is no such operator, is hidden, or stands elsewhere', async () => {
    for (const service of services())
      for (const query of [{ tags: { $where: '1' } }, { pin: { $all: ['a'] } }, { nope: { $exists: true } }, { $nor: [] }, { id: 'x' }])
        expect(await told(service, query)).toEqual([400, {}, [expect.not.stringContaining('pin.')]]);
  });

  it('says nothing of extensions, which are by property, where no property is', async () => {
    for (const service of services())
      for (const query of [
        { $all: ['a'] },
        { $or: [{ $exists: true }] },
        { $and: [{ $or: [{ $nor: [{ id: 1 }] }] }] },
        { tags: { $nor: [] } },
        { 'nope.$all': 1 },
      ])
        expect(await told(service, query)).toEqual([400, {}, expect.any(Array)]);
  });

  it('leaves refusals of other checks as they are', async () => {
    const refusals = [new BadRequest('no'), new BadRequest('no', { errors: ['tags.$all', null] }), new Error('no')];
    for (const refusal of refusals) {
      const app = framework();
      app.use('rows', { find: async (_params: Params): Promise<unknown[]> => [] });
      app.service('rows').hooks({ before: { find: [validateQuery(() => Promise.reject(refusal))] } });
      await expect(app.service('rows').find({ query: {} })).rejects.toBe(refusal);
    }
  });
});
