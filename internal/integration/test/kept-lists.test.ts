import { DocDbService } from '@framework/adapter-docdb';
import { MemoryService as Records } from '@framework/adapter-memory';
import { Hidden, serviceSchema, Type } from '@framework/schema';
import { MemoryService } from '@framework-internal/testing';
import { describe, expect, it } from '@jest/globals';
import { applications } from './applications.ts';
import { sendJson } from './harness.ts';

const tested = applications();

const tags = Type.Array(Type.Object({ text: Type.String(), by: Type.Optional(Hidden(Type.String())) }));
const record = Type.Object({ _id: Type.Unknown(), name: Type.String(), tags, inside: Type.Object({ a: Type.String(), tags }) });
const schema = serviceSchema({ record });
const sent = Type.Array(Type.Object({ text: Type.String() }));
/** Data that were written apart, in parts. */
const withData = serviceSchema({
  record,
  data: Type.Intersect([
    Type.Object({ name: Type.String(), tags: sent }),
    Type.Object({ inside: Type.Object({ a: Type.String(), tags: sent }) }),
  ]),
});
const kept = [{ text: 'x', by: 'kept' }];
const STORED = { name: 'Ann', tags: kept, inside: { a: '1', tags: kept } };

describe('a list that records have to have, and that callers can not replace', () => {
  it.each([
    ['database', schema],
    ['memory', schema],
    ['memory, with data that were written apart', withData],
  ])('stays where a caller writes what is around it: %s', async (kind, described) => {
    const service = kind === 'database' ? new DocDbService({ Model: tested.database.db.collection('people') }) : new Records({ id: '_id' });
    const { url, app } = await tested.startPeople(service, described);
    const { _id } = (await app.service('people').create(STORED as never)) as { _id: unknown };
    const path = `/people/${String(_id)}`;
    expect(await sendJson(url, 'PUT', path, { name: 'Bea', inside: { a: '2' } })).toMatchObject({ status: 200 });
    expect(await app.service('people').get(_id as never)).toEqual({ _id, name: 'Bea', tags: kept, inside: { a: '2', tags: kept } });
    expect(await sendJson(url, 'PATCH', path, { inside: { a: '3' } })).toMatchObject({ status: 200 });
    expect(await app.service('people').get(_id as never)).toMatchObject({ inside: { a: '3', tags: kept } });
  });

  it('is needed in what is created, and in what code on the server writes', async () => {
    const { url, app } = await tested.startPeople(new Records({ id: '_id' }), schema);
    expect(await sendJson(url, 'POST', '/people', { name: 'Bea', tags: [], inside: { a: '2' } })).toMatchObject({ status: 400 });
    const { _id } = (await app.service('people').create(STORED as never)) as { _id: unknown };
    await expect(app.service('people').patch(_id as never, { inside: { a: '4' } } as never)).rejects.toMatchObject({ code: 400 });
  });

  it('is needed where the service keeps nothing by itself', async () => {
    const { url, app } = await tested.startPeople(new MemoryService(), serviceSchema({ record: Type.Omit(record, ['_id']) }));
    const { id } = (await app.service('people').create(STORED as never)) as unknown as { id: unknown };
    const path = `/people/${String(id)}`;
    expect(await sendJson(url, 'PUT', path, { name: 'Bea', tags: [] })).toMatchObject({ status: 400 });
    expect(await sendJson(url, 'PUT', path, { name: 'Bea', tags: [], inside: { a: '2', tags: [] } })).toMatchObject({ status: 200 });
  });

  it('and so does an object with such things under names of any kind', async () => {
    const byName = Type.Record(Type.String(), Type.Object({ text: Type.String(), by: Type.Optional(Hidden(Type.String())) }));
    const recordByName = Type.Object({
      _id: Type.Unknown(),
      name: Type.String(),
      byName,
      inside: Type.Object({ a: Type.String(), byName }),
    });
    const { url, app } = await tested.startPeople(new Records({ id: '_id' }), serviceSchema({ record: recordByName }));
    const named = { ann: kept[0] };
    const { _id } = (await app.service('people').create({ name: 'Ann', byName: named, inside: { a: '1', byName: named } } as never)) as {
      _id: unknown;
    };
    const path = `/people/${String(_id)}`;
    expect(await sendJson(url, 'PUT', path, { name: 'Bea', inside: { a: '2' } })).toMatchObject({ status: 200 });
    expect(await sendJson(url, 'PATCH', path, { inside: { a: '3' } })).toMatchObject({ status: 200 });
    expect(await app.service('people').get(_id as never)).toEqual({
      _id,
      name: 'Bea',
      byName: named,
      inside: { a: '3', byName: named },
    });
    expect(await sendJson(url, 'PATCH', path, { byName: {} })).toMatchObject({ status: 400 });
  });
});
