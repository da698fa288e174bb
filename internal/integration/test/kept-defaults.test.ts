import { DocDbService } from '@framework/adapter-docdb';
import { MemoryService as Records } from '@framework/adapter-memory';
import { Field, Hidden, ReadOnly, serviceSchema, Type, WriteOnly } from '@framework/schema';
import { MemoryService } from '@framework-internal/testing';
import { describe, expect, it } from '@jest/globals';
import { applications } from './applications.ts';
import { sendJson } from './harness.ts';

const tested = applications();

const isAdmin = ({ user }: { user?: unknown }): boolean => user === 'admin';
const state = (): ReturnType<typeof Type.String> => Type.String({ default: 'default' });
const KEPT = {
  readOnly: ReadOnly(state()),
  readonly: Type.Readonly(state()),
  hidden: Hidden(state()),
  writeOnly: WriteOnly(state()),
  writable: Field(state(), { writable: isAdmin }),
  readable: Field(state(), { readable: isAdmin }),
};
const described = (id: '_id' | 'id') =>
  serviceSchema({
    record: Type.Object({
      [id]: Type.Unknown(),
      name: Type.String(),
      ...KEPT,
      open: Type.String({ default: 'default' }),
      inside: Type.Object({ a: Type.String(), open: Type.String({ default: 'default' }), ...KEPT }),
      preset: Type.Object({ ...KEPT, open: Type.String() }, { default: { open: 'preset' } }),
    }),
  });
const schema = described('_id');
const kept = Object.fromEntries(Object.keys(KEPT).map((name) => [name, 'stored']));
const STORED = {
  name: 'Ann',
  ...kept,
  open: 'stored',
  inside: { a: '1', open: 'stored', ...kept },
  preset: { open: 'stored', ...kept },
};

describe('S10 a default does not take the place of what a caller neither sees nor sets', () => {
  const serviceOf = (kind: string): object =>
    kind === 'memory' ? new Records({ id: '_id' }) : new DocDbService({ Model: tested.database.db.collection('people') });
  const stored = async (service: object): Promise<{ path: string; url: string; record: () => Promise<unknown> }> => {
    const { url, app } = await tested.startPeople(service, schema);
    const { _id } = (await app.service('people').create(STORED as never)) as { _id: unknown };
    return { url, path: `/people/${String(_id)}`, record: () => app.service('people').get(_id as never) };
  };

  it.each(['database', 'memory'])('in an update, which gives all else its default: %s', async (kind) => {
    const { url, path, record } = await stored(serviceOf(kind));
    expect(await sendJson(url, 'PUT', path, { name: 'Bea', inside: { a: '2' } })).toMatchObject({ status: 200 });
    expect(await record()).toEqual({
      _id: expect.anything(),
      name: 'Bea',
      ...kept,
      open: 'default',
      inside: { a: '2', open: 'default', ...kept },
      preset: { open: 'preset', ...kept },
    });
  });

  it.each(['database', 'memory'])('in an object that is patched: %s', async (kind) => {
    const { url, path, record } = await stored(serviceOf(kind));
    expect(await sendJson(url, 'PATCH', path, { inside: { a: '2' } })).toMatchObject({ status: 200 });
    expect(await record()).toMatchObject({ ...STORED, inside: { a: '2', open: 'default', ...kept } });
  });

  it('but is set where the caller sets it, and in what is created', async () => {
    const { url, path, record } = await stored(serviceOf('memory'));
    const set = { writeOnly: 'set', readable: 'set' };
    expect(await sendJson(url, 'PATCH', path, { inside: { a: '2', ...set } })).toMatchObject({ status: 200 });
    expect(await record()).toMatchObject({ inside: { ...kept, ...set } });
    const { status, body } = await sendJson(url, 'POST', '/people', { name: 'Bea', inside: { a: '1' } });
    expect([status, body]).toMatchObject([201, { readOnly: 'default', inside: { writable: 'default' } }]);
  });

  it('but what a schema of a library makes of the data is set', async () => {
    const validate = (given: unknown): { value: object } => {
      const { name } = given as { name: string };
      return { value: { name, slug: name.toLowerCase() } };
    };
    const data = { '~standard': { version: 1, vendor: 'own', validate } } as const;
    const record = Type.Object({ _id: Type.Unknown(), name: Type.String(), slug: ReadOnly(Type.String()) });
    const { url, app } = await tested.startPeople(new Records({ id: '_id' }), serviceSchema({ record, data, patch: data }));
    const { _id } = (await app.service('people').create({ name: 'Ann', slug: 'ann' } as never)) as { _id: unknown };
    const answer = await sendJson(url, 'PUT', `/people/${String(_id)}`, { name: 'Bea' });
    expect(answer).toMatchObject({ status: 200, body: { name: 'Bea', slug: 'bea' } });
  });

  it('and a service that keeps nothing by itself loses nothing by a patch', async () => {
    const { url, app } = await tested.startPeople(new MemoryService(), described('id'));
    const { id } = (await app.service('people').create(STORED as never)) as unknown as { id: unknown };
    const { status, body } = await sendJson(url, 'PATCH', `/people/${String(id)}`, { inside: { a: '2' } });
    expect([status, body]).toMatchObject([400, { errors: expect.arrayContaining([expect.objectContaining({ path: 'inside' })]) }]);
    expect(await app.service('people').get(id as never)).toMatchObject(STORED);
  });
});
