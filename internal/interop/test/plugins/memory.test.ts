import { MemoryService, memory } from '@feathersjs/memory';
import * as feathersErrors from '@feathersjs/errors';
import { isFrameworkError } from '@framework/errors';
import { afterEach, describe, expect, it } from '@jest/globals';
import { request, start, stopAll } from '../application.ts';

afterEach(stopAll);

const people = [
  { name: 'Ann', age: 30 },
  { name: 'Bob', age: 20 },
  { name: 'Cid', age: 40 },
];

describe("the incumbent's memory adapter in an application of ours", () => {
  it('answers REST: queries as text, pages, lists, errors', async () => {
    const { app, url } = await start((added) => {
      added.use('people', memory({ startId: 1, multi: ['create'], paginate: { default: 2, max: 2 } }));
    });
    expect((await request(url, 'POST', '/people', people)).status).toBe(201);
    expect((await request(url, 'GET', '/people?$sort[name]=-1&$skip=1')).body).toEqual({
      total: 3,
      limit: 2,
      skip: 1,
      data: [
        { id: 2, ...people[1] },
        { id: 1, ...people[0] },
      ],
    });
    expect((await request(url, 'GET', '/people?$limit=0')).body).toEqual({ total: 3, limit: 0, skip: 0, data: [] });
    expect((await request(url, 'GET', '/people?$or[0][name]=Ann&$or[1][name]=Cid&$select[]=name')).body.data).toEqual([
      { id: 1, name: 'Ann' },
      { id: 3, name: 'Cid' },
    ]);
    expect((await request(url, 'PUT', '/people/1', { name: 'Anna' })).body).toEqual({ id: 1, name: 'Anna' });
    expect((await request(url, 'PATCH', '/people/1', { age: 31 })).body).toEqual({ id: 1, name: 'Anna', age: 31 });
    expect((await request(url, 'DELETE', '/people/1')).status).toBe(200);
    expect((await request(url, 'GET', '/people/1')).body).toEqual({
      name: 'NotFound',
      message: "No record found for id '1'",
      code: 404,
      className: 'not-found',
    });
    expect((await request(url, 'GET', '/people?name[$where]=1')).status).toBe(400);
    expect((await request(url, 'DELETE', '/people')).status).toBe(405);
    await expect(app.service('people').find({ paginate: false } as never)).resolves.toHaveLength(2);
  });

  it('runs on the server, with hooks, events and its errors', async () => {
    const { app } = await start((added) => {
      added.use('people', memory({ multi: true }));
    });
    const created: unknown[] = [];
    app.service('people').on('created', (person: unknown) => created.push(person));
    app.service('people').hooks({ before: { create: [async (context: any) => void (context.data.checked = true)] } });
    await app.service('people').create({ name: 'Ann' });
    expect(created).toEqual([{ id: 0, name: 'Ann', checked: true }]);
    const error = await app
      .service('people')
      .get(7)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(feathersErrors.NotFound);
    expect(isFrameworkError(error)).toBe(false);
  });

  it('can be subclassed, with methods that call each other through their hooks', async () => {
    class People extends MemoryService {
      async rename({ id, name }: { id: number; name: string }): Promise<unknown> {
        return (this as any).patch(id, { name });
      }
    }
    const hooked: string[] = [];
    const { url } = await start((added) => {
      added.use('people', new People({ startId: 1 } as never), { methods: ['find', 'get', 'create', 'rename'] });
      added.service('people').hooks({ before: { all: [async (context: any) => void hooked.push(context.method)] } });
    });
    await request(url, 'POST', '/people', { name: 'Ann' });
    const renamed = await request(url, 'POST', '/people', { id: 1, name: 'Anna' }, { 'x-service-method': 'rename' });
    expect(renamed.body).toEqual({ id: 1, name: 'Anna' });
    expect(hooked).toEqual(['create', 'rename', 'patch']);
    expect((await request(url, 'PATCH', '/people/1', { name: 'Eve' })).status).toBe(405);
  });

  it('keeps the methods of the adapter that run no hooks', async () => {
    const { app } = await start((added) => {
      added.use('people', memory({ startId: 1 }));
    });
    const service: any = app.service('people');
    service.hooks({ before: { all: [async () => Promise.reject(new Error('Never'))] } });
    await expect(service._create({ name: 'Ann' })).resolves.toEqual({ id: 1, name: 'Ann' });
    await expect(service.create({ name: 'Bob' })).rejects.toThrow('Never');
    expect(service.options).toMatchObject({ id: 'id', startId: 1 });
    expect(service.id).toBe('id');
  });
});
