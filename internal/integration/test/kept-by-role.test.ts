import { DocDbService } from '@framework/adapter-docdb';
import { MemoryService } from '@framework/adapter-memory';
import { Field, serviceSchema, Type } from '@framework/schema';
import { describe, expect, it } from '@jest/globals';
import { applications } from './applications.ts';
import { sendJson } from './harness.ts';

const tested = applications();

const isAdmin = ({ headers }: { readonly headers?: Readonly<Record<string, unknown>> }): boolean => headers?.['x-role'] === 'admin';
const ADMIN = { 'x-role': 'admin' };
const forAdmins = Field(Type.String(), { writable: isAdmin as never });
const record = Type.Object({
  _id: Type.Unknown(),
  name: Type.String(),
  role: forAdmins,
  inside: Type.Object({ a: Type.String(), level: forAdmins }),
  tags: Type.Array(Type.Object({ text: Type.String(), by: forAdmins })),
});
/** Data that were written apart. */
const withData = serviceSchema({ record, data: Type.Omit(record, ['_id']) });
const STORED = { name: 'Ann', role: 'user', inside: { a: '1', level: 'low' }, tags: [{ text: 'x', by: 'admin' }] };

describe('what a record has to have, and only some may set', () => {
  it.each([
    ['database', serviceSchema({ record })],
    ['memory', serviceSchema({ record })],
    ['memory, with data that were written apart', withData],
  ])('stays where others write what is around it, and is needed of those who may: %s', async (kind, schema) => {
    const service =
      kind === 'database' ? new DocDbService({ Model: tested.database.db.collection('people') }) : new MemoryService({ id: '_id' });
    const { url, app } = await tested.startPeople(service, schema);
    const { _id } = (await app.service('people').create(STORED as never)) as { _id: unknown };
    const path = `/people/${String(_id)}`;
    const rest = { name: 'Bea', inside: { a: '2' } };
    expect(await sendJson(url, 'PUT', path, rest)).toMatchObject({ status: 200 });
    expect(await app.service('people').get(_id as never)).toEqual({ ...STORED, _id, name: 'Bea', inside: { a: '2', level: 'low' } });
    expect(await sendJson(url, 'PATCH', path, { inside: { a: '3' } })).toMatchObject({ status: 200 });
    expect(await app.service('people').get(_id as never)).toMatchObject({ role: 'user', inside: { a: '3', level: 'low' } });
    expect(await sendJson(url, 'PUT', path, { ...rest, role: 'admin' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'role' }] },
    });
    const needed = ['role', 'tags', 'inside.level'].map((name) => expect.objectContaining({ path: name, keyword: 'required' }));
    const refused = await sendJson(url, 'PUT', path, rest, ADMIN);
    expect([refused.status, refused.body.errors]).toEqual([400, expect.arrayContaining(needed)]);
    expect(await sendJson(url, 'PUT', path, { ...STORED, role: 'admin' }, ADMIN)).toMatchObject({ status: 200, body: { role: 'admin' } });
    expect(await sendJson(url, 'POST', '/people', { ...rest, tags: [] })).toMatchObject({ status: 400 });
  });
});
