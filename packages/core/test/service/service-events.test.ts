import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { framework } from '../../src/index.ts';

const creates = () => ({
  async create(data: unknown): Promise<unknown> {
    return data;
  },
});

describe("a service's own emit", () => {
  it('is called for each event when a mixin replaces it', async () => {
    const seen: unknown[] = [];
    const app = framework();
    app.mixins.push((service) => {
      const emitter = service as EventEmitter;
      const emit = emitter.emit.bind(emitter);
      emitter.emit = (event: string | symbol, ...args: unknown[]): boolean => {
        seen.push([event, args[0]]);
        return emit(event, ...args);
      };
    });
    app.use('x', creates());
    const heard: unknown[] = [];
    app.service('x').on('created', (record) => heard.push(record));
    await app.service('x').create(['a', 'b']);
    expect(seen).toEqual([
      ['created', 'a'],
      ['created', 'b'],
    ]);
    expect(heard).toEqual(['a', 'b']);
  });

  it('is called for each event when a class overrides it, also without listeners', async () => {
    const seen: unknown[] = [];
    class Overriding extends EventEmitter {
      async create(data: unknown): Promise<unknown> {
        return data;
      }
      override emit(event: string | symbol, ...args: unknown[]): boolean {
        seen.push(event);
        return super.emit(event, ...args);
      }
    }
    const app = framework().use('x', new Overriding());
    await app.service('x').create(1);
    expect(seen).toEqual(['created']);
  });

  it('does not fail the call when it throws, and that is told', async () => {
    class Throwing extends EventEmitter {
      async create(data: unknown): Promise<unknown> {
        return data;
      }
      override emit(): boolean {
        throw new Error('no bus');
      }
    }
    const app = framework().use('x', new Throwing());
    const told: unknown[] = [];
    app.on('listenerError', (error: Error, source: { path: string; event: string }) =>
      told.push([error.message, source.path, source.event]),
    );
    await expect(app.service('x').create(1)).resolves.toBe(1);
    expect(told).toEqual([['no bus', 'x', 'created']]);
  });

  it('of a class that is an emitter lets the other listeners run when one throws', async () => {
    class Emitting extends EventEmitter {
      async create(data: unknown): Promise<unknown> {
        return data;
      }
    }
    const app = framework().use('x', new Emitting());
    const heard: unknown[] = [];
    app.on('listenerError', () => heard.push('told'));
    app.service('x').on('created', () => {
      throw new Error('first');
    });
    app.service('x').on('created', (record) => heard.push(record));
    await app.service('x').create(1);
    expect(heard).toEqual(['told', 1]);
  });

  it('tells of a listener of an event that the service sends itself', () => {
    const app = framework().use('x', creates());
    const told: unknown[] = [];
    app.on('listenerError', (error: Error, source: { path: string; event: string }) =>
      told.push([error.message, source.path, source.event]),
    );
    app.service('x').on('typing', () => {
      throw new Error('broken');
    });
    expect(app.service('x').emit('typing', {})).toBe(true);
    expect(app.service('x').emit('silence', {})).toBe(false);
    expect(told).toEqual([['broken', 'x', 'typing']]);
  });

  it('says that somebody has heard it with the context of a call behind it too, also who listens once', async () => {
    const app = framework().use('x', creates());
    const service = app.service('x');
    const said: unknown[] = [];
    service.hooks({
      after: { create: [(context) => void said.push(service.emit('moved', 1, context), service.emit('moved', 2, context))] },
    });
    service.once('moved', (value) => said.push(value));
    await service.create(1);
    expect(said).toEqual([1, true, false]);
  });

  it("keeps Node's rule for errors that nobody listens to", () => {
    const service = framework().use('x', creates()).service('x');
    expect(() => service.emit('error', new Error('unheard'))).toThrow('unheard');
  });
});
