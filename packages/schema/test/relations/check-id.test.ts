import { framework } from '@framework/core';
import { describe, expect, it } from '@jest/globals';
import { Hidden, serviceSchema, Type, type JSONSchema } from '../../src/index.ts';

const text = Type.String();

class Notes {
  readonly id: string;

  constructor(id = 'id') {
    this.id = id;
  }

  async find(): Promise<object[]> {
    return [];
  }
}

function registered(record: JSONSchema, id?: string): Promise<unknown> {
  const app = framework();
  app.use('teams/:team/notes', new Notes(id), { schema: serviceSchema({ record }) });
  return app.setup();
}

describe('the id of a service', () => {
  it.each([
    ['_id', undefined, Type.Object({ _id: text, text })],
    ['id', '_id', Type.Object({ id: text, text })],
    ['id', 'uuid', Type.Object({ id: text, text })],
  ])('is not the %s that the record describes: refused at start (%s)', async (other, id = 'id', record) => {
    await expect(registered(record, id)).rejects.toThrow(
      `The record of 'teams/:team/notes' describes '${other}', and its service calls the id '${id}': give the service the option id: '${other}', or describe '${id}', as Hidden(…) where callers are not to see it`,
    );
  });

  it('is refused where the service comes late, too', async () => {
    const app = framework();
    await app.setup();
    const schema = serviceSchema({ record: Type.Object({ _id: text }) });
    expect(() => app.use('notes', new Notes(), { schema })).toThrow("describes '_id', and its service calls the id 'id'");
  });

  it.each([
    ['described by its name', undefined, Type.Object({ id: text, text })],
    ['described beside another', '_id', Type.Object({ _id: Hidden(text), id: text })],
    ['not described at all', undefined, Type.Object({ text })],
    ['in a record that may have any property', '_id', {}],
  ])('may be %s', async (_how, id, record) => {
    await expect(registered(record, id)).resolves.toBeDefined();
  });

  it('is called as it likes by a service that gives it no name', async () => {
    const app = framework();
    const schema = serviceSchema({ record: Type.Object({ _id: text }) });
    app.use('notes', { find: () => Promise.resolve([{ _id: 'a' }]) }, { schema });
    await app.setup();
    expect(await app.service('notes').find({ provider: 'rest' } as never)).toEqual([{ _id: 'a' }]);
  });
});
