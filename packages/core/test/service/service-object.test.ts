import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { framework, type HookContext } from '../../src/index.ts';

/** What each form below is: a service whose `create` calls its own `patch`, emits an event of its own, and keeps a count. */
interface Form {
  create(data: unknown): Promise<unknown>;
  patch(id: number, data: unknown): Promise<unknown>;
  emit?: ((event: string, data: unknown) => boolean) | undefined;
  seen?: unknown;
}

const plainObject = (): Form => ({
  async create(data) {
    this.seen = this;
    this.emit?.('custom', data);
    return this.patch(1, data);
  },
  async patch(id, data) {
    return { id, data };
  },
});

class Plain implements Form {
  declare emit?: Form['emit'];
  seen: unknown;
  async create(data: unknown): Promise<unknown> {
    this.seen = this;
    this.emit?.('custom', data);
    return this.patch(1, data);
  }
  async patch(id: number, data: unknown): Promise<unknown> {
    return { id, data };
  }
}

class Private implements Form {
  declare emit?: Form['emit'];
  seen: unknown;
  #count = 0;
  async create(data: unknown): Promise<unknown> {
    this.seen = this;
    this.#count += 1;
    this.emit?.('custom', data);
    return this.patch(this.#count, data);
  }
  async patch(id: number, data: unknown): Promise<unknown> {
    return { id, data, count: this.#count };
  }
}

/** A private member that the source does not name after `this`. */
class PrivateOfAlias implements Form {
  declare emit?: Form['emit'];
  seen: unknown;
  #count = 0;
  async create(data: unknown): Promise<unknown> {
    const self = this;
    self.seen = self;
    self.#count += 1;
    self.emit?.('custom', data);
    return self.patch(self.#count, data);
  }
  async patch(id: number, data: unknown): Promise<unknown> {
    const { ...rest } = { id, data };
    return rest;
  }
}

/** What a compiler makes of private members. */
const Compiled = (() => {
  const count = new WeakMap<object, number>();
  const get = (self: object): number => {
    const value = count.get(self);
    if (value === undefined) throw new TypeError('Cannot read private member from an object whose class did not declare it');
    return value;
  };
  return class implements Form {
    declare emit?: Form['emit'];
    seen: unknown;
    constructor() {
      count.set(this, 1);
    }
    async create(data: unknown): Promise<unknown> {
      this.seen = this;
      this.emit?.('custom', data);
      return this.patch(get(this), data);
    }
    async patch(id: number, data: unknown): Promise<unknown> {
      return { id, data, count: get(this) };
    }
  };
})();

class Subclass extends Private {
  override async create(data: unknown): Promise<unknown> {
    return super.create(data);
  }
}

class Emitting extends EventEmitter implements Form {
  seen: unknown;
  readonly #id = 1;
  async create(data: unknown): Promise<unknown> {
    this.seen = this;
    this.emit('custom', data);
    return this.patch(this.#id, data);
  }
  async patch(id: number, data: unknown): Promise<unknown> {
    return { id, data };
  }
}

class Arrows implements Form {
  declare emit?: Form['emit'];
  seen: unknown;
  create = async (data: unknown): Promise<unknown> => {
    this.seen = this;
    this.emit?.('custom', data);
    return this.patch(1, data);
  };
  patch = async (id: number, data: unknown): Promise<unknown> => ({ id, data });
}

const forms: [string, () => Form][] = [
  ['a plain object', plainObject],
  ['an object without a prototype', () => Object.assign(Object.create(null) as Form, plainObject())],
  ['a class', () => new Plain()],
  ['a class with private members', () => new Private()],
  ['a class that reads private members of an alias', () => new PrivateOfAlias()],
  ['a class with compiled private members', () => new Compiled()],
  ['a subclass of one with private members', () => new Subclass()],
  ['a class that is an event emitter', () => new Emitting()],
  ['a class with methods in its fields', () => new Arrows()],
  ['a proxy of an object', () => new Proxy(plainObject(), {})],
  ['a proxy of a class', () => new Proxy(new Plain(), {})],
  ['a proxy that answers by itself', () => new Proxy({} as Form, { get: (_target, name) => Reflect.get(plainObject(), name) })],
];

describe.each(forms)('this, in %s', (_title, make) => {
  it('is the registered service, and its calls of its own methods run hooks and emit events', async () => {
    const app = framework();
    app.use('forms', make());
    const service = app.service('forms') as unknown as Form & {
      hooks(map: object): void;
      on(event: string, listener: (record: unknown) => void): void;
    };
    const log: string[] = [];
    service.hooks({
      before: {
        all: [
          (context: HookContext) => {
            log.push(`hook ${context.method}`);
          },
        ],
      },
    });
    for (const event of ['created', 'patched', 'custom']) service.on(event, () => log.push(event));
    await expect(service.create('x')).resolves.toMatchObject({ id: 1, data: 'x' });
    expect(log).toEqual(['hook create', 'custom', 'hook patch', 'patched', 'created']);
  });
});

describe('the registered service', () => {
  it.each([
    ['a class', () => new Plain()],
    ['a class with private members', () => new Private()],
  ])('of %s is the instance itself', async (_title, make) => {
    const instance = make();
    const app = framework().use('x', instance);
    await app.service('x').create(1);
    expect(app.service('x')).toBe(instance);
    expect(instance.seen).toBe(app.service('x'));
  });

  it('of a plain object is derived from it, so that one object may stand in several applications', async () => {
    const object = plainObject();
    const [first, second] = [framework().use('x', object), framework().use('x', object)];
    const log: string[] = [];
    first.service('x').hooks({ before: { create: [() => void log.push('first')] } });
    second.service('x').hooks({ before: { create: [() => void log.push('second')] } });
    await second.service('x').create(1);
    expect(log).toEqual(['second']);
    expect(Object.keys(object)).toEqual(['create', 'patch']);
  });

  it('runs its methods on itself, whatever they are called on', async () => {
    const service = framework().use('x', new Private()).service('x');
    const derived = Object.create(service) as Form;
    await expect(derived.create('y')).resolves.toMatchObject({ id: 1 });
    await expect(service.create.call({}, 'y')).resolves.toMatchObject({ id: 2 });
  });

  it('keeps the members of the framework out of the keys of an instance', () => {
    const instance = new Plain();
    const keys = Object.keys(instance);
    framework().use('x', instance);
    expect(Object.keys(instance)).toEqual(keys);
  });

  it('is refused where it can not take its hooks, and nothing is left of the attempt', () => {
    const app = framework();
    expect(() => app.use('x', Object.freeze(new Plain()))).toThrow("The service of 'x' can not take its hooks");
    expect(Object.keys(app.services)).toEqual([]);
    expect(app.lookup('x')).toBeNull();
    app.use('x', Object.freeze(plainObject()));
    expect(app.lookup('x')).not.toBeNull();
  });

  it('begins anew when an instance that was taken out is registered again; until then its hooks stay', async () => {
    const instance = new Private();
    const app = framework();
    app.use('x', instance);
    const log: string[] = [];
    app.service('x').hooks({ before: { create: [() => void log.push('old')] } });
    app.service('x').on('created', () => log.push('old listener'));
    await app.unuse('x');
    await instance.create(1);
    app.use('x', instance);
    app.service('x').hooks({ before: { create: [() => void log.push('new')] } });
    await app.service('x').create(1);
    expect(log).toEqual(['old', 'old listener', 'new']);
  });
});
