import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ObjectId, type Document } from 'mongodb';
import { startHarness, type ServiceHarness } from '../harness.ts';

class Person {
  readonly #secret = 1;
  name: string;
  owner: string;
  address: object;

  constructor(name: string, address: object = {}) {
    this.name = name;
    this.owner = '0123456789abcdef01234567';
    this.address = address;
  }

  get secret(): number {
    return this.#secret;
  }
}

class Address {
  constructor(properties: object) {
    Object.assign(this, properties);
  }
}

describe('data that is an instance of a class', () => {
  let harness: ServiceHarness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.database.close());
  beforeEach(() => harness.reset());

  const outside = { provider: 'rest' };

  it('is stored as its own properties, by a hook of a call from outside too', async () => {
    const service = harness.service({ objectIds: ['owner'] });
    const owner = new ObjectId('0123456789abcdef01234567');
    const address = { city: 'Bern' };
    const { _id: id } = await service.create(new Person('a', new Address(address)) as never, outside);
    const stored = (): Promise<Document> => service.get(id as never);
    expect(await stored()).toEqual({ _id: id, name: 'a', owner, address });
    await service.patch(id as never, new Person('b') as never, outside);
    expect(await stored()).toEqual({ _id: id, name: 'b', owner, address: {} });
    await service.update(id as never, new Person('c', new Address(address)) as never);
    expect(await stored()).toEqual({ _id: id, name: 'c', owner, address });
  });

  it('is checked as any other, and nothing else becomes an object', async () => {
    const service = harness.service();
    for (const address of [{ $where: '1' }, { 'a.$b': 1 }, { constructor: 1 }])
      await expect(service.create(new Person('a', new Address(address)) as never, outside)).rejects.toMatchObject({ code: 400 });
    for (const data of [new Map([['name', 'a']]), new Set(['a']), new Date(), /a/, Buffer.from('a'), new ObjectId(), [['a']], null, 'a'])
      for (const params of [{}, outside])
        await expect(service.update(new ObjectId() as never, data as never, params)).rejects.toMatchObject({ code: 400 });
  });
});
