import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { framework } from '@framework/core';
import { ObjectId, type Document } from 'mongodb';
import { startHarness, type ServiceHarness } from '../harness.ts';

class Part {
  constructor(properties: object) {
    Object.assign(this, properties);
  }
}

const TEXT = '0123456789abcdef01234567';
const outside = { provider: 'rest' };

describe('maps and instances of classes inside of data', () => {
  let harness: ServiceHarness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.database.close());
  beforeEach(() => harness.reset());

  const FORMS: readonly (readonly [string, (properties: object) => object])[] = [
    ['a plain object', (properties) => properties],
    ['an instance', (properties) => new Part(properties)],
    ['a map', (properties) => new Map(Object.entries(properties))],
    ['what says itself what is stored of it', (properties) => ({ toBSON: () => properties })],
    [
      'an instance of which a map is stored',
      (properties) => Object.assign(Object.create({ toBSON: () => new Map(Object.entries(properties)) }) as object),
    ],
  ];

  it.each(FORMS)('%s leaves what is hidden as it is, where a hook has made it of what a caller sent', async (_name, make) => {
    const app = framework().use('people', harness.service({ hidden: ['address.code'], multi: true }));
    const { _id: id } = await app.service('people').create({ name: 'a', address: { city: 'Bern', code: 5 } });
    app.service('people').hooks({
      before: {
        all: [
          ({ params, data }) => {
            if (params.provider !== undefined) Object.assign(data as Document, { address: make((data as { address: object }).address) });
          },
        ],
      },
    });
    const stored = (): Promise<Document> => app.service('people').get(id as never);
    await app.service('people').patch(id as never, { address: { city: 'Basel' } }, outside);
    expect(await stored()).toEqual({ _id: id, name: 'a', address: { city: 'Basel', code: 5 } });
    await app.service('people').patch(null, { address: { city: 'Chur' } }, outside);
    expect(await stored()).toEqual({ _id: id, name: 'a', address: { city: 'Chur', code: 5 } });
    await app.service('people').update(id as never, { name: 'b', address: { city: 'Thun' } }, outside);
    expect(await stored()).toEqual({ _id: id, name: 'b', address: { city: 'Thun', code: 5 } });
  });

  it.each(FORMS)('%s has its texts of object ids converted, as those of queries are', async (_name, make) => {
    const service = harness.service({ objectIds: ['team.leadId'], paths: ['team.leadId'] });
    const data = { name: 'a', team: make({ leadId: TEXT }), teams: [make({ of: make({ a: 1 }) })] };
    const { _id: id } = await service.create(data);
    const found = async (): Promise<unknown> => service.find({ query: { 'team.leadId': TEXT } });
    const record = { _id: id, name: 'a', team: { leadId: new ObjectId(TEXT) }, teams: [{ of: { a: 1 } }] };
    expect(await found()).toEqual([record]);
    await service.patch(id as never, { team: null });
    await service.patch(id as never, { team: make({ leadId: TEXT }) });
    expect(await found()).toEqual([record]);
    await service.update(id as never, data);
    expect(await found()).toEqual([record]);
  });

  it.each(FORMS)('%s is what an operator takes', async (_name, make) => {
    const service = harness.service({ version: 'version' });
    const { _id: id } = await service.create({ name: 'a', age: 1 });
    const change = { $set: make({ name: 'b' }), $inc: make({ age: 1 }) } as never;
    expect(await service.update(id as never, change)).toMatchObject({ name: 'b', age: 2 });
    expect(await service.patch(id as never, { $set: make({ name: 'c' }) } as never)).toMatchObject({ name: 'c', age: 2 });
    const { version } = (await service.get(id as never)) as Document;
    expect(await service.patch(id as never, { $unset: make({ version: '', age: '' }) } as never)).not.toHaveProperty('age');
    expect(await service.get(id as never)).toMatchObject({ name: 'c', version: expect.not.stringContaining(String(version)) as unknown });
  });

  it('names in a map that a hook has made of what a caller sent are checked', async () => {
    const service = harness.service();
    for (const name of ['$where', 'a.$[]', 'constructor'])
      await expect(service.create({ name: 'a', value: new Map([[name, 1]]) }, outside)).rejects.toMatchObject({ code: 400 });
  });

  it('are refused where they contain themselves, however often', async () => {
    const part = new Part({});
    const map = new Map<string, unknown>([['part', part]]);
    Object.assign(part, { map, again: map, list: [part, map, part] });
    map.set('map', map);
    await expect(harness.service().create({ name: 'a', part })).rejects.toMatchObject({ code: 400 });
    await expect(harness.service().create({ name: 'a', part }, outside)).rejects.toMatchObject({ code: 400 });
  });

  it('are looked into once, however often they are there', async () => {
    let shared: object = new Part({ a: 1 });
    for (let level = 0; level < 60; level++) shared = new Part({ one: shared, other: level < 50 ? undefined : shared });
    const { _id: id } = await harness.service().create({ name: 'a', shared });
    expect(await harness.service().get(id as never)).toHaveProperty(`shared.${'one.'.repeat(60)}a`, 1);
  });

  it('are not changed themselves', async () => {
    const map = new Map([['a', new Part({ b: 1 })]]);
    const data = { name: 'a', value: map, plain: { c: [map] } };
    await harness.service().create(data);
    expect(data).toEqual({ name: 'a', value: new Map([['a', new Part({ b: 1 })]]), plain: { c: [map] } });
  });
});
